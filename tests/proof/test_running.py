"""Tests of checks that crash, end their process or are interrupted."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from teller_gym.proof.registry import Check
from teller_gym.proof.report import ProofItem, item
from teller_gym.proof.running import Result, run_all, run_check

REPO = Path(__file__).parents[2]


def fine() -> ProofItem:
    return item("fine", "all is well", "1 of 1", [])


def leaves() -> ProofItem:
    raise SystemExit(3)


def dies() -> ProofItem:
    os._exit(7)


def waits(folder: str, number: int) -> ProofItem:
    """Start a child process, write both process ids to a file, and wait."""
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    note = Path(folder, f"{number}.part")
    note.write_text(f"{os.getpid()} {other.pid}", encoding="utf-8")
    note.rename(Path(folder, str(number)))
    time.sleep(600)
    return fine()


def found(checks: dict[str, Check], processes: int) -> dict[str, list[ProofItem]]:
    told: list[str] = []

    def done(job: str, result: Result) -> None:
        told.append(job)

    results = run_all(checks, list(reversed(checks)), processes, done)
    assert sorted(told) == sorted(checks)
    assert list(results) == list(checks)
    return results


def test_a_check_that_leaves_is_a_failed_claim() -> None:
    (failed,), _ = run_check("leaves", leaves)
    assert not failed.passed
    assert failed.problems[0].startswith("SystemExit: 3 (")


def test_a_check_that_ends_its_process_is_a_failed_claim_and_the_others_go_on() -> None:
    results = found({"a": fine, "b": dies, "c": leaves, "d": fine}, 2)
    assert {name: one.passed for name, (one,) in results.items()} == {"a": True, "b": False, "c": False, "d": True}
    assert results["b"][0].problems == ("it ended the process that it ran in",)


def test_no_checks_at_all() -> None:
    assert found({}, 2) == {}


def main(folder: str) -> None:
    """Run checks until interrupted, then print so."""
    try:
        run_all({str(n): partial(waits, folder, n) for n in range(3)}, ["0", "1", "2"], 2, lambda job, result: None)
    except KeyboardInterrupt:
        print("interrupted")


def running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")
def test_ctrl_c_ends_all_processes(tmp_path: Path) -> None:
    script = f"from tests.proof.test_running import main\nif __name__ == '__main__':\n    main({str(tmp_path)!r})"
    (tmp_path / "interrupted.py").write_text(script, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    command = [sys.executable, str(tmp_path / "interrupted.py")]
    # In a new session, the signal reaches all its processes, like Ctrl-C in a terminal.
    run = subprocess.Popen(
        command, cwd=REPO, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    try:
        while not all((tmp_path / name).exists() for name in "01"):
            assert run.poll() is None
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGINT)
        told, _ = run.communicate(timeout=60)
    finally:
        run.kill()
    assert told.decode() == "interrupted\n"
    started = [int(pid) for name in "01" for pid in (tmp_path / name).read_text(encoding="utf-8").split()]
    assert len(started) == 4
    for pid in started:
        while running(pid):
            time.sleep(0.05)
