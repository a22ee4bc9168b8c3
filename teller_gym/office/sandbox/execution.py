"""Runs a model's Python code with access only to the office's files."""

from __future__ import annotations

import ast
import json
from datetime import datetime
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from teller_gym.base.errors import MissingExtraError
from teller_gym.office.sandbox.faults import crash, fault_of, refusal, unfit
from teller_gym.office.sandbox.files import FileFunctions, Files
from teller_gym.office.sandbox.outcome import Fault, Outcome, RunLimits
from teller_gym.office.sandbox.pool import pool

if TYPE_CHECKING:
    from pydantic_monty import (
        ExternalException,
        ExternalReturnValue,
        MontyComplete,
        OSPolicy,
        ResourceLimits,
        SyncSnapshot,
    )

_LIMITS = RunLimits()

_PRELUDE: Final = "<python-input-0>"
"""Name that the interpreter gives to the first code it receives."""

_OFFICE: Final = "_office_"
"""Host function called by the prelude."""

_RESULT: Final = "_result_"
"""Name to which the value of the code's last expression is assigned."""

_CALL: Final = b'_office_("'
"""Beginning of the prelude's calls. Other calls come from code that has replaced one of the prelude's functions."""


def run_python(code: str, files: Files, limits: RunLimits = _LIMITS, *, now: datetime, seed: int = 0) -> Outcome:
    """Run code and return its outcome, which includes the code's errors.

    The code can call ``read_text(path, encoding=None)``, ``read_csv(path, delimiter=None, encoding=None)`` (a list of
    dicts of texts), ``write_text(path, text)``, ``write_csv(path, rows, columns=None)`` and ``list_files(path="/")``.
    Equal arguments and files give equal outcomes in any process, unless a run comes close to the time limit. Several
    threads may run code at the same time.

    Args:
        code: the model's code.
        files: the office's files.
        limits: limits of the run.
        now: time of all clocks, in UTC.
        seed: seed of ``random``.

    Raises:
        MissingExtraError: the extra ``office`` is not installed.
        InfrastructureError: this process was forked from one that had run code.
        Exception: an error of the office in a method of ``files``; see `Files`.
    """
    problem = unfit(code, limits)
    if problem is not None:
        return Outcome(error=problem)
    workers = pool()
    from pydantic_monty import MontyError

    functions = FileFunctions(files, limits)
    printed = _Printed(limits.output)
    source, has_result = _kept(code)
    found = ""
    error: Fault | None = None
    try:
        with workers.checkout(script_name="code.py", limits=_limits(limits), os_policy=_policy(now, seed)) as session:
            _drive(session.feed_start(_prelude(), print_callback=printed), functions)
            # The value that a feed ends with is ignored; see `_drive`.
            _drive(session.feed_start(source, print_callback=printed), functions)
            if has_result and functions.fault is None:
                # The code may have redefined the names in it, but an f-string is always text.
                last = f'f"{{_json_({_RESULT}, {limits.output})}}"'
                found = _drive(session.feed_start(last, print_callback=printed), functions).output
    except MontyError as raised:
        error = fault_of(raised, limits)
    except _StuckError:
        error = crash()
    except FileNotFoundError as raised:
        # The program is needed when a worker starts, not when the pool is created.
        raise MissingExtraError("running Python code in the office", "office") from raised
    if functions.fault is not None:
        raise functions.fault
    result, truncated = _read(found, limits.output) if found and error is None else (None, False)
    return Outcome(result, printed.text(), error, printed.truncated, truncated)


