"""The error vocabulary: what an agent may read as an error, and what is a user's or our own mistake, are two kinds."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

_SAID = 300
"""Maximum characters of a crash's message in reports."""


class ErrorKind(StrEnum):
    """Reasons why a step of an agent failed; the kinds that the error shares of an evaluation count."""

    MALFORMED = "malformed"
    """The action holds something that looks like a call but is not one JSON object with a name and arguments."""
    UNKNOWN_TOOL = "unknown_tool"
    VALIDATION = "validation"
    """A missing or unknown argument, a value outside a range or enumeration, an id that does not exist."""
    TYPE = "type"
    """Wrong JSON type, or content that cannot be read as its type, such as the date 2026-02-31."""
    ORDER = "order"
    """A call before those that it depends on."""
    TEMPORARY = "temporary"
    """The tool did not answer, and nothing was done; no mistake of the agent, and never counted as one."""
    CRASH = "crash"
    """A defect of ours: the tool crashed on these arguments, and nothing was done. It counts as a failed call, since
    else an agent could take its episode out of the means."""
    BUDGET = "budget"
    """The episode ran out of steps."""


class ErrorInfo(NamedTuple):
    """An error as ``info["error"]`` carries it: read it like a dictionary, and write ``dict(error)`` to get one.

    In JSON it is the list ``[kind, message, field]``. It is no dictionary, because Gymnasium's vector environments
    merge dictionaries key by key and fail when one environment has an error and another has None.
    """

    kind: str
    message: str
    field: str | None

    def keys(self) -> tuple[str, ...]:
        """Return the names of the fields."""
        return self._fields

    def __getitem__(self, name: Any) -> Any:
        if isinstance(name, str):
            if name not in self._fields:
                raise KeyError(name)
            return getattr(self, name)
        return tuple.__getitem__(self, name)

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return a field, or the default if there is none of that name."""
        return getattr(self, name) if name in self._fields else default


class ToolError(Exception):
    """An error that the agent reads as the result of its call.

    Args:
        kind: the class the failure is counted under.
        message: what was expected, what came, what to do.
        field: the argument it is about, if it is about one.
        tool: name of the tool that was called, where the call got that far; there need not be such a tool.
    """

    def __init__(self, kind: ErrorKind, message: str, field: str | None = None, tool: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.field = field
        self.tool = tool

    def info(self) -> ErrorInfo:
        """Return the form that ``info["error"]`` carries."""
        return ErrorInfo(self.kind.value, self.message, self.field)

    def to_dict(self) -> dict[str, str | None]:
        """Return the form that the tool result carries."""
        return dict(self.info())


class CrashError(ToolError):
    """A crash of our own code on an agent's action: the agent reads that its call failed, people read the crash.

    Args:
        what: the tool that crashed, or other code that did.
        fault: the exception that it raised.
    """

    def __init__(self, what: str, fault: Exception) -> None:
        super().__init__(ErrorKind.CRASH, f"{what} failed on this call, and nothing was done; call it otherwise")
        self.what = what
        self.fault = fault

    def __str__(self) -> str:
        frames = traceback.extract_tb(self.fault.__traceback__)
        place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
        said = " ".join(str(self.fault).split())[:_SAID]
        return f"{self.what}: {type(self.fault).__name__}: {said}{place}".encode(errors="replace").decode()


class TellerError(Exception):
    """Base of every error that people, not agents, see."""


class OptionError(TellerError, ValueError):
    """An option, id or setting that does not exist; the message names what is allowed."""


class SettingsError(OptionError):
    """A configuration with one mistake or several.

    Args:
        problems: one line each: the dotted key, what was expected, what came.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class MissingExtraError(TellerError, ImportError):
    """Raised when a part of the package is used without its optional dependencies.

    Args:
        what: the part, as the subject of a sentence.
        extra: the extra that installs its dependencies.
    """

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs packages that are not installed: run  {install_hint(extra)}")


def install_command(*extras: str) -> str:
    """Return the command that installs extras, for a clone or for the installed package."""
    source = "-e '." if is_clone() else "'teller-gym"
    return f"pip install {source}[{','.join(extras)}]'"


def install_hint(*extras: str) -> str:
    """Return the same command worded for a message, with the folder to run it in."""
    return install_command(*extras) + ("  in the clone" if is_clone() else "")


def is_clone() -> bool:
    """Return True if the package is used from its sources, installed in editable mode or not at all."""
    return (Path(__file__).resolve().parents[2] / "setup.cfg").is_file()


class InfrastructureError(TellerError):
    """Our own code or the machine failed during an episode; never scored, the episode is marked invalid."""


OF_THE_MACHINE = (MemoryError, OSError, ImportError, InfrastructureError)
"""Errors that a tool of ours may raise through no fault of its own, nor of the arguments it was called with."""


class StorageError(TellerError):
    """A disk did not take the data; the message says what was to be written, what is safe, and what to do."""


class PausedError(TellerError):
    """A signal asked for the end, and the work was saved first; the message says what is saved, and how to go on."""


class ScenarioError(TellerError):
    """A scenario's documents contradict each other or its code; found when it is loaded or checked."""


class IdClashError(ScenarioError):
    """Two records of a case's standard result have the same id: about one case in a million; another is drawn."""


def invalid(field: str, message: str) -> ToolError:
    """Return the error for an argument whose value cannot be; the message says what was expected and what came."""
    return ToolError(ErrorKind.VALIDATION, f"{field}: {message}", field)
