"""The command ``teller-gym choose``."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from teller_gym.base.files import disk, write_whole
from teller_gym.cli.common import Parser, tell
from teller_gym.cli.exit_codes import FAILED, OK
from teller_gym.cli.interrupt import note
from teller_gym.configuration.envs import import_registering
from teller_gym.procedure.scenario import load_scenario
from teller_gym.proof.choosing.choose import Choosing, choose
from teller_gym.proof.choosing.shortfalls import complaints, table
from teller_gym.registration import SCENARIOS
from teller_gym.tasks.freezing.chosen import DOCUMENT
from teller_gym.tasks.store import CANARY

_EXAMPLE = """\
  teller-gym choose loans --cache .choosing
  teller-gym choose my.card_limits:card_limits --cache .choosing --table
  teller-gym freeze loans                           afterwards, to draw the chosen seeds"""

_DESCRIPTION = """Choose the seeds of a scenario's instances, as many of each ending as its endings.yaml asks for, and
write chosen_seeds.yaml beside it. Each lapse loses instances of every split, agents that judge nothing win as few as
possible, no answer is frequent, no case is in two splits. The same files give the same seeds.

exit codes: 0 every bound is kept, 1 some is not (the file is written all the same)"""


def run(argv: list[str]) -> int:
    """Choose the seeds, write the document, and return the exit code."""
    parser = Parser("choose", _DESCRIPTION, _EXAMPLE)
    parser.add_argument("scenario", metavar="NAME", help="such as loans, or my.module:my_scenario")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="folder that keeps played cases for later runs")
    parser.add_argument("--table", action="store_true", help="print how many cases each lapse loses")
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    options = parser.read(argv)
    module, colon, name = options.scenario.rpartition(":")
    if colon:
        import_registering(module, options.scenario)
    scenario = load_scenario(name)
    note("what was played is kept" if options.cache else "nothing was chosen")
    found = choose(scenario, options.cache, tell)
    if options.table:
        print("\n".join(table(scenario, found)))
    wrong = complaints(scenario, found)
    print("\n".join(wrong) if wrong else "every bound is kept")
    if not options.dry_run:
        path = Path(str(resources.files(SCENARIOS[name].module).joinpath(DOCUMENT)))
        with disk(path, "nothing was changed"):
            write_whole(path, document(options.scenario, found))
        print(path)
    return FAILED if wrong else OK


def document(name: str, found: Choosing) -> bytes:
    """Return the text of ``chosen_seeds.yaml``."""
    rows = "".join(f"- {{seed: {row.seed}, split: {row.split}}}\n" for row in found.seeds())
    return f"{_HEAD.format(name=name, canary=CANARY)}{rows}".encode()


_HEAD = """\
# The frozen instances: the seed that each is drawn from and its split, in the order of the ids. Made from endings.yaml
# by `teller-gym choose {name}`; `teller-gym freeze {name}` draws them.
# {canary}
"""
