"""Command `teller-gym play`, with which a person, or a program using pipes, works on a case like a model would."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import Any

from teller_gym.base.errors import OptionError
from teller_gym.cli import interrupt
from teller_gym.cli.common import Parser
from teller_gym.cli.overrides import read_overrides
from teller_gym.configuration.envs import env_id_of

from .case import Case, open_case
from .console import Console, Lines, completions
from .program import Program
from .recording import HUMAN, Recording

FINISHED, UNFINISHED, INTERRUPTED = 0, 1, 130

GRADING_S = 20.0
"""Seconds allowed for grading and recording an interrupted case."""

EXAMPLE = """\
  teller-gym play loans                            a case of the train split
  teller-gym play loans task_id=loans-0042 env.sop=explicit
  teller-gym play loans split=heldout seed=3 --record runs/by-hand --name ada
  teller-gym play loans_graph env.distractors=0    stage 1: one answer, the graph
  teller-gym play loans --json < calls.jsonl       for a program; docs/start/play.md says what goes over the pipes"""

SETTINGS = {"task_id": str, "split": str, "seed": int}
_HELP = """\
  task_id=…         which case; without it one of the split is drawn
  split=…           what the case is drawn from: train (default), validation, heldout, generated …
  seed=…            of the draw (0)
  env.<option>=…    constructor options of the environment, such as env.sop=explicit"""

_DESCRIPTION = (
    "Work one case yourself, with what a model would see. Type help once it has begun.\n"
    "Exit code: 0 the case was worked to its end; 1 it was left before, or broke off; 130 interrupted. Settings:\n\n"
)


def run(argv: list[str]) -> int:
    """Play one case and return the exit code.

    Returns:
        0 if the case was completed, 1 if it was not, and 130 if it was interrupted.
    """
    parser = Parser("play", _DESCRIPTION + _HELP, EXAMPLE)
    parser.add_argument("env", help="short name or id of the environment, such as loans")
    parser.add_argument("overrides", nargs="*", default=[], metavar="key=value", help="settings, see above")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, in and out, for a program")
    parser.add_argument("--record", metavar="RUN", help="folder of a run to write the episode to, once it has ended")
    parser.add_argument("--name", default=HUMAN, help="who plays, as the run names its agent (human)")
    options = parser.read(argv)
    settings, groups = read_overrides(options.overrides, SETTINGS, ("env",), example="task_id=loans-0042")
    if "split" in groups["env"]:
        raise OptionError("split: give it by itself, as split=…, not among the options of the env")
    seed = 0 if settings.get("seed") is None else settings["seed"]
    if seed < 0:
        raise OptionError(f"seed: expected a whole number of 0 or more, got {seed}")
    env_options = {**groups["env"], "split": settings.get("split") or "train"}
    if not options.name:
        raise OptionError("name: expected who plays, got nothing")
    with ExitStack() as stack:
        case = open_case(env_id_of(options.env), env_options, seed, settings.get("task_id"), options.name)
        stack.callback(case.close)
        recording = None
        if options.record is not None:
            recording = stack.enter_context(Recording(options.record, case, options.name))
        return _play(case, options.json, recording)


def _play(case: Case, for_program: bool, recording: Recording | None) -> int:
    # Invalid characters must not cause a traceback, and output must not wait in a buffer.
    _set(sys.stdin, errors="surrogateescape")
    _set(sys.stdout, errors="backslashreplace", line_buffering=True)
    table: Console | Program = Program(case, Lines()) if for_program else Console(case, Lines(completions(case.tools)))
    try:
        table.play()
        code = FINISHED if case.over and case.failure is None else UNFINISHED
    except KeyboardInterrupt:
        interrupt.take_time(GRADING_S)
        code = INTERRUPTED
    table.end()
    if recording is not None:
        print(recording.write(case), file=sys.stderr)
    return code


def _set(stream: Any, **settings: Any) -> None:
    if hasattr(stream, "reconfigure"):  # streams of notebooks and tests may lack it
        stream.reconfigure(**settings)
