"""`teller-gym regrade`: play the stored actions of a run through the present env and graders, and report the
changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium as gym

from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean
from teller_gym.configuration.envs import options_of
from teller_gym.evaluation.records.run_folder import read_config
from teller_gym.evaluation.runs.regrade import regrade

from .common import Parser, print_json, tell
from .overrides import read_overrides

EXAMPLE = """\
  teller-gym regrade runs/expert
  teller-gym regrade runs/qwen --out runs/qwen-regraded     a run with the records as they are now
  teller-gym regrade runs/qwen env.reward=sparse            under an option other than the run's"""

_DESCRIPTION = (
    "Play the stored actions of a run once more through the environment as it is now, and tell what is graded\n"
    "otherwise and why. No agent is asked.\n"
    "Exit code: 0 nothing changed; 1 something did; 2 the run cannot be read. Settings:\n\n"
    "  env.<option>=…      constructor options of stage 2 instead of the run's, such as env.sop=explicit\n"
    "  graph.<option>=…    the same for stage 1"
)


def run(argv: list[str]) -> int:
    """Regrade one run; exit code 1 if anything changed."""
    parser = Parser("regrade", _DESCRIPTION, EXAMPLE)
    parser.add_argument("run", help="folder of a run, finished or not; nothing is written to it")
    parser.add_argument("overrides", nargs="*", default=[], metavar="key=value", help="settings, see above")
    parser.add_argument("--out", metavar="NEWRUN", help="folder for a new run with the records as they are now")
    parser.add_argument("--json", action="store_true", help="print all that changed as JSON")
    options = parser.read(argv)
    _, groups = read_overrides(options.overrides, {}, ("env", "graph"), example="env.reward=sparse")
    if any("split" in group for group in groups.values()):
        raise OptionError("split: a run's tasks are what they are; expected other options of the env")
    _check(groups, read_config(Path(options.run), earlier=True)["parts"])
    found = regrade(options.run, out=options.out, env_kwargs=groups["env"], graph_kwargs=groups["graph"])
    if options.json:
        print_json(found.to_dict())
    else:
        print(found.table())
        if options.out is not None:
            tell(f"the records as they are now are in {options.out}")
    return 1 if found.changed else 0


def _check(groups: Mapping[str, Mapping[str, Any]], parts: list[dict[str, Any]]) -> None:
    """Complain about options that the envs of the run do not take, or of a stage that it did not play."""
    for group, stage in (("env", 2), ("graph", 1)):
        # An env that does not exist any more is reported when it is to be made.
        env_ids = [part["env"] for part in parts if part["stage"] == stage and part["env"] in gym.registry]
        if groups[group] and all(part["stage"] != stage for part in parts):
            raise OptionError(f"{group}.<option>: nothing of stage {stage} was played in this run")
        for allowed in map(options_of, dict.fromkeys(env_ids)):
            for name in groups[group]:
                if name not in allowed:
                    hint = did_you_mean(name, allowed)
                    raise OptionError(f"{group}.{name}: expected one of {', '.join(allowed)}{hint}")
