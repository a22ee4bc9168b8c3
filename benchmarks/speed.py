"""Speed and size of the banking environments, compared with the project's targets.

    python -m benchmarks.speed                     # the table, half a minute per scenario on an idle machine
    python -m benchmarks.speed loans savings       # only some scenarios
    python -m benchmarks.speed --json out.json     # the figures for a program, too

Needs the extra `dev` (pydantic is the yardstick, see measure.py). Run nothing else meanwhile. The exit status is 0 if
all targets are met, 1 if one is missed, and 2 for wrong usage.
"""

import argparse
import json
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium as gym

import teller_gym
from benchmarks.measure import calibration_seconds, kib_per_object, measure, timed
from teller_gym.registration import EXECUTION

FROZEN_SPLITS = ("train", "validation", "heldout")

MIN_STEP_RATIO = 0.15
MAX_POOL_FACTOR = 1.25
MAX_FROZEN_RESET_ITEMS = 10.0
MAX_GENERATED_RESET_ITEMS = 1000.0
MAX_SNAPSHOT_ITEMS = 3.0
MAX_ENV_KIB = 16.0
MAX_REPLAY_SECONDS = 2.0

GENERATED = 8
"""Number of fresh instances in a batch, since their cost depends on the kind of case."""
LIVE = 1000
"""Number of live environments in the measurement of memory."""


class Episode(NamedTuple):
    """A frozen instance with the expert's calls as action texts."""

    task_id: str
    actions: tuple[str, ...]


class Row(NamedTuple):
    """A row of the table."""

    what: str
    value: float
    unit: str
    target: str
    met: bool
    note: str = ""


class Effort(NamedTuple):
    """Number of repeats of each measurement, and minimum seconds of each repeat."""

    repeats: int
    seconds: float


class Subject(NamedTuple):
    """A scenario with its env and frozen instances."""

    name: str
    env_id: str
    episodes: list[Episode]


def subjects(names: Sequence[str]) -> list[Subject]:
    """Return the scenarios with some names, or all scenarios if there are none."""
    env_ids = {card.kwargs["scenario"]: card.id for card in EXECUTION}
    found = []
    for name in names or env_ids:
        tasks = [task for split in FROZEN_SPLITS for task in teller_gym.load_tasks(name, split)]
        calls = {task.id: [{"name": c.name, "arguments": c.arguments} for c in task.standard.calls] for task in tasks}
        episodes = [Episode(task_id, tuple(map(json.dumps, made))) for task_id, made in calls.items()]
        found.append(Subject(name, env_ids[name], episodes))
    return found


def play(env: gym.Env[Any, Any], episode: Episode) -> float:
    """Play an episode, and return the duration of its steps in seconds, without the reset.

    Raises:
        RuntimeError: the expert's calls did not earn the full score, so the measurement would be meaningless.
    """
    env.reset(options={"task_id": episode.task_id})
    step, done = env.step, False
    info: dict[str, Any] = {}
    start = time.perf_counter()
    for action in episode.actions:
        _, _, done, _, info = step(action)
    seconds = time.perf_counter() - start
    if not done or info["score"] != 1.0:
        raise RuntimeError(f"{episode.task_id}: the expert's calls scored {info.get('score')}, expected 1.0 at the end")
    return seconds


def step_items(env: gym.Env[Any, Any], episodes: Sequence[Episode], effort: Effort) -> float:
    """Return the time of a graded step in calibration items."""
    for episode in episodes:  # loads all tools, tasks and rubrics before the measurement
        play(env, episode)
    rounds = cycle(episodes)

    def batch() -> tuple[int, float]:
        episode = next(rounds)
        return len(episode.actions), play(env, episode)

    return measure(batch, effort.repeats, effort.seconds).items


def of_scenario(subject: Subject, effort: Effort) -> Iterator[Row]:
    """Measure steps, resets and snapshots of a scenario."""
    env = gym.make(subject.env_id)
    items = step_items(env, subject.episodes, effort)
    ratio = 1 / items
    yield Row("graded step through gym.make", ratio, "× calibration", f"≥ {MIN_STEP_RATIO}", ratio >= MIN_STEP_RATIO)
    factor = step_items(gym.make(subject.env_id, distractors="all"), subject.episodes, effort) / items
    met = factor <= MAX_POOL_FACTOR
    yield Row("step with the full pool of tools", factor, "× small pool", f"≤ {MAX_POOL_FACTOR:g}", met)

    longest = max(subject.episodes, key=lambda episode: len(episode.actions))
    env.reset(options={"task_id": longest.task_id})
    for action in longest.actions[:-1]:
        env.step(action)
    core: Any = env.unwrapped
    saved = core.snapshot()
    frozen, generated = (gym.make(subject.env_id, split=split).unwrapped for split in ("heldout", "generated"))
    for each in (frozen, generated):
        each.reset(seed=0)
    operations: tuple[tuple[str, Callable[[], Any], int, float], ...] = (
        ("reset of a frozen task", frozen.reset, 200, MAX_FROZEN_RESET_ITEMS),
        ("reset of a generated task", generated.reset, GENERATED, MAX_GENERATED_RESET_ITEMS),
        ("snapshot at the end of the longest episode", core.snapshot, 500, MAX_SNAPSHOT_ITEMS),
        ("restore of that snapshot", lambda: core.restore(saved), 500, MAX_SNAPSHOT_ITEMS),
    )
    for what, operation, count, most in operations:
        result = measure(timed(operation, count), effort.repeats, effort.seconds)
        note = f"{result.seconds * 1e6:.1f} µs"
        yield Row(what, result.items, "calibration items", f"< {most:g}", result.items < most, note)


