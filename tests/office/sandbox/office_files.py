"""Files in memory for runs of code."""

from collections.abc import Mapping
from datetime import datetime

from teller_gym.office.files.errors import FilesError
from teller_gym.office.sandbox import Outcome, RunLimits, run_python

NOW = datetime(2026, 3, 2, 9, 30)


class MemoryFiles:
    """Files in a dict; /Private is forbidden, and reading /broken raises an unexpected error."""

    def __init__(self, content: Mapping[str, bytes] | None = None) -> None:
        self.content = dict(content or {"/a.csv": b'\xef\xbb\xbfname;amount\r\nOkafor;"1.200,50"\r\n'})

    def read(self, path: str) -> bytes:
        if path.startswith("/Private"):
            raise FilesError(403, f"{path} is not yours")
        if path == "/broken":
            raise ZeroDivisionError("a fault of the office")
        if path not in self.content:
            raise FilesError(404, f"no file at {path}")
        return self.content[path]

    def write(self, path: str, data: bytes) -> None:
        self.content[path] = data

    def list(self, path: str) -> list[str]:
        return list(self.content)


def run(code: str, files: MemoryFiles | None = None, limits: RunLimits | None = None) -> Outcome:
    return run_python(code, files or MemoryFiles(), limits or RunLimits(), now=NOW)


def kind(code: str, limits: RunLimits | None = None) -> str:
    """Run code and return the kind of its error, or an empty text."""
    error = run(code, limits=limits).error
    return error.kind if error else ""
