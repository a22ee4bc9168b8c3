"""Access log with one line of JSON per request: service, method, path, status and response body size in bytes."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

import msgspec

from teller_gym.base.files import BINARY, disk

log = logging.getLogger(__name__)


class AccessLog:
    """A log file for people and their tools, which the office never reads.

    Queries and headers are left out, since they may contain keys.

    Raises:
        StorageError: the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with disk(path, "nothing was lost"):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, 0o600)
            if os.fstat(self._file).st_size:
                os.lseek(self._file, -1, os.SEEK_END)
                if os.read(self._file, 1) != b"\n":  # a killed process left half a line
                    os.write(self._file, b"\n")

    def write(self, service: str, method: str, path: str, status: int, size: int) -> None:
        """Add a line.

        On a write error only the line is lost.
        """
        line = {"service": service, "method": method, "path": path, "status": status, "bytes": size}
        try:
            os.write(self._file, msgspec.json.encode(line) + b"\n")
        except OSError as error:
            log.warning("%s is not written: %s; requests are answered all the same", self._path, error.strerror)

    def close(self) -> None:
        with suppress(OSError):
            os.close(self._file)
