"""Processes forked from a test: one that may be killed, or two that train together without a launcher."""

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from accelerate.state import AcceleratorState

from teller_gym.training.launch.launch import free_port

PATIENCE_S = 120
"""Seconds after which a test of two processes counts as hanging."""


def forked(work: Callable[[], int]) -> int:
    """Call a function in a forked process; return its exit code, negative for the signal that ended it."""
    process = os.fork()
    if process == 0:
        signal.alarm(300)
        try:
            os._exit(work())
        except BaseException:
            traceback.print_exc()
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


class Ended(NamedTuple):
    """Ends of the processes: exit codes, negative for a signal, and the output of each on stderr."""

    codes: list[int]
    errors: list[str]


def pair(work: Callable[[], int | None], folder: Path, count: int = 2) -> Ended:
    """Call a function, which may return an exit code, in the processes of one launch; when one is killed, all are.

    Their output on stderr goes to files in the folder.
    """
    port = free_port()
    notes = [folder / f"stderr-{rank}" for rank in range(count)]
    processes: list[int] = []
    for rank in range(count):
        process = os.fork()
        if process == 0:
            _be(rank, count, port, notes[rank], work)
        processes.append(process)
    return Ended(_wait(processes), [note.read_text() for note in notes])


def _be(rank: int, count: int, port: int, note: Path, work: Callable[[], int | None]) -> None:
    """Run one of the processes to its end."""
    signal.alarm(PATIENCE_S)
    names = ("RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
    values = (rank, rank, count, count, "127.0.0.1", port)
    os.environ.update({name: str(value) for name, value in zip(names, values, strict=True)})
    # The test process may have trained by itself.
    AcceleratorState._reset_state(reset_partial_state=True)
    sys.stderr = note.open("w", buffering=1)
    try:
        code = work() or 0
    except BaseException:
        traceback.print_exc()
        code = 99
    os._exit(code)


def _wait(processes: list[int]) -> list[int]:
    codes: dict[int, int] = {}
    while len(codes) < len(processes):
        for process in processes:
            if process not in codes:
                ended, status = os.waitpid(process, os.WNOHANG)
                if ended:
                    codes[process] = os.waitstatus_to_exitcode(status)
                    assert codes[process] != -signal.SIGALRM, "it hung"
        if -signal.SIGKILL in codes.values():
            for process in set(processes) - set(codes):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.02)
    return [codes[process] for process in processes]
