"""Simulates a disk that fails, or a process that dies, at the n-th request to the system."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from teller_gym.base import files

ASKED = ("open", "write", "fsync", "replace", "ftruncate", "close", "unlink")
"""Counted requests: all by which `teller_gym.base.files` changes a disk."""


class Killed(BaseException):
    """Simulates `kill -9`: the process writes nothing more to the disk."""


class FaultyDisk:
    """Replaces the module `os`.

    Args:
        place: number, from 0, of the request that fails.
        number: errno of the error that is raised; None to kill the process.
        lasting: True if all later requests that need space fail too, as on a full disk.
    """

    def __init__(self, place: int, number: int | None, lasting: bool = False) -> None:
        self._place, self._number, self._lasting = place, number, lasting
        self.asked = 0
        self._open: set[int] = set()

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in ASKED:
            return real

        def request(*arguments: Any, **options: Any) -> Any:
            place, self.asked = self.asked, self.asked + 1
            if place < self._place or (place > self._place and self._number is not None and not self._lasting):
                found = real(*arguments, **options)
                if name == "open":
                    self._open.add(found)
                elif name == "close":
                    self._open.discard(arguments[0])
                return found
            if self._number is None:
                if place == self._place and name == "write":
                    real(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
                raise Killed
            if name in ("close", "ftruncate", "unlink"):
                real(*arguments, **options)  # these free their resources even when they fail
                if self._lasting:
                    return None
            elif name == "write" and place == self._place:
                real(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
            raise OSError(self._number, os.strerror(self._number))

        return request

    def end(self) -> None:
        """Close all open files, as the system does when a process dies, which also releases its locks."""
        for file in self._open:
            with suppress(OSError):
                os.close(file)

    @property
    def reached(self) -> bool:
        """True if the failing request was made."""
        return self.asked > self._place


@contextmanager
def faulty_disk(place: int, number: int | None = errno.ENOSPC, lasting: bool = False) -> Iterator[FaultyDisk]:
    """Make a request of `teller_gym.base.files` to the system fail within the block; see `FaultyDisk`."""
    disk: Any = FaultyDisk(place, number, lasting)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "os", disk)
        try:
            yield disk
        finally:
            if number is None:
                disk.end()