def _drive(snapshot: SyncSnapshot, functions: FileFunctions) -> MontyComplete:
    """Answer the requests of running code until it ends.

    Only texts are accepted from the code, since other values may be traps: nested tuples that contain each element
    twice
    take years to hash. Call arguments are therefore read only where the prelude makes the call, with texts.
    """
    from pydantic_monty import FunctionSnapshot, MontyComplete, NameLookupSnapshot

    while not isinstance(snapshot, MontyComplete):
        ours = snapshot.position.filename == _PRELUDE
        if isinstance(snapshot, NameLookupSnapshot):
            known = ours and snapshot.variable_name == _OFFICE and snapshot.object_id is None
            snapshot = snapshot.resume(value=_office_) if known else snapshot.resume()
        elif not isinstance(snapshot, FunctionSnapshot):
            raise _StuckError
        elif snapshot.is_os_function and "import" in snapshot.function_name:
            # A missing module, which the interpreter's own error reports.
            snapshot = snapshot.resume_not_handled()
        elif snapshot.is_os_function:
            answer = PermissionError(refusal(snapshot.function_name))
            snapshot = snapshot.resume({"exception": answer})
        elif not ours or not _prelude().encode()[snapshot.position.start :].startswith(_CALL):
            snapshot = snapshot.resume({"exception": NameError("this function is not for code to call")})
        else:
            snapshot = snapshot.resume(_answer(functions, snapshot.args))
    return snapshot


def _answer(functions: FileFunctions, texts: tuple[str, ...]) -> ExternalReturnValue | ExternalException:
    try:
        return {"return_value": functions.call(*texts)}
    except (OSError, ValueError, TypeError) as error:
        return {"exception": error}


def _office_(*_: str) -> None:
    """Placeholder in the interpreter for the function that the prelude calls.

    `_drive` answers the calls.
    """


@cache
def _prelude() -> str:
    return resources.files(__package__).joinpath("prelude.txt").read_text(encoding="utf-8")


def _read(text: str, most: int) -> tuple[Any, bool]:
    """Return the value of a JSON text and False, or the beginning of the text and True.

    The latter applies to a text that is too long or not JSON.
    """
    if len(text) > most:
        return text[:most], True
    try:
        return json.loads(text), False
    except (ValueError, RecursionError):
        return text, True


class _StuckError(Exception):
    """A run that waits for an event that cannot happen."""


class _Printed:
    """Collects the beginning of the printed text and discards the rest."""

    def __init__(self, most: int) -> None:
        self.left = most
        self.truncated = False
        self._parts: list[str] = []

    def __call__(self, stream: str, text: str) -> None:
        """Collect output of either stream."""
        self.truncated = self.truncated or len(text) > self.left
        if self.left:
            self._parts.append(text[: self.left])
            self.left -= len(self._parts[-1])

    def text(self) -> str:
        return "".join(self._parts)


def _limits(limits: RunLimits) -> ResourceLimits:
    return {
        "max_feed_duration_secs": limits.seconds,
        "max_memory": limits.memory,
        "max_recursion_depth": limits.recursion,
        "max_suspensions": limits.host_calls,
    }


def _policy(now: datetime, seed: int) -> OSPolicy:
    return {
        "datetime": now,
        "sleep": "zero",
        "process_time": "zero",
        "random_start": {"seed": seed},
    }


def _kept(code: str) -> tuple[str, bool]:
    """Return code that assigns its last expression to `_RESULT`, and True if there is such an expression.

    Line numbers do not change. Code that this Python cannot parse is returned unchanged: the interpreter reports its
    errors, or runs it without a result if it supports newer syntax.
    """
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return code, False
    if not body or not isinstance(last := body[-1], ast.Expr) or last.end_lineno is None:
        return code, False
    # ast recognises only these line ends, and counts columns in bytes.
    lines = code.replace("\r\n", "\n").replace("\r", "\n").encode().split(b"\n")
    begin = sum(len(line) + 1 for line in lines[: last.lineno - 1]) + last.col_offset
    end = sum(len(line) + 1 for line in lines[: last.end_lineno - 1]) + (last.end_col_offset or 0)
    text = b"\n".join(lines)
    return (text[:begin] + f"{_RESULT} = (".encode() + text[begin:end] + b")" + text[end:]).decode(), True
