"""One line of JSON for each request: service, method, path, status and the bytes of the answer's body."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

import msgspec

from teller_gym.base.files import BINARY, disk

log = logging.getLogger(__name__)


class _Line(msgspec.Struct):
    service: str
    method: str | None
    path: str | None
    status: int
    bytes: int


class AccessLog:
    """A file that lines are added to, even after a torn one. Queries and headers are left out: they may hold keys.

    It is for people and their tools; the office never reads it.

    Raises:
        StorageError: the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with disk(path, "nothing was lost"):
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | BINARY, 0o600)
        self._fails = False
        self._torn = _is_torn(path)

    def write(self, service: str, method: str | None, path: str | None, status: int, size: int) -> None:
        """Add a line; method and path are None for invalid HTTP. A full disk costs lines only."""
        line = msgspec.json.encode(_Line(service, method, path, status, size)) + b"\n"
        if self._torn:
            line = b"\n" + line
        try:
            written = os.write(self._file, line)
        except OSError as error:
            if not self._fails:
                log.warning("%s is not written: %s; requests are answered all the same", self._path, error.strerror)
            self._fails = True
        else:
            self._fails = False
            self._torn = written < len(line)

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):
            os.close(self._file)


def _is_torn(path: Path) -> bool:
    """Return True if a file ends in the middle of a line, as after a killed process or a full disk."""
    with suppress(OSError):
        if path.is_file() and path.stat().st_size:
            with path.open("rb") as file:
                file.seek(-1, os.SEEK_END)
                return file.read(1) != b"\n"
    return False
