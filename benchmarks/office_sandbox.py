"""Duration of runs of agents' Python: the first, later ones, one that reads a file; and the calculator.

    python -m benchmarks.office_sandbox            # the table, medians
    python -m benchmarks.office_sandbox --runs 500

The first run is that of a fresh Python, from the call on: it imports the interpreter and starts its first worker. Needs
the extra `office`. Run nothing else meanwhile.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from teller_gym.office.sandbox import calculate, run_python

FIRST = """
import time
from benchmarks.office_sandbox import OneFile
from teller_gym.office.sandbox import run_python
start = time.perf_counter()
run_python("1 + 1", OneFile())
print(time.perf_counter() - start)
"""

ROWS = 100
"""Rows of the file that is read."""


class OneFile:
    """An office with one file."""

    content = b"name,amount\n" + b"Okafor,1896.20\n" * ROWS

    def read(self, path: str) -> bytes:
        """Return the file, for any path."""
        return self.content

    def write(self, path: str, data: bytes) -> None:
        """Take nothing."""

    def list(self, path: str) -> list[str]:
        """Return the one path."""
        return ["/a.csv"]


def median_ms(operation: Callable[[], object], runs: int) -> float:
    """Return the median of so many runs, in milliseconds."""
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        operation()
        found.append(time.perf_counter() - start)
    return statistics.median(found) * 1e3


def first_ms(repeats: int) -> float:
    """Return the median time of a fresh process's first run, in milliseconds."""
    command = [sys.executable, "-c", FIRST]
    found = [
        float(subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout) for _ in range(repeats)
    ]
    return statistics.median(found) * 1e3


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200, help="runs of each kind (default 200)")
    parser.add_argument("--repeats", type=int, default=5, help="fresh processes for the first run (default 5)")
    options = parser.parse_args(arguments)
    files = OneFile()
    run_python("1", files)
    rows = [
        ("first run", first_ms(options.repeats)),
        ("later run", median_ms(lambda: run_python("1 + 1", files), options.runs)),
        (f"run that reads {ROWS} rows", median_ms(lambda: run_python("len(read_csv('/a.csv'))", files), options.runs)),
        ("calculation", median_ms(lambda: calculate("round(100000 * (1 + 0.05 / 12) ** 360, 2)"), options.runs)),
    ]
    for name, milliseconds in rows:
        print(f"{name:<28}{milliseconds:>10.3f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
