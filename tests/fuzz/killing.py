"""Runs commands and kills them after some time or just before they change a file.

Commands run in child processes of one that has already loaded all libraries, so that they start quickly.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

PATIENCE_S = 300.0
_CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.link", "os.symlink", "os.chmod")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.fuzz.loaded"])


class Ended(NamedTuple):
    """Result of a command.

    Attributes:
        code: exit status, negative if a signal ended it.
        changes: number of changes to the folder; None if the command was killed.
        told: its output.
    """

    code: int
    changes: int | None
    told: str


class _Watch:
    """Audit hook that counts this process's changes to the files of a folder, and kills it before a given one."""

    def __init__(self, folder: str, kill_at: int | None) -> None:
        self._folder = folder
        self._kill_at = kill_at
        self.changes = 0

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if not isinstance(flags, int) or not flags & _WRITING:
                return
        elif event in _CHANGES:
            path = arguments[0]
        else:
            return
        if isinstance(path, str | os.PathLike) and os.fspath(path).startswith(self._folder):
            self.changes += 1
            if self.changes == self._kill_at:
                os.kill(os.getpid(), signal.SIGKILL)


def _child(argv: list[str], folder: str, log: str, kill_at: int | None) -> None:
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(written, stream)
    os.chdir(Path(folder).parent)
    from teller_gym.cli import main

    watch = _Watch(folder, kill_at)
    sys.addaudithook(watch)
    code = main(argv)
    sys.stdout.flush()
    sys.stderr.flush()
    Path(f"{log}.changes").write_text(str(watch.changes))
    os._exit(code)


def run(
    argv: Sequence[str], folder: Path, log: Path, *, kill_at: int | None = None, kill_after: float | None = None
) -> Ended:
    """Run a command of the package.

    Args:
        argv: arguments after `teller-gym`.
        folder: the run folder.
        log: file for the output, outside the folder.
        kill_at: number, from 1, of the change to the folder before which the command is killed.
        kill_after: number of seconds after which the command is killed.
    """
    changes = Path(f"{log}.changes")
    changes.unlink(missing_ok=True)
    process = _context.Process(target=_child, args=(list(argv), str(folder), str(log), kill_at))
    process.start()
    process.join(PATIENCE_S if kill_after is None else kill_after)
    if process.exitcode is None:
        process.kill()
        process.join()
        assert kill_after is not None, f"it takes longer than {PATIENCE_S:.0f} s: {' '.join(argv)}"
    assert process.exitcode is not None
    told = log.read_text("utf-8", "replace") if log.exists() else ""
    return Ended(process.exitcode, int(changes.read_text()) if changes.exists() else None, told)
