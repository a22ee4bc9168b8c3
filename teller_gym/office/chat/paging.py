"""Pages of results: count and offset, sort, and the part of ``query`` and ``fields`` that is sound."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from teller_gym.base.text import shown
from teller_gym.office.chat.errors import ChatError, invalid
from teller_gym.office.store import Record

DEFAULT_COUNT: Final = 50
MAX_COUNT: Final = 100
"""Results on a page: Rocket.Chat's defaults."""

MAX_ALL: Final = 1_000
"""Results where ``count=0`` asks for all; an office holds fewer."""

_MAX_JSON: Final = 2_000
"""Characters of a ``sort``, ``fields`` or ``query``."""

_MAX_TERMS: Final = 50
"""Conditions in a query."""

_PLAIN_REGEX: Final = re.compile(r"\^?[\w .@#:,-]*\$?")
"""Patterns that are plain text, anchored or not: others could take for ever. A full stop stands for itself."""


class Page(msgspec.Struct, frozen=True):
    """Which results are wanted, in which order.

    Attributes:
        count: at most so many; 0 for all.
        offset: how many to skip.
        sort: fields (dotted names go down into records), each with 1 (up) or -1 (down).
        fields: names with 1 (these alone) or 0 (all but these); ``_id`` is always there.
        query: conditions that records have to fulfil.
    """

    count: int = DEFAULT_COUNT
    offset: int = 0
    sort: Mapping[str, int] = {}
    fields: Mapping[str, int] = {}
    query: Mapping[str, Any] = {}


def page_from(values: Mapping[str, Any], default_count: int = DEFAULT_COUNT) -> Page:
    """Read a page from a call's parameters: numbers or their texts, and JSON.

    Raises:
        ChatError: one of them is malformed.
    """
    count = _number(values, "count", default_count)
    fields = _json(values, "fields", "error-invalid-fields")
    sort = _json(values, "sort", "error-invalid-sort")
    query = _json(values, "query", "error-invalid-query")
    if any(value not in (1, -1) for value in sort.values()):
        raise ChatError(f"sort: expected 1 or -1 for each field, got {shown(sort)}", "error-invalid-sort")
    if any(value not in (0, 1) for value in fields.values()):
        raise ChatError(f"fields: expected 0 or 1 for each field, got {shown(fields)}", "error-invalid-fields")
    _check(query, [0])
    return Page(min(count, MAX_COUNT), _number(values, "offset", 0), sort, fields, query)


def take(rows: Iterable[Record], page: Page, order: Mapping[str, int] | None = None) -> tuple[list[Record], Record]:
    """Return a page's rows, and its ``count``, ``offset`` and ``total``.

    Args:
        rows: all results.
        page: which of them.
        order: how they are sorted where the page does not say.
    """
    found = [row for row in rows if _fulfils(row, page.query)] if page.query else list(rows)
    for name, direction in list((page.sort or order or {}).items())[::-1]:
        found.sort(key=_by(name), reverse=direction == -1)
    part = found[page.offset : page.offset + (page.count or MAX_ALL)]
    if page.fields:
        part = [_projected(row, page.fields) for row in part]
    return part, {"count": len(part), "offset": page.offset, "total": len(found)}


def _number(values: Mapping[str, Any], name: str, default: int) -> int:
    value = values.get(name)
    if value is None or value == "":
        return default
    if isinstance(value, str) and len(value) <= 9 and value.isdecimal():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 10**9:
        return value
    raise invalid(f"{name}: expected a whole number from 0, got {shown(value)}")


def _json(values: Mapping[str, Any], name: str, code: str) -> dict[str, Any]:
    text = values.get(name)
    if text is None or text == "":
        return {}
    if isinstance(text, str) and len(text) <= _MAX_JSON:
        try:
            value = msgspec.json.decode(text.encode())
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            value = None
        if isinstance(value, dict):
            return value
    raise ChatError(f"{name}: expected a JSON object of at most {_MAX_JSON} characters, got {shown(text)}", code)


def _check(query: Any, seen: list[int]) -> None:
    """Check that a query holds equality, $and, $or and plain texts as $regex alone."""
    seen[0] += 1
    if not isinstance(query, dict) or seen[0] > _MAX_TERMS:
        raise _bad_query(query)
    for name, wanted in query.items():
        if name in ("$and", "$or"):
            if not isinstance(wanted, list) or not wanted:
                raise _bad_query(wanted)
            for one in wanted:
                _check(one, seen)
        elif isinstance(wanted, dict):
            pattern, options = wanted.get("$regex"), wanted.get("$options", "")
            known = wanted.keys() <= {"$regex", "$options"} and options in ("", "i")
            if name.startswith("$") or not known or not isinstance(pattern, str) or not _PLAIN_REGEX.fullmatch(pattern):
                raise _bad_query(wanted)
        elif name.startswith("$") or isinstance(wanted, list):
            raise _bad_query(query)


def _bad_query(part: Any) -> ChatError:
    return ChatError(
        "query: expected fields with values or with {$regex: letters, digits and blanks, $options: i}, joined by $and "
        f"and $or, got {shown(part)}",
        "error-invalid-query",
    )


def _fulfils(row: Record, query: Mapping[str, Any]) -> bool:
    for name, wanted in query.items():
        if name == "$and":
            good = all(_fulfils(row, one) for one in wanted)
        elif name == "$or":
            good = any(_fulfils(row, one) for one in wanted)
        else:
            value = _value(row, name)
            if isinstance(wanted, dict):
                good = isinstance(value, str) and _is_found(wanted, value)
            else:
                good = wanted in value if isinstance(value, list) else value == wanted and _same_kind(value, wanted)
        if not good:
            return False
    return True


def _is_found(condition: Mapping[str, str], value: str) -> bool:
    pattern = condition["$regex"]
    if condition.get("$options"):
        pattern, value = pattern.casefold(), value.casefold()
    text = pattern.removeprefix("^").removesuffix("$")
    if pattern.startswith("^"):
        return value == text if pattern.endswith("$") else value.startswith(text)
    return value.endswith(text) if pattern.endswith("$") else text in value


def _same_kind(value: Any, wanted: Any) -> bool:
    return isinstance(value, bool) == isinstance(wanted, bool)


def _value(row: Record, name: str) -> Any:
    """What stands at a dotted name; None if nothing does."""
    value: Any = row
    for part in name.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(part)
    return value


def _by(name: str) -> Callable[[Record], tuple[int, Any]]:
    return lambda row: _rank(_value(row, name))


def _rank(value: Any) -> tuple[int, Any]:
    """Order values of different types as the database does: nothing, numbers, texts, truth values, the rest."""
    if value is None:
        return 0, 0
    if isinstance(value, bool):
        return 3, value
    if isinstance(value, int | float):
        return 1, value
    return (2, value) if isinstance(value, str) else (4, 0)


def _projected(row: Record, fields: Mapping[str, int]) -> Record:
    if 1 in fields.values():
        return {name: value for name, value in row.items() if name == "_id" or fields.get(name) == 1}
    return {name: value for name, value in row.items() if name == "_id" or name not in fields}
