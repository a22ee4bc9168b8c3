"""A signal that asks for an orderly end: work that can save itself takes it first, and ends by itself.

    with ends_itself() as wish:
        while not wish.came:
            work()  # in steps; finished steps are saved before the block ends

The signal handler calls `ask`, and proceeds as usual if nobody takes it.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

POLITE: tuple[int, ...] = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGUSR1") if hasattr(signal, name))
"""Signals that schedulers send some time before they kill, Slurm according to ``--signal``. Windows has no SIGUSR1."""


class Wish:
    """A request to end, and the signal that made it."""

    def __init__(self) -> None:
        self.number: int | None = None

    @property
    def came(self) -> bool:
        """True if a signal asked for the end."""
        return self.number is not None


_wishes: list[Wish] = []
"""Wishes of the work under way, innermost last."""


@contextlib.contextmanager
def ends_itself() -> Iterator[Wish]:
    """Take the first polite signal while the block lasts, if this process passes signals on to `ask`."""
    _wishes.append(Wish())
    try:
        yield _wishes[-1]
    finally:
        _wishes.pop()


def at_work() -> bool:
    """Return True if there is work that takes a polite signal."""
    return bool(_wishes)


def ask(number: int) -> bool:
    """Ask the work under way to end; False if there is none that takes the signal, or it was asked before."""
    if number not in POLITE or not _wishes or _wishes[-1].came:
        return False
    _wishes[-1].number = number
    return True
