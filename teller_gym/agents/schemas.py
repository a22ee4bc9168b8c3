"""JSON schema functions for the reference agents."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any

from teller_gym.base.patterns import unbounded

Schema = Mapping[str, Any]
Check = Callable[[Any], bool]

_MOST_WAYS = 50
"""Maximum number of ways in which a pattern for document search may match at one position."""


def variants(schema: Schema) -> Sequence[Schema]:
    """Return the alternatives of a schema, or the schema itself if it has none."""
    return schema.get("anyOf", (schema,))  # type: ignore[no-any-return]


def fits(value: Any, schema: Schema) -> bool:
    """Return True if a value fits a schema, of which only keywords used by the tools are supported."""
    return check(schema)(value)


def check(schema: Schema) -> Check:
    """Return a function that checks values against a schema.

    It is much faster than :func:`fits` for many values.
    """
    checks = [_check(variant) for variant in variants(schema)]
    if len(checks) == 1:
        return checks[0]
    return lambda value: any(item(value) for item in checks)


def _check(schema: Schema) -> Check:
    if "enum" in schema:
        allowed = frozenset(schema["enum"])
        return lambda value: isinstance(value, str | int) and not isinstance(value, bool) and value in allowed
    low, high = schema.get("minimum", float("-inf")), schema.get("maximum", float("inf"))
    match schema.get("type"):
        case "null":
            return lambda value: value is None
        case "boolean":
            return lambda value: isinstance(value, bool)
        case "integer":
            return lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        case "number":
            return lambda value: isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
        case "array":
            return _check_list(schema)
        case "string":
            return _check_text(schema)
        case _:
            return lambda value: True


def _check_list(schema: Schema) -> Check:
    fewest, most = schema.get("minItems", 0), schema.get("maxItems", float("inf"))
    each = check(schema.get("items", {}))
    return lambda value: isinstance(value, list) and fewest <= len(value) <= most and all(map(each, value))


def _check_text(schema: Schema) -> Check:
    if schema.get("format") == "date":
        return lambda value: isinstance(value, str) and is_date(value)
    if "pattern" in schema:
        found = re.compile(schema["pattern"]).search
        most = schema.get("maxLength", float("inf")) if unbounded(schema["pattern"]) else float("inf")
        return lambda value: isinstance(value, str) and len(value) <= most and found(value) is not None
    shortest, longest = schema.get("minLength", 0), schema.get("maxLength", float("inf"))
    return lambda value: isinstance(value, str) and shortest <= len(value) <= longest


@lru_cache(maxsize=4096)
def is_date(text: str) -> bool:
    """Return True if a text is a date as YYYY-MM-DD."""
    if len(text) != 10:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def choices(schema: Schema) -> list[Any]:
    """Return the values of an enum or a boolean, without null, or an empty list for all other schemas."""
    found: list[Any] = []
    for variant in variants(schema):
        if "enum" in variant:
            found += [item for item in variant["enum"] if item is not None]
        elif variant.get("type") == "boolean":
            found += [False, True]
    return found


def pattern(schema: Schema) -> str | None:
    """Return a string schema's pattern without its anchors.

    None is returned if it has no pattern that is fast enough to search.
    """
    for variant in variants(schema):
        if "pattern" in variant and not unbounded(variant["pattern"], most=_MOST_WAYS):
            return str(variant["pattern"]).removeprefix("^").removesuffix("$")
    return None


def has_type(schema: Schema, name: str) -> bool:
    """Return True if one of the alternatives has the JSON type ``name``."""
    return any(variant.get("type") == name for variant in variants(schema))


def is_day(schema: Schema) -> bool:
    """Return True if one of the alternatives is a date."""
    return any(variant.get("format") == "date" for variant in variants(schema))
