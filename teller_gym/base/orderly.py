"""Orderly shutdown on a signal: work that can save itself receives the signal first and ends by itself.

    with ends_itself() as wish:
        while not wish.came:
            work()  # in steps; finished steps are saved before the block ends

The signal handler calls `ask`, and ends the process as usual if that returns False.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

POLITE: tuple[int, ...] = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGUSR1") if hasattr(signal, name))
"""Signals that schedulers send some time before they kill (Slurm: ``--signal``). Windows has no SIGUSR1."""


class Wish:
    """A request to end; ``number`` is the signal that made it, None before there is one."""

    def __init__(self) -> None:
        self.number: int | None = None

    @property
    def came(self) -> bool:
        """True if a signal has asked the work to end."""
        return self.number is not None


_wishes: list[Wish] = []
"""Requests of the blocks that are running, innermost last."""


@contextlib.contextmanager
def ends_itself() -> Iterator[Wish]:
    """Receive the first polite signal during the block, provided that the signal handler calls `ask`."""
    _wishes.append(Wish())
    try:
        yield _wishes[-1]
    finally:
        _wishes.pop()


def at_work() -> bool:
    """Return True if some running work can receive a polite signal."""
    return bool(_wishes)


def ask(number: int) -> bool:
    """Ask the running work to end; return False if none can receive the signal, or it was already asked."""
    if number not in POLITE or not _wishes or _wishes[-1].came:
        return False
    _wishes[-1].number = number
    return True
