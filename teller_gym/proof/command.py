"""The command ``teller-gym check``."""

from __future__ import annotations

import argparse
import time

import gymnasium as gym
import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.cli.common import Parser, print_json, tell
from teller_gym.cli.exit_codes import FAILED, OK
from teller_gym.cli.interrupt import note, take_time
from teller_gym.configuration.envs import env_id_of, import_registering
from teller_gym.proof.suite import check_envs
from teller_gym.registration import ENVS

_EXAMPLES = """\
  teller-gym check Teller-Loans-v0
  teller-gym check Teller-Loans-v0 --quick --json
  teller-gym check Teller-Loans-v0 --only agreement -n 10000
  teller-gym check my.card_limits:card_limits --quick      a scenario of your own
  teller-gym check --all --quick

exit codes: 0 every claim holds, 1 some claim does not, 2 the command could not be understood, 130 interrupted"""

_DESCRIPTION = "Prove that an env can be solved, cannot be played cheaply, and repeats itself."

_SOUND = """only whether the env is sound, not whether it is as large as the benchmark's: the default for a scenario of
your own, where --no-sound checks both; for the package's own envs both are checked"""

_TABLE_S = 1.8
"""Seconds allowed after Ctrl-C for ending the processes and printing the results."""


def run(argv: list[str]) -> int:
    """Run the command and return its exit code."""
    note("no check had ended")
    take_time(_TABLE_S)
    started = time.monotonic()
    parser = Parser("check", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("env", nargs="?", help="short name or id of an env, such as loans or Teller-Loans-v0")
    parser.add_argument("--all", action="store_true", help="every env of the package")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--quick", action="store_true", help="smaller samples; each figure says how large")
    parser.add_argument("-n", "--generated", type=int, help="generated instances for expert against solver (1000)")
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="only this check, or this group such as cheap"
    )
    parser.add_argument("--sound", action=argparse.BooleanOptionalAction, help=_SOUND)
    parser.add_argument("--processes", type=int, default=2, help="checks that run at the same time (2)")
    parser.add_argument("--quiet", action="store_true", help="say nothing on stderr while it runs")
    options = parser.read(argv)
    if (options.env is None) == (not options.all):
        known = ", ".join(card.id for card in ENVS)
        got = "neither" if options.env is None else f"{options.env} and --all"
        raise OptionError(f"env: expected either the id of an env ({known}) or --all, got {got}")
    try:
        reports = check_envs(
            [card.id for card in ENVS] if options.all else [_id_of(options.env)],
            quick=options.quick,
            generated=options.generated,
            only=options.only,
            processes=options.processes,
            progress=not options.quiet,
            sound=options.sound,
        )
    except (gym.error.Error, ModuleNotFoundError) as error:
        raise OptionError(f"env: {error}") from error
    passed = all(report.passed for report in reports)
    if not options.json:
        print("\n\n".join(report.table() for report in reports))
    elif options.all:
        print_json({"passed": passed, "reports": [msgspec.json.decode(report.to_json()) for report in reports]})
    else:
        print(reports[0].to_json().decode())
    if not options.quiet:
        tell(f"{time.monotonic() - started:.0f} s in all")
    return OK if passed else FAILED


def _id_of(name: str) -> str:
    """Convert an env's short name or id, optionally prefixed with ``module:``, to an id for ``gym.make``."""
    module, colon, rest = name.rpartition(":")
    if not colon:
        return env_id_of(name)
    if rest in gym.registry:
        return name
    try:
        import_registering(module, name)
    except OptionError:
        raise
    except (Exception, SystemExit):  # the module's own code fails, which the checks report as a failed claim
        return name
    return f"{module}:{env_id_of(rest)}"
