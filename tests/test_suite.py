"""The test suite itself: hanging tests fail, large processes fail the run, and time is printed by room."""

import os
import shutil
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
    """The test uses the suite's own timeout method in an xdist worker, as `make test` does."""
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


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(
    ("there", "marks", "told"),
    [
        (("chromium", "chromedriver", "litmus", "rclone", "cadaver"), "", ()),
        (("chromium", "litmus", "rclone", "cadaver"), "not browser", ("tests in a browser",)),
        (("chromium", "chromedriver", "rclone"), "not webdav_clients", ("they need litmus cadaver ",)),
        ((), "not browser and not webdav_clients", ("tests in a browser", "they need litmus rclone cadaver ")),
    ],
)
def test_make_test_says_what_a_machine_cannot_run(
    tmp_path: Path, there: tuple[str, ...], marks: str, told: tuple[str, ...]
) -> None:
    for name in ("sh", "bash", "make", "python3", "test", "echo", "sed", "env"):
        (tmp_path / name).symlink_to(shutil.which(name) or sys.exit(f"{name} is missing"))
    for name in there:
        (tmp_path / name).write_text("#!/bin/sh\n", "utf-8")
        (tmp_path / name).chmod(0o755)
    # All set-up steps are marked as done, so that only the test commands are shown and run.
    done = [word for name in ("python", "torch", "train", "serve", "dev") for word in ("-o", f"venv/.ready-{name}")]
    command = ["make", "--no-print-directory", "-n", *done, "VENV=venv", "test"]
    shown = subprocess.run(
        command, cwd=ROOT, env={"PATH": str(tmp_path)}, capture_output=True, encoding="utf-8", check=True
    ).stdout
    assert f'-m "{marks}" ' in shown
    lines = "\n".join(line for line in shown.splitlines() if "NOT RUN" in line)
    said = subprocess.run(["sh", "-c", lines], capture_output=True, encoding="utf-8", check=True).stdout.splitlines()
    assert len(said) == len(told)
    assert all(line.startswith("NOT RUN: ") and words in line for line, words in zip(said, told, strict=True))


def test_files_with_long_tests_come_first(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_bytes((ROOT / "tests" / "conftest.py").read_bytes())
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow: long\naddopts = --strict-markers\n", "utf-8")
    (tmp_path / "test_a.py").write_text("def test_one(): pass\n", "utf-8")
    long = "import pytest\ndef test_two(): pass\n@pytest.mark.slow\ndef test_three(): pass\n"
    (tmp_path / "test_b.py").write_text(long, "utf-8")
    done = pytest_of(tmp_path, "--collect-only", "-q", "-p", "_hypothesis_pytestplugin")
    names = [line.rpartition("::")[2] for line in done.stdout.splitlines() if "::" in line]
    assert names == ["test_two", "test_three", "test_one"]
