"""Limits and outcomes of code runs."""

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
    """Limits of one code run.

    Attributes:
        seconds: maximum time of the code itself in seconds, without file functions. The process is killed a second
            later.
        memory: maximum size of the code's own data in bytes.
        host_calls: maximum number of file function calls, blocked system calls, and look-ups of unknown names.
        output: maximum length of the printed text, and of the result as JSON, in characters.
        recursion: maximum depth of calls, at most 1,000.
        code: maximum length of the code in characters.
        file_bytes: maximum number of bytes that one call reads or writes.
        moved_bytes: maximum number of bytes that a run reads and writes in total.
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
    """Reason for an interrupted run.

    Attributes:
        kind: name of the exception, such as ``ValueError``; if code cannot catch it, ``TimeLimit``, ``MemoryLimit``,
            ``CallLimit``, ``CodeLimit``, ``Unsupported`` (a missing feature of Python) or ``Crash``.
        message: the problem and, if known, advice.
        line: line of the code, counted from 1; None if no single line is at fault.
    """

    kind: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a code run.

    Files written before an error remain written.

    Attributes:
        result: the last expression's value in JSON's types, or None; if truncated, the beginning of its JSON as text.
        printed: text printed to standard output and standard error.
        error: reason for an interrupted run, or None.
        printed_truncated: True if ``printed`` is truncated.
        result_truncated: True if ``result`` is truncated.
    """

    result: Any = None
    printed: str = ""
    error: Fault | None = None
    printed_truncated: bool = False
    result_truncated: bool = False
