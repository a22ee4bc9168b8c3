"""RunLimits of a run."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from teller_gym.base.errors import OptionError

MIB: Final = 1024 * 1024
"""Bytes."""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """RunLimits of one run of code; all are greater than 0.

    Attributes:
        seconds: time for the code itself, without the time that the office's files take. The process is killed a second
            later.
        memory: bytes of the code's own data.
        host_calls: number of calls of file functions, refused system calls, and look-ups of unknown names.
        output: characters of printed text, and of the result as JSON.
        recursion: depth of calls, at most 1,000.
        code: characters of the code.
        file_bytes: bytes that one call reads or writes.
        moved_bytes: bytes that all calls of a run read and write.

    Raises:
        OptionError: a limit that is not greater than 0, or a recursion above 1,000.
    """

    seconds: float = 2.0
    memory: int = 64 * MIB
    host_calls: int = 2000
    output: int = 20_000
    recursion: int = 200
    code: int = 100_000
    file_bytes: int = 4 * MIB
    moved_bytes: int = 64 * MIB

    def __post_init__(self) -> None:
        """Check the limits."""
        for field in fields(self):
            value = getattr(self, field.name)
            if not 0 < value < float("inf"):
                raise OptionError(f"limit {field.name}: expected a number greater than 0, got {value!r}")
        if self.recursion > 1000:
            raise OptionError(f"limit recursion: expected at most 1,000, got {self.recursion}")
