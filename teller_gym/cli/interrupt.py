"""Ends a command on Ctrl-C or SIGTERM: soon, with one line, and with every process that it started.

A signal raises KeyboardInterrupt in the main thread, so that blocks close what they opened. Should that take longer
than ``PATIENCE_S``, or than ``take_time`` asked for, because threads, a library's own code or a shutdown keep the main
thread, a second thread ends the process; so does a second signal, at once. Nothing reported as kept is lost: written
data survives kill -9. Work that saves itself (`teller_gym.base.orderly`) takes the first SIGTERM or SIGUSR1.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from teller_gym.base import orderly

PATIENCE_S = 1.0
"""Seconds that work under way has to end by itself after a signal."""

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGUSR1") if hasattr(signal, name))
_NUDGE: int | None = getattr(signal, "SIGURG", None) if hasattr(signal, "pthread_kill") else None
"""Signal that wakes the main thread from a system call; usually unused and ignored, and missing on Windows."""

_LOOK_S = 0.05
"""Seconds between two looks of the second thread at the main thread."""


class _State:
    """Effects of the signals in this process so far.

    Attributes:
        note: what to say beside "interrupted".
        patience: maximum seconds from the signal to the end.
        number: of the signal that came, once the main thread knows of it.
        told: True if the line was written.
    """

    def __init__(self) -> None:
        self.note = ""
        self.patience = PATIENCE_S
        self.number: int | None = None
        self.told = threading.Lock()


_state = _State()


def note(text: str) -> None:
    """Set the note printed when the command is interrupted, such as what is kept and how to continue."""
    _state.note = text


def noted() -> str:
    """Return the line that reports an interruption, without the program's name."""
    return "; ".join(filter(None, ("interrupted", _state.note)))


def take_time(seconds: float) -> None:
    """Give work under way so many seconds to end after a signal; a second signal still ends it at once."""
    _state.patience = seconds


def is_ending() -> bool:
    """Return True if a signal is ending this process, which then reports it."""
    return _state.number is not None


@contextlib.contextmanager
def ending_soon() -> Iterator[None]:
    """Let a signal end the whole process while the block lasts; for the program itself, never for a caller in Python.

    A block that a signal has ended never returns: the process is over with exit code 130 or 143.
    """
    reading, writing = os.pipe()
    if hasattr(os, "set_blocking"):  # Python 3.11 on Windows lacks it and does not need it
        os.set_blocking(writing, False)
    # Ignored means that our parent, such as a shell in the background, wants no end by it.
    heard = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in heard:
        signal.signal(number, _raise)
    nudged = None if _NUDGE is None else signal.signal(_NUDGE, lambda number, frame: None)
    unraisable, sys.unraisablehook = sys.unraisablehook, _tell_of_faults
    threading.Thread(target=_watch, args=(reading, heard), name="interrupt", daemon=True).start()
    try:
        yield
    finally:
        if _state.number is not None:
            _end(_state.number)
        for number in heard:
            signal.signal(number, signal.SIG_DFL)  # from here on it ends the process without a traceback
        if _NUDGE is not None:
            signal.signal(_NUDGE, nudged)
        sys.unraisablehook = unraisable
        signal.set_wakeup_fd(-1)
        os.close(writing)


def _raise(number: int, frame: FrameType | None) -> None:
    if orderly.ask(number):
        with contextlib.suppress(OSError):
            told = f"teller-gym: {signal.Signals(number).name} came; this step is finished and saved before the end"
            os.write(2, f"{told}, another signal ends at once\n".encode())
        return
    first, _state.number = _state.number is None, number
    if first:
        raise KeyboardInterrupt
    _end(number)


def _tell_of_faults(fault: sys.UnraisableHookArgs) -> None:
    """Show an exception of a finalizer or a weak reference's callback, but not our own KeyboardInterrupt in one.

    Python swallows anything raised in those, so that the main thread goes on and ``_watch`` ends the process.
    """
    if not (is_ending() and issubclass(fault.exc_type, KeyboardInterrupt)):
        sys.__unraisablehook__(fault)


def _watch(reading: int, heard: list[signal.Signals]) -> None:
    """Wait for a signal, which the system writes into a pipe even while the main thread is in a library's code."""
    main = threading.main_thread().ident
    assert main is not None  # it has begun
    taken = False
    while code := os.read(reading, 1):
        if not taken and code[0] in orderly.POLITE and orderly.at_work():
            taken = True
        elif code[0] in heard:
            break
    else:
        os.close(reading)
        return
    came = time.monotonic()
    while (left := came + _state.patience - time.monotonic()) > 0:
        if _state.number is None and _NUDGE is not None:
            # The signal may have come just before the main thread began to wait, say for a key, or to another thread.
            signal.pthread_kill(main, _NUDGE)
        time.sleep(min(left, _LOOK_S))
    _end(code[0])


def _end(number: int) -> None:
    """End the process, with all that it started, and say so once."""
    # By everyone who comes here: another thread, or this one below us, may have got no further than stopping them.
    with contextlib.suppress(OSError, ValueError):
        _end_children()
    if _state.told.acquire(blocking=False):
        with contextlib.suppress(OSError):
            os.write(2, f"teller-gym: {noted()}\n".encode(errors="replace"))
        if threading.current_thread() is threading.main_thread():
            # In the other thread it would wait for a main thread that is writing to a reader who has stopped reading.
            with contextlib.suppress(Exception):
                sys.stdout.flush()
    else:
        time.sleep(0.2)  # another thread, or this one below us, is just writing the line
    # No shutdown of the interpreter: it waits for threads, and libraries then write to stderr.
    os._exit(128 + number)


def _end_children() -> None:
    """End the processes below this one, except those that lead a session of their own, such as a person's browser.

    Without sessions, as on Windows, Ctrl-C reaches them directly, and pools of workers end with this process.
    """
    if not hasattr(os, "getsid"):
        return
    own, session = os.getpid(), os.getsid(os.getpid())
    found: list[int] = []
    # Stopped first, so that none starts another one while we look.
    while new := [process for process in _descendants(own) if process not in found]:
        found += new
        _send(signal.SIGSTOP, new, session)
    _send(signal.SIGKILL, found, session)


def _descendants(parent: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if entry.isdecimal():
            with contextlib.suppress(OSError):  # it has ended by now
                above = Path("/proc", entry, "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1]
                children.setdefault(int(above), []).append(int(entry))
    found: list[int] = []
    left = [parent]
    while left:
        below = children.get(left.pop(), [])
        found += below
        left += below
    return found


def _send(number: signal.Signals, processes: list[int], session: int) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.getsid(process) == session:
                os.kill(process, number)
