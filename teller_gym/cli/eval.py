"""`teller-gym eval`: play an agent over a split, write every episode down, print the table."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Any

import gymnasium as gym
from gymnasium.envs.registration import load_env_creator

from teller_gym.errors import MissingExtraError, OptionError
from teller_gym.evaluation import Report, evaluate
from teller_gym.evaluation.rundir import FIGURE_FILE
from teller_gym.text import did_you_mean

from .common import Parser, env_id_of, print_json
from .overrides import Setting, read_overrides

EXAMPLE = """\
  teller-gym eval env=loans agent=expert run_dir=runs/expert
  teller-gym eval env=loans agent=random split=validation n=16 trials=3
  teller-gym eval env=loans agent=runs/demo/sft concurrency=16 agent.temperature=0.1 env.sop=explicit"""

SETTINGS = {
    "env": Setting(str, "short name or id of the environment, such as loans or Teller-Loans-v0"),
    "agent": Setting(str, "name of a reference agent, such as expert, or folder of a Hugging Face checkpoint"),
    "split": Setting(str, "train, validation, heldout (default), heldout_policy, _schema or _branch, or generated"),
    "run_dir": Setting(str, "folder for transcripts, report and figure; a run cut off there continues"),
    "n": Setting(int, "so many tasks only: of a frozen split a fixed part, spread over outcomes and branches"),
    "task_ids": Setting(list, "exactly these tasks: loans-0001,loans-0002"),
    "trials": Setting(int, "times each task is played (1)"),
    "concurrency": Setting(int, "episodes under way at the same time (1)"),
    "seed": Setting(int, "of the episodes, of generated tasks and of the bootstrap (0)"),
    "figure": Setting(bool, "whether to draw report.png into run_dir (true)"),
}
GROUPS = {
    "env": "constructor options of the environment, such as env.sop=explicit or env.max_steps=40",
    "agent": "options of a checkpoint's agent, such as agent.temperature=0.7 or agent.prompt=compact",
}


def run(argv: list[str]) -> int:
    """Evaluate; exit code 1 if not one episode was valid."""
    parser = Parser("eval", "Play an agent over a split and measure it. Settings:\n\n" + _settings(), EXAMPLE)
    parser.add_argument(
        "overrides", nargs="*", metavar="key=value", help="settings, see above; env and agent are needed"
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON instead of a table")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    options = parser.read(argv)
    found, groups = read_overrides(options.overrides, SETTINGS, GROUPS)
    settings = {name: value for name, value in found.items() if value is not None}
    for name in ("env", "agent"):
        if not settings.get(name):
            parser.error(f"{name}=… is missing")
    env_id = env_id_of(settings["env"])
    _check_env_options(env_id, groups["env"])
    report = evaluate(
        settings["agent"],
        env_id,
        settings.get("split", "heldout"),
        n=settings.get("n"),
        task_ids=settings.get("task_ids"),
        run_dir=settings.get("run_dir"),
        trials=settings.get("trials", 1),
        concurrency=settings.get("concurrency", 1),
        seed=settings.get("seed", 0),
        env_kwargs=groups["env"],
        agent_kwargs=groups["agent"],
        progress=not options.quiet,
    )
    if options.json:
        print_json(report.to_dict())
    else:
        print(report.table())
    note = _finish(report, settings.get("run_dir"), settings.get("figure", True))
    if not options.quiet:
        print(note, file=sys.stderr)
    return 0 if report.counted else 1


def _finish(report: Report, run_dir: str | None, figure: bool) -> str:
    """Draw the figure if it is wanted; return where everything is."""
    if run_dir is None:
        return "nothing was written; run_dir=runs/NAME keeps transcripts, report and figure"
    if not figure:
        return f"transcripts and report.json are in {run_dir}"
    try:
        return f"transcripts, report.json and {report.figure(Path(run_dir) / FIGURE_FILE).name} are in {run_dir}"
    except MissingExtraError as error:
        # The run is whole without the picture.
        return f"transcripts and report.json are in {run_dir}; no figure: {error}"


_OURS = ("scenario", "split", "render_mode")
"""Options of environments that evaluation gives them."""


def _check_env_options(env_id: str, options: dict[str, Any]) -> None:
    """Complain about options that the environment's constructor does not take.

    Raises:
        OptionError: naming those that it takes.
    """
    entry: Any = gym.spec(env_id).entry_point
    made = load_env_creator(entry) if isinstance(entry, str) else entry
    # A class that passes options on to the one it is made of takes that one's, too.
    takers = [one for one in getattr(made, "__mro__", (made,)) if one is made or "__init__" in vars(one)]
    allowed: list[str] = []
    for taker in takers:
        parameters = inspect.signature(taker).parameters.values()
        allowed += [one.name for one in parameters if one.kind is not one.VAR_KEYWORD and one.name not in _OURS]
        if all(one.kind is not one.VAR_KEYWORD for one in parameters):
            break
    for name in options:
        if name not in allowed and name != "split":  # evaluate says how to give the split
            raise OptionError(f"env.{name}: expected one of {', '.join(allowed)}{did_you_mean(name, allowed)}")


def _settings() -> str:
    rows = [(f"{name}=…", setting.help) for name, setting in SETTINGS.items()]
    rows += [(f"{group}.<option>=…", text) for group, text in GROUPS.items()]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"  {name.ljust(width)}  {text}" for name, text in rows)
