"""Error classes in two families: errors that an agent reads, and errors that people see."""

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
    """Reasons why a step of an agent failed; evaluations report the share of each."""

    MALFORMED = "malformed"
    """The action contains something that looks like a call but is not a single JSON object with name and arguments."""
    UNKNOWN_TOOL = "unknown_tool"
    VALIDATION = "validation"
    """A missing or unknown argument, a value outside a range or enumeration, an id that does not exist."""
    TYPE = "type"
    """Wrong JSON type, or content that cannot be read as its type, such as the date 2026-02-31."""
    ORDER = "order"
    """A call made before the calls that it depends on."""
    TEMPORARY = "temporary"
    """The tool did not answer, and nothing was done; never counted as a mistake of the agent."""
    CRASH = "crash"
    """A bug of ours: the tool crashed on these arguments, and nothing was done. It counts as a failed call; otherwise
    an agent could provoke it to exclude its episode from the means."""
    BUDGET = "budget"
    """The episode ran out of steps."""


class ErrorInfo(NamedTuple):
    """Error in ``info["error"]``, readable like a dictionary; ``dict(error)`` converts it to one.

    In JSON it is the list ``[kind, message, field]``. It is not a dictionary because Gymnasium's vector environments
    merge dictionaries key by key and fail when one environment has an error and another has None.
    """

    kind: str
    message: str
    field: str | None

    def keys(self) -> tuple[str, ...]:
        return self._fields

    def __getitem__(self, name: Any) -> Any:
        if isinstance(name, str):
            if name not in self._fields:
                raise KeyError(name)
            return getattr(self, name)
        return tuple.__getitem__(self, name)

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return a field, or the default if there is no field of that name."""
        return getattr(self, name) if name in self._fields else default


class ToolError(Exception):
    """An error that the agent reads as the result of its call.

    Args:
        kind: category under which the failure is counted.
        message: what was expected, what came, what to do.
        field: argument that the error concerns, if it concerns one.
        tool: name in the call, if it could be read; a tool of that name need not exist.
    """

    def __init__(self, kind: ErrorKind, message: str, field: str | None = None, tool: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.field = field
        self.tool = tool

    def info(self) -> ErrorInfo:
        """Return the error for ``info["error"]``."""
        return ErrorInfo(self.kind.value, self.message, self.field)

    def to_dict(self) -> dict[str, str | None]:
        """Return the error as a dictionary, for the tool result."""
        return dict(self.info())


class CrashError(ToolError):
    """A crash of our own code on an agent's action; ``message`` is for the agent, ``str()`` for people.

    Args:
        what: tool or other code that crashed.
        fault: exception that it raised.
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
    """Base class of the errors that people see, as opposed to agents."""


class OptionError(TellerError, ValueError):
    """An option, id or setting that does not exist; the message names what is allowed."""


class SettingsError(OptionError):
    """A configuration with one or more mistakes.

    Args:
        problems: one line for each mistake: dotted key, what was expected, what came.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class MissingExtraError(TellerError, ImportError):
    """Raised when a part of the package is used without its optional dependencies.

    Args:
        what: the part, worded as the subject of a sentence.
        extra: extra that installs its dependencies.
    """

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs packages that are not installed: run  {install_hint(extra)}")


def install_command(*extras: str) -> str:
    """Return the command that installs extras, in a clone or for the installed package."""
    source = "-e '." if is_clone() else "'teller-gym"
    return f"pip install {source}[{','.join(extras)}]'"


def install_hint(*extras: str) -> str:
    """Return the install command for a message, with the folder to run it in."""
    return install_command(*extras) + ("  in the clone" if is_clone() else "")


def is_clone() -> bool:
    """Return True if the package is imported from a clone, whether installed in editable mode or not installed."""
    return (Path(__file__).resolve().parents[2] / "setup.cfg").is_file()


class InfrastructureError(TellerError):
    """A failure of our own code or of the machine during an episode, which is marked invalid instead of scored."""


OF_THE_MACHINE = (MemoryError, OSError, ImportError, InfrastructureError)
"""Errors caused by the machine or by our own code, not by a tool or its arguments."""


class StorageError(TellerError):
    """Data could not be written to disk; the message says which file, what is safe, and what to do."""


class PausedError(TellerError):
    """A signal ended the work after it was saved; the message says what is saved and how to continue."""


class ScenarioError(TellerError):
    """A contradiction between a scenario's documents, or with its code; found when it is loaded or checked."""


class IdClashError(ScenarioError):
    """Two records of a case's standard result share an id; happens once in a million cases, which are drawn again."""


def invalid(field: str, message: str) -> ToolError:
    """Return the error for an argument with an invalid value; the message says what was expected and what came."""
    return ToolError(ErrorKind.VALIDATION, f"{field}: {message}", field)
