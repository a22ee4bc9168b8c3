"""Functions that give code access to the office's files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import msgspec

from teller_gym.office.files.errors import FilesError
from teller_gym.office.files.paths import clean
from teller_gym.office.sandbox import tables
from teller_gym.office.sandbox.outcome import RunLimits

Names = list[str]
"""Names in a folder. This is an alias, since `Files` has a method named ``list``."""

_TABLE: Final = msgspec.json.Decoder(tuple[list[tables.Row], list[str] | None])

_BY_STATUS: Final[dict[int, type[Exception]]] = {
    400: ValueError,
    403: PermissionError,
    404: FileNotFoundError,
}
_MOST: Final = 500
"""Maximum length of a file error's message, in characters."""


class Files(Protocol):
    """Files by the paths that the office's file tools use, such as ``/Finance_Documents/Clients/Okafor/assets.csv``.

    For a path that does not exist or that the agent may not use, methods raise ``FilesError``, which the code can catch
    as ``FileNotFoundError`` and similar exceptions. Any other error is a fault of the office, and `run_python` raises
    it. Calls come one after another, in the thread that called `run_python`.
    """

    def read(self, path: str) -> bytes:
        """Return a file's content."""

    def write(self, path: str, data: bytes) -> None:
        """Create a file, or replace its content."""

    def list(self, path: str) -> Names:
        """Return the paths or names in a folder."""


@dataclass
class FileFunctions:
    """File functions of one run.

    Attributes:
        files: the office's files.
        limits: limits of the run.
        moved: number of bytes read and written so far.
        fault: the office's own error in a call, after which all calls fail; None if there was none.
    """

    files: Files
    limits: RunLimits
    moved: int = 0
    fault: BaseException | None = field(default=None)

    def call(self, name: str, *texts: str) -> Any:
        """Call a prelude function with arguments as texts, which are empty if omitted.

        Raises:
            OSError, ValueError, TypeError: errors that the code can catch.
        """
        path = _path(texts[0])
        if name == "list_files":
            return sorted(str(one) for one in self._asked(self.files.list, path))
        if name == "read_text":
            return tables.lines(tables.decode(self._read(path), texts[1] or None))
        if name == "read_csv":
            try:
                return tables.parse(tables.decode(self._read(path), texts[2] or None), texts[1] or None)
            except ValueError as error:
                raise ValueError(f"{path}: {error}") from None
        data = texts[1].encode() if name == "write_text" else tables.write(*_table(texts[1])).encode()
        self._count(len(data), "write")
        return self._asked(self.files.write, path, data)

    def _read(self, path: str) -> bytes:
        data = bytes(self._asked(self.files.read, path))
        self._count(len(data), "read")
        return data

    def _count(self, size: int, verb: str) -> None:
        if size > self.limits.file_bytes:
            raise OSError(f"one call can {verb} at most {self.limits.file_bytes} bytes; these are {size}")
        if self.moved + size > self.limits.moved_bytes:
            raise OSError(f"a run can read and write at most {self.limits.moved_bytes} bytes in all")
        self.moved += size

    def _asked(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if self.fault is not None:
            raise OSError("the office's files do not answer any more in this run")
        try:
            return function(*arguments)
        except FilesError as error:
            raise _BY_STATUS.get(error.status, OSError)(str(error)[:_MOST]) from None
        except BaseException as error:
            self.fault = error
            raise OSError("the office's files do not answer") from None


def _path(path: str) -> str:
    """Normalise a path.

    Raises:
        ValueError: the path is invalid, such as one with ``..`` in it.
    """
    try:
        return clean(path)
    except FilesError as error:
        raise ValueError(f"{path:.100}: {error}") from None


def _table(text: str) -> tuple[list[tables.Row], list[str] | None]:
    """Decode and validate rows and columns from the prelude, whose functions the code can replace."""
    try:
        return _TABLE.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        raise ValueError("rows: expected a list of dicts or lists") from None
