"""Perturbed data: results written in other, equivalent ways, with noise only in texts that no rule reads.

Headers change case (as those of tables do from system to system), fields and rows change places, whole numbers lose
their decimals, white space grows. Values that a rule reads or that a call takes over stay as they are.
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


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


_HEADERS: tuple[Callable[[str], str], ...] = (
    str,
    str.upper,
    lambda name: name.replace("_", " ").title(),
    _camel,
    lambda name: name.replace("_", "-"),
)


@cache
def _remarks() -> tuple[str, ...]:
    text = resources.files("teller_gym").joinpath("remarks.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line)


def perturb(result: str, key: str, tool: str, unread: frozenset[str]) -> str:
    """Return a tool's result written in another, equivalent way.

    Args:
        result: JSON of an object.
        key: what the way is drawn from; headers and white space are the same for all results of a key.
        tool: the same tool's rows and fields change places in the same way.
        unread: names of text fields that no rule reads; only they get noise.
    """
    draw = random.Random(f"perturb/{key}").random
    header = _HEADERS[int(draw() * len(_HEADERS))]
    layout = _INDENTS[int(draw() * len(_INDENTS))]
    rng = random.Random(f"perturb/{key}/{tool}")
    found: dict[str, Any] = msgspec.json.decode(result)
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
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        rows = sorted(value, key=lambda _: rng.random())
        return [_object(row, header, unread, rng) for row in rows]
    # What stands in a mapping is data, such as codes by their names: only the headers of tables change.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _noisy(text: str, rng: random.Random) -> str:
    remarks = _remarks()
    remark = remarks[int(rng.random() * len(remarks))]
    return f"{text}  {remark}" if rng.random() < 0.5 else f"{remark} {text}"


def plain(value: Any) -> Any:
    """Return a perturbed result with the headers as the tools write them: lower case, words joined by underscores."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {_snake(name): plain(item) if isinstance(item, list) else item for name, item in value.items()}
    return value


def _snake(name: str) -> str:
    if "_" in name or "-" in name or " " in name or name.isupper():
        return name.replace("-", "_").replace(" ", "_").lower()
    return _CAMEL.sub("_", name).lower()
