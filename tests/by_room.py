"""Pytest plugin that prints time by room and memory by process, and fails a run above the memory limit.

A room is a folder of `tests/`. Under pytest-xdist each worker measures itself, and the controller prints the tables.
"""

import contextlib
import ctypes
import gc
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Generator, Mapping
from pathlib import Path, PurePosixPath

import pytest

MOST_GB = 3.0
"""Maximum resident memory of a process of the suite, in gigabytes (10^9 bytes)."""
KEPT_GB = 1.0
"""Memory in gigabytes above which a process returns memory to the system after each test file."""
MADE_GB = 0.1
"""Minimum growth in gigabytes that is shown."""

_seconds: dict[str, float] = defaultdict(float)
"""Seconds spent in set-up, test and tear-down, by file."""
_tests: Counter[str] = Counter()
_peaks: dict[str, float] = {}
"""Peak memory in gigabytes, by process."""
_grown: dict[str, float] = defaultdict(float)
"""Growth of the processes' peak memory during a file's tests, in gigabytes."""


def room_of(path: str) -> str:
    """Return the folder of a test file given by its path within the repository; files directly in `tests` are `tests`.

    >>> room_of("tests/office/files/test_paths.py")
    'office'
    """
    parts = PurePosixPath(path).parts
    return parts[1] if len(parts) > 2 else parts[0]


def peak_gb() -> float:
    """Return the peak resident memory of this process in gigabytes; 0 if the system does not report it (Windows)."""
    try:
        import resource
    except ModuleNotFoundError:
        return 0.0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Return memory to the system after a file's last test, if the process uses much."""
    if (nextitem is None or nextitem.path != item.path) and _now_gb() > KEPT_GB:
        gc.collect()
        # Training on a CPU makes the C library keep freed memory (`teller_gym.agents.sampling.keep_memory`).
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL("libc.so.6").malloc_trim(0)


def _now_gb() -> float:
    """Return the resident memory of this process in gigabytes; 0 if the system does not report it."""
    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_text("utf-8").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e9
    return 0.0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Record the memory of the process that ran a test in the report, which xdist sends to the controller."""
    report = yield
    report.memory = (os.environ.get("PYTEST_XDIST_WORKER", "this process"), peak_gb())  # type: ignore[attr-defined]
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add a test's time and memory to the totals of its file and its process."""
    file = report.nodeid.partition("::")[0]
    _seconds[file] += report.duration
    _tests[file] += report.when == "call"
    process, peak = getattr(report, "memory", ("", 0.0))
    if process:
        _grown[file] += max(0.0, peak - _peaks.get(process, peak))
        _peaks[process] = max(peak, _peaks.get(process, 0.0))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run if a process was too large; only the controller does this."""
    if too_large() and "PYTEST_XDIST_WORKER" not in os.environ and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print time and memory by room, or by file if only one room ran; for a single file, only too large processes."""
    if len(_seconds) > 1:
        rooms = {file: room_of(file) for file in _seconds}
        names = rooms if len(set(rooms.values())) > 1 else {file: PurePosixPath(file).name for file in _seconds}
        terminalreporter.section("time and memory by room")
        for line in _table(names):
            terminalreporter.write_line(line)
    for process in too_large():
        terminalreporter.write_line(
            f"FAILED: {process} had {_peaks[process]:.2f} GB, more than {MOST_GB:g} GB; see the table for the "
            "rooms that made it grow, and run one on its own for its files",
            red=True,
        )


def _table(names: Mapping[str, str]) -> list[str]:
    """Return a line for each group of files, slowest first, one for the total, and one for the processes."""
    seconds: dict[str, float] = defaultdict(float)
    tests: Counter[str] = Counter()
    grown: dict[str, float] = defaultdict(float)
    for file, name in names.items():
        seconds[name] += _seconds[file]
        tests[name] += _tests[file]
        grown[name] += _grown[file]
    width = max(map(len, seconds))
    lines = [
        f"{name:<{width}} {tests[name]:6} tests {taken:8.1f} s"
        + (f" {grown[name]:6.2f} GB more" if grown[name] >= MADE_GB else "")
        for name, taken in sorted(seconds.items(), key=lambda one: -one[1])
    ]
    told = ", ".join(f"{process} {gb:.2f} GB" for process, gb in sorted(_peaks.items()))
    return [
        *lines,
        f"{'all':<{width}} {tests.total():6} tests {sum(seconds.values()):8.1f} s",
        f"memory at most: {told} (bound {MOST_GB:g} GB)",
    ]


def too_large() -> list[str]:
    """Return the processes that exceeded the memory limit."""
    return [process for process, gb in sorted(_peaks.items()) if gb > MOST_GB]