def memory(subject: Subject) -> Row:
    """Measure the growth of resident memory for each additional env in the middle of its episode."""

    def make(number: int) -> gym.Env[Any, Any]:
        episode = subject.episodes[number % len(subject.episodes)]
        env = gym.make(subject.env_id)
        env.reset(options={"task_id": episode.task_id})
        for action in episode.actions[: len(episode.actions) // 2]:
            env.step(action)
        return env

    for number in range(len(subject.episodes)):  # loads what all envs share before the measurement
        make(number)
    kib = kib_per_object(make, LIVE)
    return Row(f"{subject.name}: memory of each further live env", kib, "KiB", f"≤ {MAX_ENV_KIB:g}", kib <= MAX_ENV_KIB)


def replay(every: Sequence[Subject], effort: Effort) -> Row:
    """Measure the time to replay all frozen instances, from reset to the final grade with its reasons."""
    envs: dict[str, Any] = {subject.name: gym.make(subject.env_id) for subject in every}
    passes = []
    for _ in range(effort.repeats + 1):
        start = time.perf_counter()
        for subject in every:
            for episode in subject.episodes:
                play(envs[subject.name], episode)
                envs[subject.name].unwrapped.grade()
        passes.append(time.perf_counter() - start)
    seconds = statistics.median(passes[1:])  # the first pass loads what all envs share
    count = sum(len(subject.episodes) for subject in every)
    what = f"replay and grade all {count} frozen instances"
    return Row(what, seconds, "s", f"< {MAX_REPLAY_SECONDS:g}", seconds < MAX_REPLAY_SECONDS)


def show(rows: Sequence[Row]) -> None:
    """Print the table."""
    width = max(len(row.what) for row in rows)
    for row in rows:
        measured = f"{row.value:9.3f} {row.unit:17}"
        print(
            f"{row.what:{width}}  {measured}  {row.target:15}  {'met' if row.met else 'MISSED':6}  {row.note}".rstrip()
        )


def json_file(text: str) -> Path:
    """Parse the option --json, before a minute is spent on results that could not be written."""
    path = Path(text)
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(f"expected a file in a folder that exists, got {text!r}")
    return path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit status."""
    known = [card.kwargs["scenario"] for card in EXECUTION]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="*", metavar="NAME", help=f"some of {', '.join(known)}; all if none")
    parser.add_argument("--json", type=json_file, metavar="FILE", help="write the figures to this file, too")
    parser.add_argument("--repeats", type=int, default=7, help="bracketed repeats of each measurement (default 7)")
    parser.add_argument("--seconds", type=float, default=0.25, help="counted seconds of each repeat (default 0.25)")
    options = parser.parse_args(arguments)
    if options.repeats < 1 or options.seconds <= 0:
        parser.error("--repeats must be at least 1, --seconds greater than 0")
    if unknown := [name for name in options.scenarios if name not in known]:
        parser.error(f"expected scenarios of {', '.join(known)}, got {', '.join(unknown)}")

    effort, every = Effort(options.repeats, options.seconds), subjects(options.scenarios)
    microseconds = calibration_seconds(0.5) * 1e6
    print(f"calibration item: {microseconds:.2f} µs (Python {platform.python_version()})\n", flush=True)
    of_memory = memory(every[0])  # first, before other measurements leave freed memory that would be reused
    rows = [row._replace(what=f"{one.name}: {row.what}") for one in every for row in of_scenario(one, effort)]
    rows += [of_memory, replay(every, effort)]
    show(rows)
    if options.json:
        packages = {name: metadata.version(name) for name in ("gymnasium", "msgspec", "numpy", "pydantic")}
        setting: dict[str, Any] = {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "packages": packages,
        }
        setting["calibration_microseconds"] = microseconds
        figures = {"environment": setting, "rows": [row._asdict() for row in rows]}
        options.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0 if all(row.met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
