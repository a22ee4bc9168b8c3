"""Termination of a command and all its child processes on Ctrl-C or SIGTERM, with a single message.

A signal raises KeyboardInterrupt in the main thread, so that context managers release their resources. If that takes
longer than ``PATIENCE_S`` or the time set by ``take_time``, for example in library code, a second thread ends the
process; a second signal ends it immediately. Data reported as stored is on disk and survives even kill -9. Work that
saves its state (`teller_gym.base.orderly`) handles the first SIGTERM or SIGUSR1.
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
"""Seconds that running work has to end by itself after a signal."""

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGUSR1") if hasattr(signal, name))
_NUDGE: int | None = getattr(signal, "SIGURG", None) if hasattr(signal, "pthread_kill") else None
"""Signal that wakes the main thread from a system call; ignored by default, and not available on Windows."""

_LOOK_S = 0.05
"""Seconds between two checks of the main thread by the watching thread."""


class _State:
    """Signal handling state of this process.

    Attributes:
        note: text to print after "interrupted".
        patience: maximum seconds from the signal to the end.
        number: number of the signal that the main thread has received.
        told: lock that is taken when the message is printed.
    """

    def __init__(self) -> None:
        self.note = ""
        self.patience = PATIENCE_S
        self.number: int | None = None
        self.told = threading.Lock()


_state = _State()


def note(text: str) -> None:
    """Set the note to print if the command is interrupted, such as which results are stored and how to continue."""
    _state.note = text


def noted() -> str:
    """Return the interruption message, without the program's name."""
    return "; ".join(filter(None, ("interrupted", _state.note)))


def take_time(seconds: float) -> None:
    """Set the seconds that running work may take after a signal; a second signal still ends it immediately."""
    _state.patience = seconds


def is_ending() -> bool:
    """Return True if a signal is ending this process."""
    return _state.number is not None


@contextlib.contextmanager
def ending_soon() -> Iterator[None]:
    """Make signals end the whole process while the block runs.

    For use by the program, not by Python callers. After a signal the block does not return: the process exits with code
    130 or 143.
    """
    reading, writing = os.pipe()
    if hasattr(os, "set_blocking"):  # Python 3.11 on Windows lacks it and does not need it
        os.set_blocking(writing, False)
    # Signals that the parent, such as a shell starting a background job, has set to be ignored stay ignored.
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
            signal.signal(number, signal.SIG_DFL)  # which ends the process without a traceback
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
    """Print an exception from a finalizer or weak reference callback, unless it is the KeyboardInterrupt of a signal.

    Python swallows exceptions there, so the main thread continues until ``_watch`` ends the process.
    """
    if not (is_ending() and issubclass(fault.exc_type, KeyboardInterrupt)):
        sys.__unraisablehook__(fault)


def _watch(reading: int, heard: list[signal.Signals]) -> None:
    """Wait for a signal and end the process if it does not end in time.

    The system writes signals into a pipe even while the main thread runs library code.
    """
    main = threading.main_thread().ident
    assert main is not None  # it has started
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
            # The signal may have arrived just before the main thread blocked on input, or in another thread.
            signal.pthread_kill(main, _NUDGE)
        time.sleep(min(left, _LOOK_S))
    _end(code[0])


def _end(number: int) -> None:
    """End the process and its children, and print the message only once."""
    # Every caller does this, since another thread or an outer frame may only have stopped the children so far.
    with contextlib.suppress(OSError, ValueError):
        _end_children()
    if _state.told.acquire(blocking=False):
        with contextlib.suppress(OSError):
            os.write(2, f"teller-gym: {noted()}\n".encode(errors="replace"))
        if threading.current_thread() is threading.main_thread():
            # In another thread this could block while the main thread writes to a pipe that is not read any more.
            with contextlib.suppress(Exception):
                sys.stdout.flush()
    else:
        time.sleep(0.2)  # another thread or an outer frame is printing the message
    # Skips the interpreter's shutdown, which waits for threads and lets libraries write to stderr.
    os._exit(128 + number)


def _end_children() -> None:
    """Kill this process's descendants, except those in another session, such as a web browser.

    On Windows, which has no sessions, Ctrl-C reaches them directly, and worker pools end with this process.
    """
    if not hasattr(os, "getsid"):
        return
    own, session = os.getpid(), os.getsid(os.getpid())
    found: list[int] = []
    # They are stopped first, so that none starts another process in the meantime.
    while new := [process for process in _descendants(own) if process not in found]:
        found += new
        _send(signal.SIGSTOP, new, session)
    _send(signal.SIGKILL, found, session)


def _descendants(parent: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if entry.isdecimal():
            with contextlib.suppress(OSError):  # the process may have ended
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
