"""Converts interpreter errors to faults that agents read, with advice from ``advice.yaml``."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import msgspec
import yaml

from teller_gym.office.sandbox.outcome import (
    CALL_LIMIT,
    CODE_LIMIT,
    CRASH,
    MEMORY_LIMIT,
    MIB,
    TIME_LIMIT,
    UNSUPPORTED,
    Fault,
    RunLimits,
)

if TYPE_CHECKING:
    from pydantic_monty import MontyError

_MOST: Final = 1000
"""Maximum length of a message in characters."""

_KIND: Final = re.compile(r"[\w.]+")
_CODE: Final = ("<python-input-1>", "code.py")
"""File names that the interpreter gives to the code. Others belong to the prelude, to eval or to reading the result."""

_INTERNAL: Final = "Internal error in monty"
_NO_MODULE: Final = re.compile(r"No module named '([^']*)'")
_NO_NAME: Final = re.compile(r"name '([^']*)' is not defined")


class Feature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Python feature that the interpreter lacks.

    Attributes:
        says: part of the interpreter's message.
        feature: name of the feature.
        instead: advice.
    """

    says: str
    feature: str
    instead: str


class Advice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of ``advice.yaml``, described by the comments in that file."""

    modules: list[str]
    instead_of_module: dict[str, str]
    instead_of_feature: list[Feature]
    instead_of_name: dict[str, str]
    instead_of_error: dict[str, str]
    refused: dict[str, str]
    limits: dict[str, str]


@cache
def advice() -> Advice:
    """Load the advice from ``advice.yaml``."""
    text = files(__package__).joinpath("advice.yaml").read_text(encoding="utf-8")
    return msgspec.convert(yaml.safe_load(text), Advice)


def _feature(said: str) -> str:
    """Return the message for a missing feature, based on the interpreter's message."""
    found = next((one for one in advice().instead_of_feature if one.says in said), None)
    if found is None:
        named = said.removeprefix("The monty syntax parser does not yet support ").rstrip(".")
        return f"This Python does not have: {named}. Write it in a simpler way."
    return f"This Python does not have {found.feature}. {found.instead}"


def _missing(kind: str, said: str) -> str:
    """Return an exception's message, with advice if a module, a name or a feature is missing."""
    if kind in ("ModuleNotFoundError", "ImportError") and (found := _NO_MODULE.search(said)):
        hint = advice().instead_of_module.get(found[1].partition(".")[0], "")
        return f"{said}. {hint + ' ' if hint else ''}Modules that can be imported: {', '.join(advice().modules)}"
    if kind == "NameError" and (found := _NO_NAME.search(said)):
        hint = advice().instead_of_name.get(found[1], "")
        return f"{said}. {hint}" if hint else said
    hint = next((hint for text, hint in advice().instead_of_error.items() if text in said), "")
    return f"{said}. {hint}" if hint else said


def refusal(function: str) -> str:
    """Return the reason for blocking a system function."""
    return advice().refused.get(function, advice().refused[""])


def unfit(code: str, limits: RunLimits) -> Fault | None:
    """Return the fault of code that is too long or not Unicode, and so is not run, or None for other code."""
    if len(code) > limits.code:
        return Fault(CODE_LIMIT, _limit("code", length=len(code), most=limits.code))
    try:
        code.encode()
    except UnicodeEncodeError as error:
        return Fault("SyntaxError", _limit("text", position=error.start + 1))
    return None


def fault_of(error: MontyError, limits: RunLimits) -> Fault:
    """Convert an interpreter error to a fault.

    Equal errors give equal faults.
    """
    from pydantic_monty import MontyCrashedError, MontyRuntimeError, MontySyntaxError

    if isinstance(error, MontyCrashedError) and error.timed_out:
        return _time_limit(limits)
    if not isinstance(error, MontyRuntimeError | MontySyntaxError):
        return crash()
    named = _KIND.match(error.display("type-msg"))
    kind, said, line = named[0] if named else "Exception", error.display("msg"), _line(error)
    # The interpreter's own messages on limits contain measured times and sizes, which differ between runs.
    if kind == "TimeoutError" and "time limit exceeded" in said:
        return _time_limit(limits)
    if kind == "MemoryError" and "memory limit" in said:
        return Fault(MEMORY_LIMIT, _limit("memory", mib=limits.memory / MIB), line)
    if kind == "RuntimeError" and said.startswith("suspension limit"):
        return Fault(CALL_LIMIT, _limit("calls", calls=limits.host_calls), line)
    if kind == "RuntimeError" and said.startswith(_INTERNAL):
        cause = said.removeprefix(_INTERNAL).lstrip(": ")
        return Fault(UNSUPPORTED, _cut(_limit("internal", said=_cut(cause))), line)
    if kind == "NotImplementedError" and ("support" in said or "monty" in said):
        return Fault(UNSUPPORTED, _cut(_feature(said)), line)
    return Fault(kind, _cut(_missing(kind, said)), line)


def _time_limit(limits: RunLimits) -> Fault:
    return Fault(TIME_LIMIT, _limit("time", seconds=limits.seconds))


def _line(error: Any) -> int | None:
    """Return the line of the innermost call within the code itself, or None if there is none."""
    lines = [frame.line for frame in error.traceback() if frame.filename in _CODE]
    return lines[-1] if lines else None


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else text[: _MOST - 1] + "…"


def crash() -> Fault:
    """Return the fault of a run in which the interpreter crashed."""
    return Fault(CRASH, _limit("crash"))


def _limit(name: str, **values: float | int | str) -> str:
    """Return the message for an exceeded limit or a crash."""
    return advice().limits[name].format(**values)
