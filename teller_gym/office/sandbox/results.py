"""Values that came out of a run, in JSON's types."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from typing import Any, Final

_INTEGER_BITS: Final = 14_000
"""Integers that are longer have more digits than Python writes (4,300)."""


def jsonable(value: Any, most: int) -> tuple[Any, bool]:
    """Return a value in JSON's types, and whether it was truncated.

    Tuples are lists; sets are lists in the order of their JSON; keys, decimals, and what JSON has no type for are
    texts; dates are in ISO 8601; objects with attributes are objects. If its JSON has more than ``most`` characters,
    the beginning of it is returned as text. A value that holds another many times is never written out beyond that.
    """
    found: list[str] = []
    length = 0
    for piece in _pieces(value, most):
        found.append(piece)
        length += len(piece)
        if length > most:
            return "".join(found)[:most], True
    return json.loads("".join(found)), False


def _pieces(value: Any, most: int) -> Iterator[str]:
    if value is None or isinstance(value, bool):
        yield json.dumps(value)
    elif isinstance(value, int):
        whole = value.bit_length() <= _INTEGER_BITS
        yield str(int(value)) if whole else json.dumps(f"an integer of {value.bit_length()} bits")
    elif isinstance(value, float):
        number = float(value)
        yield json.dumps(number if abs(number) < float("inf") else repr(number))
    elif isinstance(value, str):
        yield json.dumps(value[: most + 1], ensure_ascii=False)
    elif isinstance(value, Mapping):
        yield "{"
        for number, (key, item) in enumerate(value.items()):
            yield (", " if number else "") + json.dumps(_text(key)[: most + 1], ensure_ascii=False) + ": "
            yield from _pieces(item, most)
        yield "}"
    elif isinstance(value, list | tuple):
        yield from _joined((_pieces(item, most) for item in value))
    elif isinstance(value, set | frozenset):
        # Members of a set are hashable, so none holds another many times over but a tuple; those are cut one by one.
        members = sorted("".join(_cut(_pieces(item, most), most)) for item in value)
        yield from _joined(iter((member,)) for member in members)
    elif isinstance(getattr(value, "attributes", None), Mapping):
        yield from _pieces(value.attributes, most)
    else:
        yield json.dumps(_text(value)[: most + 1], ensure_ascii=False)


def _joined(items: Iterator[Iterator[str]]) -> Iterator[str]:
    yield "["
    for number, item in enumerate(items):
        if number:
            yield ", "
        yield from item
    yield "]"


def _cut(pieces: Iterator[str], most: int) -> Iterator[str]:
    length = 0
    for piece in pieces:
        yield piece
        length += len(piece)
        if length > most:
            return


def _text(value: Any) -> str:
    """Return a text for a key or for what JSON has no type for; never an address in memory."""
    if isinstance(value, str):
        return value
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int) and value.bit_length() > _INTEGER_BITS:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, tuple | frozenset):
        return "".join(_cut(_pieces(value, _INTEGER_BITS), _INTEGER_BITS))
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {value}"
    if isinstance(value, type):
        return value.__name__
    if type(value).__repr__ is object.__repr__ and type(value).__str__ is object.__str__:
        return f"<{type(value).__name__}>"
    name = getattr(value, "name", None)
    return name if isinstance(name, str) and type(value).__module__.startswith("pydantic_monty") else str(value)
