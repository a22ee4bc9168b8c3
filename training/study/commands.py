"""Runs the package's commands on one thread in their own folders, with logs, CPU time and the processor's name."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

RESULT_FILE = "result.json"
SECONDS_FILE = "cpu_seconds.json"
_LAST_WORDS = 2000
"""Number of log characters shown in an error."""

_starting = threading.Lock()
_live: list[subprocess.Popen[bytes]] = []
"""Running commands, changed only under the lock."""


def run(name: str, folder: Path, words: Sequence[str], told: str) -> None:
    """Run ``python -m`` with arguments on one thread, and wait for its end.

    The folder gets ``log.txt``, and ``cpu_seconds.json`` with the total time of all calls. ``told`` is the command as a
    user would type it.

    Raises:
        RuntimeError: the command failed; the message has the end of its log.
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
        _, status, used = os.wait4(command.pid, 0)
        command.returncode = os.waitstatus_to_exitcode(status)
        with _starting:
            _live.remove(command)
    times = folder / SECONDS_FILE
    spent = json.loads(times.read_text("utf-8")) if times.exists() else 0.0
    times.write_text(json.dumps(round(spent + used.ru_utime + used.ru_stime, 1)), "utf-8")
    if command.returncode:
        last = (folder / "log.txt").read_text("utf-8", "replace")[-_LAST_WORDS:]
        raise RuntimeError(f"{name} ended with {command.returncode}: {last}")


def end_with_children() -> None:
    """Make Ctrl-C and SIGTERM end this program immediately, with all its running commands.

    The commands' files are kept; they survive a kill at any time.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    _starting.acquire()  # never released, so that nothing starts any more
    for command in _live:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(command.pid, signal.SIGKILL)
    os.write(2, b"interrupted; the same command continues\n")
    os._exit(128 + number)


def processor() -> str:
    """Return the processor's name, vector instructions and number of cores.

    The vector instructions determine the last bits of sums.
    """
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    lines = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    fields = {key.strip(): value.strip() for key, value in lines.items()}
    flags = fields.get("flags", "").split()
    vectors = "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else "no AVX2"
    return f"{fields.get('model name', platform.machine())}, {vectors}, {os.cpu_count()} cores"
