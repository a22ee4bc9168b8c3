"""Worker processes: order of results, errors, and that none is left behind."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children
from pathlib import Path

import pytest

from teller_gym.base.workers import AHEAD, in_order, workers

REPO = Path(__file__).parents[2]


def double(number: int) -> int:
    time.sleep(0.01 * (5 - number % 5))
    return 2 * number


def fails(number: int) -> int:
    if number == 3:
        raise ValueError(f"{number} is not wanted")
    return number


def dies(number: int) -> int:
    if number == 2:
        os._exit(7)
    return number


def test_results_come_in_the_order_of_the_parts() -> None:
    taken: list[int] = []

    def parts() -> object:
        for number in range(20):
            taken.append(number)
            yield number

    with workers(2) as pool:
        found = in_order(pool, 2, double, parts())  # type: ignore[arg-type]
        assert next(found) == 0
        # No more parts are submitted, so that results do not accumulate.
        assert len(taken) == 2 * AHEAD
        assert [0, *found] == [2 * number for number in range(20)]


def test_an_error_comes_in_its_turn_and_ends_the_processes() -> None:
    before, got = set(active_children()), []
    with pytest.raises(ValueError, match="3 is not wanted"), workers(2) as pool:
        got += list(in_order(pool, 2, fails, range(3)))
        list(in_order(pool, 2, fails, range(20)))
    assert got == [0, 1, 2]
    deadline = time.monotonic() + 20
    while set(active_children()) - before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not set(active_children()) - before


def test_a_process_that_dies_is_told() -> None:
    with pytest.raises(BrokenProcessPool), workers(2) as pool:
        list(in_order(pool, 2, dies, range(6)))


@pytest.mark.skipif(not hasattr(os, "setpgid"), reason="needs groups of processes")
def test_workers_do_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from teller_gym.base.workers import workers\n"
        "def wait(name):\n"
        "    part = Path(name + '.part'); part.write_text(str(os.getpid())); part.rename(name)\n"
        "    time.sleep(600)\n"
        "if __name__ == '__main__':\n"
        "    with workers(1) as pool:\n"
        "        pool.submit(wait, sys.argv[1]).result()\n",
        encoding="utf-8",
    )
    note = tmp_path / "pid"
    parent = subprocess.Popen(
        [sys.executable, str(script), str(note)], cwd=REPO, env={**os.environ, "PYTHONPATH": str(REPO)}
    )
    deadline = time.monotonic() + 60
    while not note.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    worker = int(note.read_text(encoding="utf-8"))
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    while time.monotonic() < deadline:
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            break
        # A zombie keeps its process id until its new parent has read its exit status.
        stat = Path(f"/proc/{worker}/stat")
        if stat.exists() and stat.read_text().rsplit(")", 1)[1].split()[0] == "Z":
            break
        time.sleep(0.1)
    else:
        pytest.fail("the worker lives on")
