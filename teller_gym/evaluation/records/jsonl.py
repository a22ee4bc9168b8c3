"""Robust reading of JSON Lines files, returning every valid line and a description of the damage to others."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn

from teller_gym.base.errors import OptionError

MOST_BYTES = 2**30
"""Maximum size of a line or file in bytes, far more than any episode needs."""
MOST_NESTED = 100
"""Maximum nesting depth. Records have about a dozen levels, and very deep values could not be serialised again."""
CUT_OFF = "it was cut off"
"""Problem reported for a last line whose writing was interrupted."""
_PIECE = 2**20
_SHOWN = 200


class Line(NamedTuple):
    """A non-empty line of a file.

    Attributes:
        number: line number, from 1.
        value: parsed value; None if the line is damaged.
        problem: description of the damage; None for a valid line.
    """

    number: int
    value: Any
    problem: str | None


def read_json(path: Path) -> Any:
    """Read a JSON file.

    Raises:
        OptionError: the file cannot be read.
        ValueError: the content is not JSON as this package writes it; the message says what was expected.
    """
    try:
        with open(path, "rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise cannot_be_read(path, error) from None
    return parse(content)


def lines_of(path: Path) -> Iterator[Line]:
    """Yield a file's non-empty lines, or nothing if the file does not exist.

    Line endings of other systems, a byte order mark and a missing final newline are accepted.

    Raises:
        OptionError: the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            for number, content in enumerate(_raw_lines(file), 1):
                if content is not None and not content.strip():
                    continue
                try:
                    yield Line(number, parse(content), None)
                except ValueError as error:
                    ended = content is None or content.endswith(b"\n")
                    yield Line(number, None, shown(str(error)) if ended else CUT_OFF)
    except FileNotFoundError:
        return
    except OSError as error:
        raise cannot_be_read(path, error) from None


def parse(content: bytes | None) -> Any:
    """Parse JSON.

    Args:
        content: encoded text; None for a text that is too long.

    Raises:
        ValueError: the text is not JSON, or has a value that this package never writes.
    """
    if content is None or len(content) > MOST_BYTES:
        raise ValueError(f"expected at most {MOST_BYTES} bytes")
    content = content.strip(b"\0 \t\r\n")  # a crash may leave zero bytes before a record
    if not content:
        raise ValueError("expected JSON, got zero bytes")
    try:
        text = content.decode("utf-8-sig")
        value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except UnicodeDecodeError:
        raise ValueError("expected UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"expected JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    if _too_deep(value):
        raise ValueError(_TOO_DEEP)
    return value


def shown(text: str) -> str:
    """Shorten text from a file to one line of printable ASCII for a message."""
    one = " ".join(ascii(text)[1:-1].split())
    return one if len(one) <= _SHOWN else one[: _SHOWN - 1] + "…"


def cannot_be_read(path: Path, error: OSError) -> OptionError:
    """Return the error to raise for a file that exists but cannot be read."""
    return OptionError(f"{path} cannot be read: {error.strerror or error}; make it readable, or name another folder")


_TOO_DEEP = f"expected at most {MOST_NESTED} brackets within brackets"


def _raw_lines(file: IO[bytes]) -> Iterator[bytes | None]:
    """Yield each line with its newline, or None for a line that is too long.

    Such a line is skipped in small pieces.
    """
    while line := file.readline(MOST_BYTES + 1):
        if len(line) <= MOST_BYTES:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(_PIECE)
        yield None


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"expected finite numbers, got {name}")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"expected finite numbers, got {text}")
    return value


def _too_deep(value: Any) -> bool:
    level: list[Any] = [[value]]
    for _ in range(MOST_NESTED):
        level = [one for outer in level for one in _inside(outer) if type(one) in (dict, list)]
        if not level:
            return False
    return True


def _inside(value: Any) -> Iterable[Any]:
    return value.values() if type(value) is dict else value
