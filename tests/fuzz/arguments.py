"""Arguments within a tool's JSON schema, extremes first."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from teller_gym.envs.spaces.sampling import sample_value
from teller_gym.tools.tool import Parameter

_TINY = (5e-324, sys.float_info.min, 1e-300, sys.float_info.epsilon, 1e-9, 0.001, 0.01)
_ODD_TEXTS = (
    "\x00", "\t\n\r", " ", "\u00a0\u2003\u3000", "\u200b\ufeff", "\u202e\u2066", "e\u0301" * 4, "ﬁ Ǆ ß İ ı",
    "٣٤٥ ½ ² Ⅷ", "中文字", "😀👩‍👩‍👧🏴‍☠️",
    "\ufffd\uffff", "\U0010ffff", "'\"\\`", "{}[]{{}}%s%(x)s$1", "<b>&amp;</b>", "a,b;c|d:e=f",
    "-", "+",
    ".", "0", "-0", "1e999", "nan", "inf", "0x1F", "1_000", "((((((((", "\u2028\u2029", "null", "../../etc",
)  # fmt: skip
_DAYS = ("0001-01-01", "1582-10-10", "1900-02-28", "2000-02-29", "2024-02-29", "2026-12-31", "9999-12-31")
_SOME_NAMES = ("id", "name", "deleted", "assignedUserId", "parentId", "usersIds", "dateStart", "modifiedAt", "link")
"""Names for an object whose schema leaves them open: fields of the CRM, also those that it sets itself."""
_SOME_ITEMS, _SOME_TEXT = 60, 5_000
"""Largest sizes of a list and of a text whose schema has no bound."""


def arguments(parameters: Iterable[Parameter], known: Sequence[str] = ()) -> SearchStrategy[dict[str, Any]]:
    """Return arguments for a tool, mostly extremes.

    Args:
        parameters: the tool's.
        known: texts from the bank, so that calls get further than the first look-up.
    """
    parameters = tuple(parameters)
    return st.fixed_dictionaries(
        {p.name: value(p.schema, known) for p in parameters if p.required},
        optional={p.name: value(p.schema, known) for p in parameters if not p.required},
    )


def corners(schema: dict[str, Any], known: Sequence[str] = ()) -> list[Any]:
    """Return the extreme values within a JSON schema as ``msgspec`` writes it for tools."""
    if "anyOf" in schema:
        return [corner for option in schema["anyOf"] for corner in corners(option, known)]
    if "enum" in schema:
        return list(schema["enum"])
    match schema.get("type"):
        case "null":
            return [None]
        case "boolean":
            return [True, False]
        case "integer":
            return _integers(schema)
        case "number":
            return _numbers(schema)
        case "array":
            return _lists(schema, known)
        case "string":
            return _texts(schema, known)
        case "object":
            return _objects(schema, known)
    raise NotImplementedError(f"a schema of a kind that no tool had so far: {schema}")


def value(schema: dict[str, Any], known: Sequence[str] = ()) -> SearchStrategy[Any]:
    """Return values within a JSON schema, half of them extremes."""
    if "anyOf" in schema:
        return st.one_of([value(option, known) for option in schema["anyOf"]])
    return st.one_of(st.sampled_from(corners(schema, known)), _others(schema, known))


def _others(schema: dict[str, Any], known: Sequence[str]) -> SearchStrategy[Any]:
    fewest, most = schema.get("minLength", 0), schema.get("maxLength", _SOME_TEXT)
    match schema.get("type"):
        case "integer":
            return st.integers(schema.get("minimum"), schema.get("maximum"))
        case "number":
            low, high = schema.get("minimum", -1e12), schema.get("maximum", 1e12)
            cents = st.integers(math.ceil(max(low, -1e9) * 100), math.floor(min(high, 1e9) * 100)).map(
                lambda n: n / 100
            )
            return st.one_of(st.floats(low, high), cents)
        case "array":
            item, shortest, longest = value(schema["items"], known), schema.get("minItems", 0), _most_items(schema)
            unique = bool(schema.get("uniqueItems"))
            return st.lists(item, min_size=shortest, max_size=min(longest, shortest + 5), unique=unique)
        case "object":
            names = st.sampled_from(_names(known)) | st.text(max_size=20)
            return st.dictionaries(names, value(schema["additionalProperties"], known), max_size=5)
        case "string" if schema.get("format") == "date":
            return st.dates(date(2020, 1, 1), date(2030, 12, 31)).map(date.isoformat)
        case "string" if "pattern" in schema:
            return st.from_regex(schema["pattern"]).filter(lambda text: fewest <= len(text) <= most)
        case "string":
            return st.text(min_size=fewest, max_size=min(most, fewest + 20))
    return st.sampled_from(corners(schema, known))


def _integers(schema: dict[str, Any]) -> list[int]:
    low, high = schema.get("minimum", -(10**400)), schema.get("maximum", 10**400)
    found = (low, high, low + 1, high - 1, 0, 1, -1, 2**31, 2**53, 2**63, 2**64)
    return [number for number in dict.fromkeys(found) if low <= number <= high]


def _numbers(schema: dict[str, Any]) -> list[float]:
    low, high = (float(schema.get(end, sign * sys.float_info.max)) for end, sign in (("minimum", -1), ("maximum", 1)))
    found = [
        low,
        high,
        math.nextafter(low, math.inf),
        math.nextafter(high, -math.inf),
        0.0,
        -0.0,
        1.0,
        -1.0,
        low + 0.01,
    ]
    found += [sign * tiny for tiny in _TINY for sign in (1, -1)]
    return [number for number in found if low <= number <= high]


def _most_items(schema: dict[str, Any]) -> int:
    most: int = schema.get("maxItems", _SOME_ITEMS)
    return min(most, len(schema["items"].get("enum", range(most)))) if schema.get("uniqueItems") else most


def _lists(schema: dict[str, Any], known: Sequence[str]) -> list[list[Any]]:
    items, fewest, most = corners(schema["items"], known), schema.get("minItems", 0), _most_items(schema)
    found = [(items * most)[:length] for length in (fewest, min(len(items), most), most)]
    if not schema.get("uniqueItems"):
        found += [[item] * length for item in items for length in {max(fewest, 1), max(fewest, 2), most}]
        found += [[item, *items[: max(fewest, 2) - 1]] for item in items]
    return [each for each in found if fewest <= len(each) <= most]


def _names(known: Sequence[str]) -> list[str]:
    return ["", *_SOME_NAMES, *_ODD_TEXTS, *known[:30]]


def _objects(schema: dict[str, Any], known: Sequence[str]) -> list[dict[str, Any]]:
    values = corners(schema["additionalProperties"], known)
    names = _names(known)
    alone = [{names[number % len(names)]: each} for number, each in enumerate(values)]
    return [{}, *alone, dict.fromkeys(names, values[0]), {f"a{number}": values[-1] for number in range(500)}]


def _texts(schema: dict[str, Any], known: Sequence[str]) -> list[str]:
    if schema.get("format") == "date":
        return list(_DAYS)
    fewest, most = schema.get("minLength", 0), schema.get("maxLength", _SOME_TEXT)
    pattern = re.compile(schema.get("pattern", ""))

    def fits(text: str) -> bool:
        return fewest <= len(text) <= most and pattern.search(text) is not None

    rng = np.random.Generator(np.random.PCG64(0))
    drawn = [sample_value(schema, rng) for _ in range(5)]
    found = [*_ODD_TEXTS, *drawn, *(text + "\n" for text in drawn), "", *[text for text in known if fits(text)][:30]]
    for text in (*_ODD_TEXTS, *drawn):
        found += [(text * most)[:most], (text + text[-1:] * most)[:most], text[:1] * fewest]
    return [text for text in dict.fromkeys(found) if fits(text)]
