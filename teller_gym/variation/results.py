"""Perturbed results, which have equivalent formats, with noise only in texts that no rule reads.

Field names change their style, fields and rows are shuffled, whole numbers lose their decimals, and white space is
added. Values that a rule reads or a call passes on are unchanged.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any

import msgspec

_INDENTS: tuple[dict[str, Any], ...] = ({"separators": (",", ":")}, {"separators": (", ", ": ")}, {"indent": 2})
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def snake(name: str) -> str:
    """Convert a name in any style to snake case."""
    if "_" in name or "-" in name or " " in name or name.isupper():
        return name.replace("-", "_").replace(" ", "_").lower()
    return _CAMEL.sub("_", name).lower()


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    joined = first + "".join(map(str.capitalize, rest))
    # Words that begin with a digit or have a single letter could not be separated again.
    return joined if snake(joined) == name else name


_HEADERS: tuple[Callable[[str], str], ...] = (
    str,
    str.upper,
    lambda name: name.replace("_", " ").title(),
    _camel,
    lambda name: name.replace("_", "-"),
)


@cache
def _remarks() -> tuple[str, ...]:
    text = resources.files("teller_gym.variation").joinpath("remarks.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line)


def perturb(result: str, key: str, tool: str, unread: frozenset[str], renamed: Callable[[str], str] = str) -> str:
    """Rewrite a tool's result in an equivalent format.

    Args:
        result: JSON of an object.
        key: random key; results with the same key have the same style of names and white space.
        tool: name of the tool, which determines the order of rows and fields.
        unread: names of text fields that no rule reads and that may receive noise.
        renamed: maps a field to its name in a shifted schema.
    """
    draw = random.Random(f"perturb/{key}").random
    written = _HEADERS[int(draw() * len(_HEADERS))]
    layout = _INDENTS[int(draw() * len(_INDENTS))]
    rng = random.Random(f"perturb/{key}/{tool}")
    found: dict[str, Any] = msgspec.json.decode(result)

    def header(name: str) -> str:
        return renamed(name) if written is str else written(snake(renamed(name)))

    return json.dumps(_object(found, header, unread, rng), ensure_ascii=False, **layout)


def _object(
    value: Mapping[str, Any], header: Callable[[str], str], unread: frozenset[str], rng: random.Random
) -> dict[str, Any]:
    names = sorted(value, key=lambda _: rng.random())
    return {
        header(name): _noisy(value[name], rng)
        if name in unread and isinstance(value[name], str)
        else _value(value[name], header, unread, rng)
        for name in names
    }


def _value(value: Any, header: Callable[[str], str], unread: frozenset[str], rng: random.Random) -> Any:
    if _is_table(value):
        rows = sorted(value, key=lambda _: rng.random())
        return [_object(row, header, unread, rng) for row in rows]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _is_table(value: Any) -> bool:
    # The keys of other mappings are data, such as names of codes, and must not change.
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _noisy(text: str, rng: random.Random) -> str:
    remarks = _remarks()
    remark = remarks[int(rng.random() * len(remarks))]
    return f"{text}  {remark}" if rng.random() < 0.5 else f"{remark} {text}"


def rename_fields(record: Mapping[str, Any], new: Callable[[str], str]) -> dict[str, Any]:
    """Rename the fields of a result and of the rows of its tables."""
    return {
        new(name): [rename_fields(row, new) for row in item] if _is_table(item) else item
        for name, item in record.items()
    }


def plain(value: Any) -> Any:
    """Convert the field names of a perturbed result back to snake case."""
    return rename_fields(value, snake) if isinstance(value, dict) else value
