"""The work behind JSON texts: reading them safely, paths, leaves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from teller_gym.scenarios.distractors.general._plain_text import quoted, refuse

# A string that is not closed ends with the text, so that no quote is read twice.
_BRACKET_OR_STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{\]}]', re.DOTALL)
_MAX_DEPTH = 20


def read_json(text: str) -> Any:
    """Return the value of a JSON text that is not nested deeper than 20 times."""
    depth = deepest = 0
    for match in _BRACKET_OR_STRING.findall(text):
        depth += 1 if match in ("[", "{") else -1 if match in ("]", "}") else 0
        deepest = max(deepest, depth)
    if deepest > _MAX_DEPTH:
        raise refuse("json_text", f"expected at most {_MAX_DEPTH} levels, got {deepest}")
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise refuse("json_text", f"expected JSON, got a mistake in it: {error}") from None


def values_at(value: Any, path: str) -> list[Any]:
    """Return the value at a dotted path in a list, an empty list if there is none; numbers are places in lists."""
    for step in path.split("."):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and re.fullmatch("[0-9]{1,4}", step) and int(step) < len(value):
            value = value[int(step)]
        else:
            return []
    return [value]


class JsonLeaf(msgspec.Struct):
    """A path and its value as JSON text."""

    path: str
    value: str


def flatten(value: Any, separator: str, depth: int) -> list[JsonLeaf]:
    """Return all paths with their values; refuse a separator by which two values get the same path."""
    found = list(leaves(value, separator, depth))
    path, copies = Counter(path for path, _ in found).most_common(1)[0]
    if copies > 1:
        raise refuse("separator", f"expected one that keeps paths apart, got {copies} values at {quoted(path)}")
    return [JsonLeaf(path=path, value=msgspec.json.encode(item).decode()) for path, item in found]


def leaves(value: Any, separator: str, depth: int, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the paths and values of what is nested; values below ``depth`` levels stay as they are."""
    steps: list[tuple[str, Any]] = []
    if depth:
        if isinstance(value, dict):
            steps = list(value.items())
        elif isinstance(value, list):
            steps = [(str(place), item) for place, item in enumerate(value)]
    if not steps:
        yield path, value
    for name, item in steps:
        yield from leaves(item, separator, depth - 1, f"{path}{separator}{name}" if path else name)
