"""Speed and size of the Loans environment, against the targets of the project.

    python -m benchmarks.env_speed                  # the table, about a minute on a quiet machine
    python -m benchmarks.env_speed --json out.json  # the figures for a program, too
    python -m benchmarks.env_speed --profile        # where the time of a step goes

Needs the extra `dev` (pydantic is the yardstick, see measure.py). Run nothing else meanwhile. The exit status is 0 when
every target is met, 1 when one is missed, and 2 for a wrong use.
"""

import argparse
import cProfile
import json
import platform
import pstats
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from importlib import metadata
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium as gym

import teller_gym
from benchmarks.measure import (
    calibration_seconds,
    import_seconds,
    kib_per_object,
    measure,
    modules_after,
    timed,
)

ENV_ID = "Teller-Loans-v0"
SCENARIO = "loans"
FROZEN_SPLITS = ("train", "validation", "heldout")
HEAVY_MODULES = {"torch", "transformers", "trl", "hydra", "wandb", "matplotlib"}

MIN_STEP_RATIO = 0.15
MAX_POOL_FACTOR = 1.25
MAX_RESET_ITEMS = 15.0
MAX_SNAPSHOT_ITEMS = 3.0
MAX_ENV_KIB = 16.0
MAX_IMPORT_SECONDS = 0.3
MAX_REPLAY_SECONDS = 1.0


class Episode(NamedTuple):
    """One frozen instance with the expert's calls as action texts."""

    task_id: str
    actions: tuple[str, ...]


class Row(NamedTuple):
    """One line of the table."""

    what: str
    value: float
    unit: str
    target: str
    met: bool | None
    """None where there is no target."""
    note: str = ""


class Effort(NamedTuple):
    """Durations of the measurement."""

    repeats: int
    seconds: float
    """Of each repeat."""
    envs: int
    """Live environments for the figure of memory."""


def frozen_episodes(scenario: str = SCENARIO) -> list[Episode]:
    """Return every frozen instance of a scenario, in the order of the splits."""
    return [
        Episode(
            task.id,
            tuple(json.dumps({"name": call.name, "arguments": call.arguments}) for call in task.standard.calls),
        )
        for split in FROZEN_SPLITS
        for task in teller_gym.load_tasks(scenario, split)
    ]


