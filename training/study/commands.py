"""Running a command of the package in a folder of its own: one thread, its output in a log, its time added up."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from teller_gym.base.files import write_whole

RESULT_FILE = "result.json"
SECONDS_FILE = "cpu_seconds.json"
_LAST_WORDS = 2000
"""Characters of a log that an error shows."""

_starting = threading.Lock()
_live: list[subprocess.Popen[bytes]] = []
"""Commands that run now; changed under the lock."""


def train(name: str, folder: Path, words: Sequence[str]) -> Path:
    """Train in ``folder/run``, or do what is missing of it; return the folder, which then has ``result.json``.

    Args:
        name: what the run is called when something is told of it.
        folder: is made if it is missing; ``log.txt`` and ``cpu_seconds.json`` of all calls are kept there.
        words: of ``teller-gym``; they set ``run_dir`` to ``folder/run``.

    Raises:
        RuntimeError: the command ended with an error; the message has its last words.
    """
    if not (folder / RESULT_FILE).exists():
        run(name, folder, ["teller_gym.cli", *words], f"teller-gym {' '.join(words)}")
        # Whole or not at all: it says that the run is finished.
        write_whole(folder / RESULT_FILE, (folder / "run" / RESULT_FILE).read_bytes())
    return folder


def run(name: str, folder: Path, words: Sequence[str], told: str) -> None:
    """Run ``python -m`` with these words on one thread, and wait for its end; see `train` for the folder and errors.

    Args:
        name: of what is run.
        folder: for the log and the time.
        words: a module and its arguments.
        told: the command in the words of a person.
    """
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{name}: {told}", flush=True)
    with (folder / "log.txt").open("a", encoding="utf-8") as log:
        with _starting:
            command = subprocess.Popen(
                [sys.executable, "-m", *words],
                stdout=log,
                stderr=subprocess.STDOUT,
                env=os.environ | {"OMP_NUM_THREADS": "1"},
                process_group=0,  # Ctrl-C comes to us alone, and we end it
            )
            _live.append(command)
        seconds = _wait(command)
        with _starting:
            _live.remove(command)
    times = folder / SECONDS_FILE
    spent = json.loads(times.read_text("utf-8")) if times.exists() else 0.0
    times.write_text(json.dumps(round(spent + seconds, 1)), "utf-8")
    if command.returncode:
        last = (folder / "log.txt").read_text("utf-8", "replace")[-_LAST_WORDS:]
        raise RuntimeError(f"{name} ended with {command.returncode}: {last}")


def _wait(command: subprocess.Popen[bytes]) -> float:
    """Wait for a command; return its CPU seconds, or its wall time if the system does not report them."""
    if not hasattr(os, "wait4"):
        began = time.monotonic()
        command.wait()
        return time.monotonic() - began
    _, status, used = os.wait4(command.pid, 0)
    command.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def end_with_children() -> None:
    """Let Ctrl-C and SIGTERM end this process at once, with every command that it runs; for the program itself.

    What the commands have written is kept: they survive any kill.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    _starting.acquire()  # never given back: nothing is to start any more
    for command in _live:
        with contextlib.suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(command.pid, signal.SIGKILL)
            else:
                command.kill()
    os.write(2, b"interrupted; the same command continues\n")
    os._exit(128 + number)
