"""Limits and outcomes of runs of code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

TIME_LIMIT: Final = "TimeLimit"
MEMORY_LIMIT: Final = "MemoryLimit"
CALL_LIMIT: Final = "CallLimit"
CODE_LIMIT: Final = "CodeLimit"
UNSUPPORTED: Final = "Unsupported"
CRASH: Final = "Crash"

MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Limits of one run of code.

    Attributes:
        seconds: time of the code itself, without the time of file functions. The process is killed a second later.
        memory: bytes of the code's own data.
        host_calls: number of calls of file functions, refused system calls, and look-ups of unknown names.
        output: characters of printed text, and of the result as JSON.
        recursion: depth of calls, at most 1,000.
        code: characters of the code.
        file_bytes: bytes that one call reads or writes.
        moved_bytes: bytes that all calls of a run read and write.
    """

    seconds: float = 2.0
    memory: int = 64 * MIB
    host_calls: int = 2000
    output: int = 20_000
    recursion: int = 200
    code: int = 100_000
    file_bytes: int = 4 * MIB
    moved_bytes: int = 64 * MIB


@dataclass(frozen=True, slots=True)
class Fault:
    """Reason why a run ended early.

    Attributes:
        kind: name of the exception, such as ``ValueError``; if code cannot catch it, ``TimeLimit``, ``MemoryLimit``,
            ``CallLimit``, ``CodeLimit``, ``Unsupported`` (a missing feature of Python) or ``Crash``.
        message: the problem and, if known, advice.
        line: line of the code, from 1; None if no single line is at fault.
    """

    kind: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a run of code. Files written before an error stay written.

    Attributes:
        result: the last expression's value in JSON's types, or None; if truncated, the beginning of its JSON as text.
        printed: text printed to standard output and standard error.
        error: reason why the run ended early, or None.
        printed_truncated: True if more was printed than ``printed`` has.
        result_truncated: True if the result was larger than ``result``.
    """

    result: Any = None
    printed: str = ""
    error: Fault | None = None
    printed_truncated: bool = False
    result_truncated: bool = False