def play(env: gym.Env[Any, Any], episode: Episode) -> float:
    """Play an episode and return the seconds its steps took; the reset is not counted.

    Raises:
        RuntimeError: the expert's calls did not earn the full score, so that something else would be measured.
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


def steps_of(env: gym.Env[Any, Any], episodes: Iterable[Episode]) -> Callable[[], tuple[int, float]]:
    """Return a batch that plays the next episode of an endless round."""
    rounds = cycle(episodes)

    def batch() -> tuple[int, float]:
        episode = next(rounds)
        return len(episode.actions), play(env, episode)

    return batch


def rates(episodes: Sequence[Episode], effort: Effort) -> list[Row]:
    """Steps through the default wrappers and without them."""
    rows = []
    wrapped = gym.make(ENV_ID)
    for what, env, target in (
        ("step, gym.make's default wrappers, grading included", wrapped, MIN_STEP_RATIO),
        ("step, unwrapped env, grading included", wrapped.unwrapped, MIN_STEP_RATIO),
    ):
        for episode in episodes:  # all tools, tasks and rubrics are loaded before anything is counted
            play(env, episode)
        result = measure(steps_of(env, episodes), effort.repeats, effort.seconds)
        note = f"{result.seconds * 1e6:.1f} µs, {1 / result.seconds:,.0f} steps/s"
        rows.append(Row(what, result.ratio, "× calibration", f"≥ {target}", result.ratio >= target, note))
    return rows


def pools(episodes: Sequence[Episode], effort: Effort) -> list[Row]:
    """Return the cost of the full pool of tools per step."""
    items = {}
    for distractors in (0, "all"):
        env = gym.make(ENV_ID, distractors=distractors).unwrapped
        for episode in episodes:
            play(env, episode)
        items[distractors] = measure(steps_of(env, episodes), effort.repeats, effort.seconds).items
    factor = items["all"] / items[0]
    note = f"{items['all']:.2f} and {items[0]:.2f} calibration items"
    met = factor <= MAX_POOL_FACTOR
    return [Row("step with the full pool of tools", factor, "× small pool", f"≤ {MAX_POOL_FACTOR:g}", met, note)]


def latencies(episodes: Sequence[Episode], effort: Effort) -> list[Row]:
    """Resets on frozen and generated tasks, snapshot and restore in the middle of an episode."""
    rows = []

    def add(what: str, operation: Callable[[], Any], count: int, target: float | None) -> None:
        result = measure(timed(operation, count), effort.repeats, effort.seconds)
        met = None if target is None else result.items <= target
        shown = "reported" if target is None else f"≤ {target:g}"
        rows.append(Row(what, result.items, "calibration items", shown, met, f"{result.seconds * 1e6:.1f} µs"))

    for split in ("train", "heldout"):
        env = gym.make(ENV_ID, split=split)
        env.reset(seed=0)
        add(f"reset, frozen split {split}, unwrapped env", env.unwrapped.reset, 200, MAX_RESET_ITEMS)
    add("reset, frozen split heldout, default wrappers", env.reset, 200, MAX_RESET_ITEMS)

    longest = max(episodes, key=lambda episode: len(episode.actions))
    env.reset(options={"task_id": longest.task_id})
    for action in longest.actions[:-1]:
        env.step(action)
    inner: Any = env.unwrapped
    saved = inner.snapshot()
    where = f"{len(longest.actions) - 1} calls into an episode"
    add(f"snapshot, {where}", inner.snapshot, 500, MAX_SNAPSHOT_ITEMS)
    add(f"restore, {where}", lambda: inner.restore(saved), 500, MAX_SNAPSHOT_ITEMS)

    generated = gym.make(ENV_ID, split="generated")
    generated.reset(seed=0)
    add("reset, generated split (a fresh instance each)", generated.unwrapped.reset, 2, None)
    return rows


def memory(episodes: Sequence[Episode], effort: Effort) -> list[Row]:
    """Growth of resident memory for each further env, in the middle of its episode."""

    def make(number: int) -> gym.Env[Any, Any]:
        episode = episodes[number % len(episodes)]
        env = gym.make(ENV_ID)
        env.reset(options={"task_id": episode.task_id})
        for action in episode.actions[: len(episode.actions) // 2]:
            env.step(action)
        return env

    for number in range(len(episodes)):  # what all envs share is there before the count starts
        make(number)
    kib = kib_per_object(make, effort.envs)
    note = f"{effort.envs} envs by gym.make, each half-way through an episode"
    return [Row("memory of each further live env", kib, "KiB", f"≤ {MAX_ENV_KIB:g}", kib <= MAX_ENV_KIB, note)]


def imports(effort: Effort) -> list[Row]:
    """Wall time of `import teller_gym`, and what it must not load."""
    seconds = import_seconds("import teller_gym", effort.repeats)
    base = import_seconds("import gymnasium", effort.repeats)
    heavy = sorted(HEAVY_MODULES & modules_after("import teller_gym"))
    note = f"net of bare Python; of it gymnasium {base:.3f} s; heavy modules: {', '.join(heavy) or 'none'}"
    met = seconds <= MAX_IMPORT_SECONDS and not heavy
    return [Row("import teller_gym", seconds, "s", f"≤ {MAX_IMPORT_SECONDS:g}, no torch", met, note)]


def replay(episodes: Sequence[Episode], effort: Effort) -> list[Row]:
    """Return all frozen instances, from reset to the final grade with its reasons, through the default wrappers."""
    env = gym.make(ENV_ID)
    inner: Any = env.unwrapped
    passes = []
    for _ in range(effort.repeats):
        start = time.perf_counter()
        for episode in episodes:
            play(env, episode)
            inner.grade()
        passes.append(time.perf_counter() - start)
    seconds = statistics.median(passes)
    what = f"replay and grade all {len(episodes)} frozen instances"
    note = f"{sum(len(episode.actions) for episode in episodes)} calls"
    return [Row(what, seconds, "s", f"< {MAX_REPLAY_SECONDS:g}", seconds < MAX_REPLAY_SECONDS, note)]


def profile(episodes: Sequence[Episode], top: int) -> None:
    """Print the functions in which the frozen instances spend their time."""
    env = gym.make(ENV_ID)
    profiler = cProfile.Profile()
    for enabled in (False, True):
        if enabled:
            profiler.enable()
        for episode in episodes:
            play(env, episode)
    profiler.disable()
    pstats.Stats(profiler).strip_dirs().sort_stats("tottime").print_stats(top)


def show(rows: Sequence[Row]) -> None:
    """Print the table."""
    width = max(len(row.what) for row in rows)
    print(f"{'':{width}}  {'measured':>9} {'':17}  {'target':15}  {'':6}")
    for row in rows:
        verdict = {True: "met", False: "MISSED", None: ""}[row.met]
        measured = f"{row.value:9.3f} {row.unit:17}"
        print(f"{row.what:{width}}  {measured}  {row.target:15}  {verdict:6}  {row.note}".rstrip())


def environment() -> dict[str, Any]:
    """Return the setup of the measurement."""
    packages = ("gymnasium", "msgspec", "numpy", "pydantic")
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "packages": {name: metadata.version(name) for name in packages},
        "calibration_microseconds": calibration_seconds(0.5) * 1e6,
    }


def json_file(text: str) -> Path:
    """Read the option --json, before a minute is spent on what could not be written."""
    path = Path(text)
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(f"expected a file in a folder that exists, got {text!r}")
    return path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=json_file, metavar="FILE", help="write the figures to this file, too")
    parser.add_argument("--profile", action="store_true", help="show where the time goes, instead of the table")
    parser.add_argument("--top", type=int, default=25, help="functions that --profile shows (default 25)")
    parser.add_argument("--repeats", type=int, default=7, help="bracketed repeats of each measurement (default 7)")
    parser.add_argument("--seconds", type=float, default=0.25, help="counted seconds of each repeat (default 0.25)")
    parser.add_argument("--envs", type=int, default=1000, help="live envs for the figure of memory (default 1000)")
    options = parser.parse_args(arguments)
    if min(options.repeats, options.envs, options.top) < 1 or options.seconds <= 0:
        parser.error("--repeats, --envs and --top must be at least 1, --seconds greater than 0")

    episodes = frozen_episodes()
    if options.profile:
        profile(episodes, options.top)
        return 0
    effort = Effort(options.repeats, options.seconds, options.envs)
    setting = environment()
    print(f"calibration item: {setting['calibration_microseconds']:.2f} µs (Python {setting['python']})\n", flush=True)
    of_memory = memory(episodes, effort)  # first, before other measurements leave freed memory to be used again
    rows = rates(episodes, effort) + pools(episodes, effort)
    rows += latencies(episodes, effort) + replay(episodes, effort) + imports(effort) + of_memory
    show(rows)
    if options.json:
        figures = {"environment": setting, "rows": [row._asdict() for row in rows]}
        options.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0 if all(row.met is not False for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
