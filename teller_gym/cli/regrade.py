"""Command `teller-gym regrade`, which replays a run's stored actions in the current env and reports the changes."""

from __future__ import annotations

from pathlib import Path

import gymnasium as gym

from teller_gym.base.errors import OptionError
from teller_gym.evaluation.records.run_folder import read_config
from teller_gym.evaluation.runs.regrade import regrade

from .common import Parser, print_json, tell
from .eval_envs import check_options
from .overrides import read_overrides

EXAMPLE = """\
  teller-gym regrade runs/expert
  teller-gym regrade runs/qwen --out runs/qwen-regraded     a run with the records as they are now
  teller-gym regrade runs/qwen env.reward=sparse            under an option other than the run's"""

_DESCRIPTION = (
    "Replay the stored actions of a run in the current environment, and report what is graded differently and why.\n"
    "No agent is called.\n"
    "Exit code: 0 nothing changed; 1 something did; 2 the run cannot be read. Settings:\n\n"
    "  env.<option>=…      constructor options of stage 2 instead of the run's, such as env.sop=explicit\n"
    "  graph.<option>=…    the same for stage 1"
)


def run(argv: list[str]) -> int:
    """Regrade a run and return the exit code, which is 1 if anything changed."""
    parser = Parser("regrade", _DESCRIPTION, EXAMPLE)
    parser.add_argument("run", help="folder of a run, finished or not; nothing is written to it")
    parser.add_argument("overrides", nargs="*", default=[], metavar="key=value", help="settings, see above")
    parser.add_argument("--out", metavar="NEWRUN", help="folder for a new run with the records as they are now")
    parser.add_argument("--json", action="store_true", help="print all that changed as JSON")
    options = parser.read(argv)
    _, groups = read_overrides(options.overrides, {}, ("env", "graph"), example="env.reward=sparse")
    if any("split" in group for group in groups.values()):
        raise OptionError("split: a run's tasks are what they are; expected other options of the env")
    parts = read_config(Path(options.run))["parts"]
    # `regrade` reports envs that no longer exist.
    check_options(groups, groups, [part["env"] for part in parts if part["env"] in gym.registry])
    found = regrade(options.run, out=options.out, env_kwargs=groups["env"], graph_kwargs=groups["graph"])
    if options.json:
        print_json(found.to_dict())
    else:
        print(found.table())
        if options.out is not None:
            tell(f"the records as they are now are in {options.out}")
    return 1 if found.changed else 0
