"""Speed of each banking scenario, and size of the package with all of them, against the targets.

    python -m benchmarks.scenario_speed                     # the table, half a minute a scenario on a quiet machine
    python -m benchmarks.scenario_speed loans savings       # only some scenarios
    python -m benchmarks.scenario_speed --json out.json     # the figures for a program, too
    python -m benchmarks.scenario_speed --no-wheel          # without building the wheel, which takes longest

Needs the extra `dev` (pydantic is the yardstick, see measure.py; build and setuptools make the wheel). Run nothing else
meanwhile. The exit status is 0 when every target is met, 1 when one is missed, and 2 for a wrong use.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium as gym

from benchmarks.env_speed import (
    Effort,
    Episode,
    Row,
    environment,
    frozen_episodes,
    imports,
    json_file,
    play,
    show,
    steps_of,
)
from benchmarks.measure import measure, timed
from teller_gym.registration import EXECUTION, OWN

REPO = Path(__file__).resolve().parents[1]
LEFT_OUT = (".*", "__pycache__", "*.egg-info", "build", "dist", "venv", "runs", "outputs", "multirun", "wandb")
"""Files that are not copied to build the wheel from."""

MIN_WRAPPED_RATIO = 0.15
MIN_STEP_RATIO = 0.15
MAX_FROZEN_RESET_ITEMS = 10.0
MAX_GENERATED_RESET_ITEMS = 1000.0
MAX_REPLAY_SECONDS = 2.0
MAX_WHEEL_MB = 12.0

GENERATED = 8
"""Fresh instances of a batch: their cost differs by the kind of case."""


class Subject(NamedTuple):
    """A scenario with its env and its frozen instances."""

    name: str
    env_id: str
    episodes: list[Episode]


def subjects(names: Sequence[str]) -> list[Subject]:
    """Return the scenarios of some names, all of the package if there are none."""
    env_ids = {card.kwargs["scenario"]: card.id for card in EXECUTION}
    return [Subject(name, env_ids[name], frozen_episodes(name)) for name in names or env_ids]


def of_scenario(subject: Subject, effort: Effort) -> Iterator[Row]:
    """Steps and resets of a scenario."""
    wrapped = gym.make(subject.env_id)
    for what, env, target in (
        ("step through gym.make, graded", wrapped, MIN_WRAPPED_RATIO),
        ("step of the unwrapped env, graded", wrapped.unwrapped, MIN_STEP_RATIO),
    ):
        for episode in subject.episodes:  # all tools, tasks and rubrics are loaded before anything is counted
            play(env, episode)
        result = measure(steps_of(env, subject.episodes), effort.repeats, effort.seconds)
        note = f"{result.seconds * 1e6:.1f} µs, {1 / result.seconds:,.0f} steps/s"
        met = result.ratio >= target
        yield Row(f"{subject.name}: {what}", result.ratio, "× calibration", f"≥ {target}", met, note)
    for what, split, count, most in (
        ("reset of a frozen task", "heldout", 200, MAX_FROZEN_RESET_ITEMS),
        ("reset of a generated task", "generated", GENERATED, MAX_GENERATED_RESET_ITEMS),
    ):
        env = gym.make(subject.env_id, split=split).unwrapped
        env.reset(seed=0)
        result = measure(timed(env.reset, count), effort.repeats, effort.seconds)
        note = f"{result.seconds * 1e6:.1f} µs"
        met = result.items < most
        yield Row(f"{subject.name}: {what}", result.items, "calibration items", f"< {most:g}", met, note)


def replay(every: Sequence[Subject], effort: Effort) -> Row:
    """Return all frozen instances of all scenarios, from reset to the final grade with its reasons."""
    envs: Mapping[str, Any] = {subject.name: gym.make(subject.env_id) for subject in every}
    passes = []
    for _ in range(effort.repeats + 1):
        start = time.perf_counter()
        for subject in every:
            env = envs[subject.name]
            for episode in subject.episodes:
                play(env, episode)
                env.unwrapped.grade()
        passes.append(time.perf_counter() - start)
    seconds = statistics.median(passes[1:])  # the first loads what all share
    count = sum(len(subject.episodes) for subject in every)
    calls = sum(len(episode.actions) for subject in every for episode in subject.episodes)
    what = f"replay and grade all {count} frozen instances of {len(every)} scenarios"
    return Row(what, seconds, "s", f"< {MAX_REPLAY_SECONDS:g}", seconds < MAX_REPLAY_SECONDS, f"{calls} calls")


def wheel() -> Row:
    """Return the size of the wheel, built from a copy without isolation."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder, "source"), Path(folder, "out")
        shutil.copytree(REPO, source, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
        command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(out)]
        done = subprocess.run(command, cwd=source, check=False, capture_output=True, encoding="utf-8")
        if done.returncode:
            raise RuntimeError(f"the wheel cannot be built: {done.stderr[-2000:]}")
        (made,) = out.glob("*.whl")
        size = made.stat().st_size / 1e6
    return Row("size of the wheel", size, "MB", f"< {MAX_WHEEL_MB:g}", size < MAX_WHEEL_MB, made.name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit status."""
    known = [entry.name for entry in OWN]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="*", metavar="NAME", help=f"some of {', '.join(known)}; all if none")
    parser.add_argument("--json", type=json_file, metavar="FILE", help="write the figures to this file, too")
    parser.add_argument("--no-wheel", action="store_true", help="do not build the wheel")
    parser.add_argument("--repeats", type=int, default=7, help="bracketed repeats of each measurement (default 7)")
    parser.add_argument("--seconds", type=float, default=0.25, help="counted seconds of each repeat (default 0.25)")
    options = parser.parse_args(arguments)
    if options.repeats < 1 or options.seconds <= 0:
        parser.error("--repeats must be at least 1, --seconds greater than 0")
    if unknown := [name for name in options.scenarios if name not in known]:
        parser.error(f"expected scenarios of {', '.join(known)}, got {', '.join(unknown)}")

    effort = Effort(options.repeats, options.seconds, 0)
    setting = environment()
    print(f"calibration item: {setting['calibration_microseconds']:.2f} µs (Python {setting['python']})\n", flush=True)
    every = subjects(options.scenarios)
    rows = [row for subject in every for row in of_scenario(subject, effort)]
    rows += [replay(every, effort), *imports(effort)]
    rows += [] if options.no_wheel else [wheel()]
    show(rows)
    if options.json:
        figures = {"environment": setting, "rows": [row._asdict() for row in rows]}
        options.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0 if all(row.met is not False for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
