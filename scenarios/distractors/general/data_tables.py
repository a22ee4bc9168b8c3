"""CSV and JSON functions of the catalogue."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from teller_gym.base.errors import invalid

_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
_BRACKET_OR_STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{\]}]', re.DOTALL)
_MAX_DEPTH = 20


def read_csv(text: str, delimiter: str, argument: str) -> dict[str, Any]:
    """Parse CSV text into header and rows, dropping blank lines and spaces around cells."""
    source = io.StringIO(text.replace("\r\n", "\n"), newline="")
    try:
        read = list(csv.reader(source, delimiter=_DELIMITERS[delimiter], strict=True))
    except csv.Error as error:
        raise invalid(argument, f"expected CSV text, got a mistake in it: {error}") from None
    lines = [[cell.strip() for cell in line] for line in read if any(cell.strip() for cell in line)]
    header = lines[0] if lines else []
    if not header or "" in header or len(set(header)) < len(header):
        raise invalid(argument, f"expected a first line with a different name for every column, got {header}")
    for number, row in enumerate(lines[1:], 1):
        if len(row) != len(header):
            raise invalid(argument, f"expected {len(header)} cells in every row, got {len(row)} in row {number}")
    return {"header": header, "rows": lines[1:]}


def write_csv(lines: list[list[str]], delimiter: str) -> str:
    """Return rows of cells as CSV text, without a final line end."""
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=_DELIMITERS[delimiter], lineterminator="\n").writerows(lines)
    return buffer.getvalue().removesuffix("\n")


def read_json(text: str, argument: str) -> Any:
    """Parse a JSON text with at most 20 levels of nesting."""
    depth = deepest = 0
    for match in _BRACKET_OR_STRING.findall(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match, 0)
        deepest = max(deepest, depth)
    if deepest > _MAX_DEPTH:
        raise invalid(argument, f"expected at most {_MAX_DEPTH} levels, got {deepest}")
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise invalid(argument, f"expected JSON, got a mistake in it: {error}") from None


def is_object(value: Any) -> bool:
    """Return True if the value is a JSON object."""
    return isinstance(value, dict)


def json_at(value: Any, path: str) -> list[Any]:
    """Return a list with the value at a dotted path, empty if there is none; numbers index lists."""
    for step in path.split("."):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and re.fullmatch("[0-9]{1,4}", step) and int(step) < len(value):
            value = value[int(step)]
        else:
            return []
    return [value]


def flat_json(value: Any, separator: str, depth: int) -> list[dict[str, str]]:
    """Flatten a JSON value into rows of path and JSON text; levels below ``depth`` stay together."""
    rows = _leaves(value, separator, depth, "")
    return [{"path": path, "value": msgspec.json.encode(item).decode()} for path, item in rows]


def _leaves(value: Any, separator: str, depth: int, path: str) -> Iterator[tuple[str, Any]]:
    steps: list[tuple[str, Any]] = []
    if depth and isinstance(value, dict | list):
        steps = list(value.items()) if isinstance(value, dict) else [(str(i), item) for i, item in enumerate(value)]
    if not steps:
        yield path, value
    for name, item in steps:
        yield from _leaves(item, separator, depth - 1, f"{path}{separator}{name}" if path else name)
