"""Runs commands of the package on one thread in their own folders, with logs and accumulated CPU time."""

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
"""Number of log characters shown in an error."""

_starting = threading.Lock()
_live: list[subprocess.Popen[bytes]] = []
"""Running commands; changed under the lock."""


def train(name: str, folder: Path, words: Sequence[str]) -> Path:
    """Train in ``folder/run``, or continue there; return the folder, which then has ``result.json``.

    Args:
        name: name of the run in messages.
        folder: folder, made if missing, with ``log.txt`` and ``cpu_seconds.json`` of all calls.
        words: arguments of ``teller-gym``, which set ``run_dir`` to ``folder/run``.

    Raises:
        RuntimeError: the command failed; the message has the end of its log.
    """
    if not (folder / RESULT_FILE).exists():
        run(name, folder, ["teller_gym.cli", *words], f"teller-gym {' '.join(words)}")
        # Written atomically, since its existence means that the run is finished.
        write_whole(folder / RESULT_FILE, (folder / "run" / RESULT_FILE).read_bytes())
    return folder


def run(name: str, folder: Path, words: Sequence[str], told: str) -> None:
    """Run ``python -m`` with arguments on one thread, and wait for its end; see `train` for the folder and errors.

    Args:
        name: name in messages.
        folder: folder for the log and the time.
        words: a module and its arguments.
        told: the command as a user would type it.
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
                process_group=0,  # Ctrl-C reaches only this process, which ends the command
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
    """Let Ctrl-C and SIGTERM end this program at once, with all its running commands.

    Files of the commands are kept: they survive a kill at any time.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    _starting.acquire()  # never released, so that nothing starts any more
    for command in _live:
        with contextlib.suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(command.pid, signal.SIGKILL)
            else:
                command.kill()
    os.write(2, b"interrupted; the same command continues\n")
    os._exit(128 + number)
