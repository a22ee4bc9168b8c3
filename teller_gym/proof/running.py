"""Runs the checks in several processes.

The processes end with the command, and a crash counts as a failed claim.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TypeVar

from teller_gym.base.workers import deaf, workers
from teller_gym.proof.registry import Check
from teller_gym.proof.report import ProofItem, item

Result = tuple[list[ProofItem], float]
"""Items and duration in seconds of a check."""
CRASHES = "crashes"
"""Name of the item that lists the tools that crashed during a check."""
J = TypeVar("J", bound=Hashable)


def run_all(
    checks: Mapping[J, Check], order: Sequence[J], processes: int, done: Callable[[J, Result], None]
) -> dict[J, list[ProofItem]]:
    """Run checks and return the items of each.

    They are started in the given order; with one process, they run in this process. ``done`` is called with each
    result.

    Raises:
        KeyboardInterrupt: raised again after all processes have been ended.
    """
    results: dict[J, list[ProofItem]] = {}

    def keep(job: J, result: Result) -> None:
        results[job] = result[0]
        done(job, result)

    lost: list[J] = []
    if processes == 1 or len(checks) <= 1:
        for job, check in checks.items():
            keep(job, run_check(str(job), check))
        return results
    with _pool(min(processes, len(checks)), checks, order) as futures:
        jobs = {future: job for job, future in futures.items()}
        for future in as_completed(jobs):
            try:
                keep(jobs[future], future.result())
            except BrokenProcessPool:
                lost.append(jobs[future])
    for job in lost:
        # One of them killed its process and so broke the pool: run each again in a pool of its own.
        with _pool(1, {job: checks[job]}, [job]) as futures:
            try:
                result = futures[job].result()
            except BrokenProcessPool:
                result = [_crashed(str(job), "it ended the process that it ran in")], 0.0
        keep(job, result)
    return {job: results[job] for job in checks}


def run_check(name: str, check: Check) -> Result:
    """Run a check.

    If the check, an env or a tool crashes, the result is a failed claim with the error.
    """
    import teller_gym  # noqa: F401 - registers the ids, also in a worker process

    started = time.perf_counter()
    with _crashes() as crashes:
        try:
            found = check()
        except (Exception, SystemExit) as error:
            found = _crashed(name, describe(error))
    items = found if isinstance(found, list) else [found]
    if crashes:
        items = [*items, no_crash(sum(crashes.values()), list(crashes))]
    return items, time.perf_counter() - started


def no_crash(count: int, crashes: list[str]) -> ProofItem:
    """Create the item for the claim that no tool crashes, given the number and descriptions of crashes."""
    return item(CRASHES, "no tool crashes", f"{count} crashes", crashes, {"crashes": count})


class _CrashCounter(logging.Handler):
    """Counts tool crashes that an env logs during an episode, by location in the code."""

    def __init__(self) -> None:
        super().__init__()
        self.crashes: dict[str, int] = {}

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            tool = str(record.args[0]) if isinstance(record.args, tuple) and record.args else "a tool"
            line = f"{tool}: {describe(record.exc_info[1])}"
            self.crashes[line] = self.crashes.get(line, 0) + 1


@contextmanager
def _crashes() -> Iterator[dict[str, int]]:
    """Collect tool crashes by location in the code, and keep their tracebacks off stderr."""
    logger, counter = logging.getLogger("teller_gym.envs.episode"), _CrashCounter()
    logger.addHandler(counter)
    before, logger.propagate = logger.propagate, False
    try:
        yield counter.crashes
    finally:
        logger.removeHandler(counter)
        logger.propagate = before


def describe(error: BaseException) -> str:
    """Format an error as one line, with the file and line where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message[:300]}{place}"


def _crashed(name: str, why: str) -> ProofItem:
    return item(name, f"the check {name} runs", "it crashed", [why])


@contextmanager
def _pool(processes: int, checks: Mapping[J, Check], order: Sequence[J]) -> Iterator[dict[J, Future[Result]]]:
    """Yield the checks' futures in the order of ``checks``, and end the processes with the block."""
    with workers(processes) as pool:
        with deaf():
            begun = {job: pool.submit(run_check, str(job), checks[job]) for job in order}
        yield {job: begun[job] for job in checks}
