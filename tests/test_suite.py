"""The suite itself: no test hangs, no process grows without a word, and the time is printed by room."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

HANGS = r"""
import re, threading

def test_a_match_that_never_ends():
    re.search(r"^(\*(?:[\d.]{2,}|:*?){2,}(?:\*|:*?){2,}(?:[\d.]{2,}|:*?){2,})$", "*" + "1" * 80 + "x")

def test_a_lock_that_nobody_frees():
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()

def test_the_next_one():
    pass
"""


def pytest_of(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_XDIST")}
    environment |= {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    plugins = ["-p", "no:cacheprovider", "-p", "xdist.plugin", "-p", "pytest_timeout"]
    command = [sys.executable, "-m", "pytest", "--rootdir", str(folder), *plugins, *options, str(folder)]
    return subprocess.run(
        command, cwd=folder, env=environment, text=True, capture_output=True, timeout=120, check=False
    )


@pytest.mark.slow
def test_a_test_that_hangs_fails_and_the_next_one_runs(tmp_path: Path) -> None:
    """By the method that the suite's own settings name, in a worker as `make test` has them."""
    own = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]
    assert 60 <= own["timeout"] <= 900
    (tmp_path / "test_hangs.py").write_text(HANGS, "utf-8")
    done = pytest_of(tmp_path, "-n", "1", "--timeout=2", f"--timeout-method={own['timeout_method']}")
    assert "2 failed, 1 passed" in done.stdout and "Timeout" in done.stdout and "2" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("bound", "status"), [(30.0, 0), (0.01, 1)])
def test_time_is_printed_by_room_and_a_process_too_large_fails_the_run(
    tmp_path: Path, bound: float, status: int
) -> None:
    (tmp_path / "conftest.py").write_text(f"import tests.by_room as by_room\nby_room.MOST_GB = {bound}\n", "utf-8")
    for room in ("one", "two"):
        (tmp_path / "own" / room).mkdir(parents=True)
        (tmp_path / "own" / room / f"test_{room}.py").write_text("def test_it():\n    pass\n", "utf-8")
    done = pytest_of(tmp_path, "-n", "2", "--dist", "loadfile", "-p", "tests.by_room")
    lines = done.stdout.splitlines()
    assert {line.split()[0] for line in lines if line.endswith("s") and " tests " in line} == {"one", "two", "all"}
    assert any(line.startswith("memory at most: gw0 0.") and "gw1 0." in line for line in lines)
    assert done.returncode == status
    assert ("FAILED: gw1 had 0." in done.stdout) == bool(status)
