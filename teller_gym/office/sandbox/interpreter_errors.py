"""Errors of the interpreter as the faults that agents read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from teller_gym.office.sandbox import advice
from teller_gym.office.sandbox.limits import MIB, RunLimits
from teller_gym.office.sandbox.outcome import (
    CALL_LIMIT,
    CODE_LIMIT,
    CRASH,
    MEMORY_LIMIT,
    TIME_LIMIT,
    UNSUPPORTED,
    Fault,
)

if TYPE_CHECKING:
    from pydantic_monty import MontyError

_MOST: Final = 1000
"""Maximum number of characters of a message."""

_KIND: Final = re.compile(r"[\w.]+")
_CODE: Final = ("<python-input-1>", "code.py")
"""The interpreter's names of the code; other lines belong to the prelude, to eval, or to reading the result."""

_INTERNAL: Final = "Internal error in monty"


def unfit(code: str, limits: RunLimits) -> Fault | None:
    """Return the reason not to run code, or None."""
    if len(code) > limits.code:
        return Fault(CODE_LIMIT, advice.limit("code", length=len(code), most=limits.code))
    try:
        code.encode()
    except UnicodeEncodeError as error:
        return Fault("SyntaxError", advice.limit("text", position=error.start + 1))
    return None


def fault_of(error: MontyError, limits: RunLimits) -> Fault:
    """Return an error as an agent reads it; equal errors give equal faults."""
    from pydantic_monty import MontyCrashedError, MontyRuntimeError, MontySyntaxError

    if isinstance(error, MontyCrashedError):
        return _time_limit(limits) if error.timed_out else Fault(CRASH, advice.limit("crash"))
    if not isinstance(error, MontyRuntimeError | MontySyntaxError):
        return Fault(CRASH, advice.limit("crash"))
    named = _KIND.match(error.display("type-msg"))
    kind, said, line = named[0] if named else "Exception", error.display("msg"), _line(error)
    # The interpreter's own texts on limits hold measured times and sizes, which differ from run to run.
    if kind == "TimeoutError" and "time limit exceeded" in said:
        return _time_limit(limits)
    if kind == "MemoryError" and "memory limit" in said:
        return Fault(MEMORY_LIMIT, advice.limit("memory", mib=limits.memory / MIB), line)
    if kind == "RuntimeError" and said.startswith("suspension limit"):
        return Fault(CALL_LIMIT, advice.limit("calls", calls=limits.host_calls), line)
    if kind == "RuntimeError" and said.startswith(_INTERNAL):
        cause = said.removeprefix(_INTERNAL).lstrip(": ")
        return Fault(UNSUPPORTED, _cut(advice.limit("internal", said=_cut(cause))), line)
    if kind == "NotImplementedError" and ("support" in said or "monty" in said):
        return Fault(UNSUPPORTED, _cut(advice.feature(said)), line)
    return Fault(kind, _cut(advice.missing(kind, said)), line)


def _time_limit(limits: RunLimits) -> Fault:
    return Fault(TIME_LIMIT, advice.limit("time", seconds=limits.seconds))


def _line(error: Any) -> int | None:
    """Return the line of the innermost call in the code itself."""
    lines = [frame.line for frame in error.traceback() if frame.filename in _CODE]
    return lines[-1] if lines else None


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else text[: _MOST - 1] + "…"
