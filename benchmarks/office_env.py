"""Speed of the office environment: a call, a reset, a snapshot, a verdict, and the memory of many offices.

    python -m benchmarks.office_env                  # the table, half a minute on a quiet machine
    python -m benchmarks.office_env --json out.json  # the figures for a program, too

Needs the extra `dev` (pydantic is the yardstick, see measure.py) and `office`. Run nothing else meanwhile. The exit
status is 0 when every target is met, 1 when one is missed, and 2 for a wrong use.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.env_speed import Row, environment, json_file, show
from benchmarks.measure import measure, resident_kib, timed
from teller_gym.envs.office import OfficeEnv
from teller_gym.office_tasks.contract import load_office
from teller_gym.procedure.task import Split
from teller_gym.registration import WEALTH
from teller_gym.tools.call import ToolCall
from teller_gym.tools.parse import parse_action
from teller_gym.tools.run import action_text, run_tool

MAX_CALL_US, MAX_RESET_MS, MAX_SNAPSHOT_US, MAX_LIVE_MIB = 30.0, 1.0, 50.0, 500.0
"""Targets: the median tool call (run_python aside), a reset, a snapshot with its restore, and 500 live offices."""

LIVE = 500
TASK = "wealth-net_worth-high"


def made(**options: Any) -> OfficeEnv:
    """Return an env of the frozen tasks."""
    return OfficeEnv(**{"split": "heldout", "office": WEALTH.kwargs["office"], **options})


def call_us(repeats: int, seconds: float) -> dict[str, float]:
    """Return microseconds of each tool call that the experts make in the frozen office: of only the tool, by
    its name.
    """
    env, found = made(), {}
    for task_id in env.office.ids(Split.HELDOUT):
        env.reset(options={"task_id": task_id})
        for call in env.task.standard.calls:
            read = parse_action(action_text(call), env.tools)
            desk: Any = env.episode.desk
            if isinstance(read, ToolCall) and call.name not in found:

                def run(desk: Any = desk, read: ToolCall = read) -> None:
                    desk.store.restore({})
                    run_tool(desk, read)

                found[call.name] = measure(timed(run, 20), repeats, seconds).seconds * 1e6
    return found


def live_mib(count: int) -> float:
    """Memory of so many offices at once, each with an episode under way, in MiB."""
    office, before = load_office(WEALTH.kwargs["office"]), resident_kib()
    env, kept = made(split="generated"), []
    for number in range(count):
        env.reset(options={"task_id": f"wealth-g-{50_000 + number}"})
        kept.append(env.snapshot())
    assert len({one.task.seed for one in kept}) == count and office.name
    return (resident_kib() - before) / 1024


def rows_of(repeats: int, seconds: float, live: int) -> list[Row]:
    """Return the table."""

    def row(what: str, operation: Callable[[], Any], count: int, unit: float, target: float | None) -> Row:
        value = measure(timed(operation, count), repeats, seconds).seconds * unit
        said = "reported" if target is None else f"< {target:g}"
        name = "ms" if unit == 1e3 else "µs"
        return Row(what, value, name, said, None if target is None else value < target)

    memory = live_mib(live) * LIVE / live
    calls = call_us(repeats, seconds)
    middle = sorted(calls.values())[len(calls) // 2]
    slowest = max(calls, key=lambda name: calls[name])
    env, fresh = made(), iter(range(60_000, 10**9))
    env.reset(options={"task_id": TASK})
    standard = [action_text(call) for call in env.task.standard.calls]
    for action in standard:
        env.step(action)

    def whole() -> None:
        env.reset(options={"task_id": TASK})
        for action in standard:
            env.step(action)

    def again() -> None:
        env.reset(options={"task_id": TASK})

    def anew() -> None:
        env.reset(options={"task_id": f"wealth-g-{next(fresh)}"})

    def saved() -> None:
        env.restore(env.snapshot())

    note = f"{len(calls)} tools; the slowest is {slowest} with {calls[slowest]:.0f} µs"
    rows = [Row("a tool call, median of the tools", middle, "µs", f"< {MAX_CALL_US:g}", middle < MAX_CALL_US, note)]
    rows += [
        row("a snapshot and its restore", saved, 50, 1e6, MAX_SNAPSHOT_US),
        row("a verdict", lambda: env.office.judge(env.task, env.episode.desk), 20, 1e6, None),
        row(
            "a reset of an office that was made before",
            lambda: env.reset(options={"task_id": TASK}),
            20,
            1e3,
            MAX_RESET_MS,
        ),
        row("a reset of a new office", anew, 5, 1e3, None),
        row(f"an episode of {len(standard)} steps", whole, 5, 1e3, None),
    ]
    note = f"measured with {live}"
    rows.append(Row(f"{LIVE} live offices", memory, "MiB", f"< {MAX_LIVE_MIB:g}", memory < MAX_LIVE_MIB, note))
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=json_file, metavar="FILE", help="write the figures to this file, too")
    parser.add_argument("--repeats", type=int, default=5, help="bracketed repeats of each measurement (default 5)")
    parser.add_argument("--seconds", type=float, default=0.1, help="counted seconds of each repeat (default 0.1)")
    parser.add_argument("--live", type=int, default=LIVE, help=f"offices to measure memory with (default {LIVE})")
    options = parser.parse_args(arguments)
    if options.repeats < 1 or options.seconds <= 0 or options.live < 1:
        parser.error("--repeats and --live must be at least 1, and --seconds greater than 0")
    rows = rows_of(options.repeats, options.seconds, options.live)
    show(rows)
    if options.json:
        figures = {"environment": environment(), "rows": [row._asdict() for row in rows]}
        options.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0 if all(row.met is not False for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
