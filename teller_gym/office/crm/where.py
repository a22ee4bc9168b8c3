"""Compiles the where items of a search into a record test.

Comparisons follow EspoCRM's usual database: case does not matter, and an attribute without a value fails every
comparison, even `notEquals`. A name in parts matches by its first name, its last name or both in either order.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from teller_gym.office.crm.errors import bad_request
from teller_gym.office.crm.terms import Read, Scope, Test, like, normal, reader, texts
from teller_gym.office.store import Record

MAX_ITEMS: Final = 100
"""Maximum number of where items in a search."""

MAX_VALUES: Final = 1_000
"""Maximum number of values in a where item's list."""

_KEYS: Final = frozenset({"type", "attribute", "field", "value"})

_ALIASES: Final[Mapping[str, str]] = MappingProxyType(
    {"on": "equals", "notOn": "notEquals", "after": "greaterThan", "before": "lessThan"}
)
_NEGATED: Final[Mapping[str, str]] = MappingProxyType(
    {"notEquals": "equals", "notIn": "in", "notContains": "contains", "isNotNull": "isNull"}
)
_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = MappingProxyType(
    {
        "greaterThan": operator.gt,
        "lessThan": operator.lt,
        "greaterThanOrEquals": operator.ge,
        "lessThanOrEquals": operator.le,
    }
)
_PATTERNS: Final[Mapping[str, str]] = MappingProxyType({"contains": "%{}%", "startsWith": "{}%", "endsWith": "%{}"})


def compile_where(scope: Scope, items: Any) -> Test:
    """Compile where items (objects with ``type``, ``attribute`` and often ``value``) into a test that requires all."""
    if not isinstance(items, list) or len(items) > MAX_ITEMS:
        raise bad_request(f"Bad where. Expected a list of at most {MAX_ITEMS} items.")
    return _all([_item(scope, one) for one in items])


def _item(scope: Scope, item: Any) -> Test:
    if not isinstance(item, dict):
        raise bad_request("Bad where item. Expected an object with 'type'.")
    kind, attribute, value = item.get("type"), item.get("attribute") or item.get("field"), item.get("value")
    if unknown := item.keys() - _KEYS:
        raise bad_request(f"Unknown parameter '{min(unknown)}'.")
    if not isinstance(kind, str) or not kind:
        raise bad_request("No 'type' in where item.")
    if not isinstance(attribute, str) or not attribute:
        raise bad_request(f"No 'attribute' in where item '{kind}'.")
    return _test(reader(scope, attribute), kind, value)


def _test(read: Read, kind: str, value: Any) -> Test:
    """Return the test for one where item."""
    kind = _ALIASES.get(kind, kind)
    positive, negated = _NEGATED.get(kind, kind), kind in _NEGATED
    if positive == "isNull" or (positive == "equals" and value is None):
        return lambda record: (read.get(record) is None) is not negated
    if kind in ("isTrue", "isFalse"):
        if read.kind != "bool":
            raise bad_request(f"Bad where item. '{read.name}' is not true or false.")
        return _any_passes(read, {kind == "isTrue"}.__contains__, False)
    if positive in ("equals", "in"):
        return _among(read, kind, [value] if positive == "equals" and not isinstance(value, list) else value, negated)
    if kind == "between":
        if not isinstance(value, list) or len(value) < 2:
            raise bad_request("Bad where item 'between'.")
        return _all([_compared(read, "greaterThanOrEquals", value[0]), _compared(read, "lessThanOrEquals", value[1])])
    if kind in _COMPARE:
        return _compared(read, kind, value)
    if positive in _PATTERNS:
        return _matched(read, positive, value, negated)
    raise bad_request(f"Unknown where item type '{kind}'.")


def _all(tests: Sequence[Test]) -> Test:
    return lambda record: all(test(record) for test in tests)


def _compared(read: Read, kind: str, value: Any) -> Test:
    if isinstance(value, list):
        raise bad_request(f"Bad where item. '{kind}' compares with one value.")
    if value is None:
        return lambda _: False
    wanted, compare = normal(read, value), _COMPARE[kind]

    def test(record: Record) -> bool:
        found = read.get(record)
        return found is not None and compare(found.casefold() if isinstance(found, str) else found, wanted)

    return test


def _among(read: Read, kind: str, values: Any, negated: bool) -> Test:
    if not isinstance(values, list) or len(values) > MAX_VALUES:
        raise bad_request(f"Bad where item '{kind}'. Expected a list of at most {MAX_VALUES} values.")
    wanted = {normal(read, one) for one in values if one is not None}
    if negated and not wanted:
        return lambda _: True
    return _any_passes(read, wanted.__contains__, negated)


def _matched(read: Read, kind: str, value: Any, negated: bool) -> Test:
    if read.kind == "bool":
        raise bad_request(f"Bad where item. '{kind}' needs text, and '{read.name}' is none.")
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise bad_request(f"Bad where item. '{kind}' compares with text.")
    matches = like(_PATTERNS[kind].format(value))
    return _any_passes(read, lambda found: matches(str(found)), negated)


def _any_passes(read: Read, passes: Callable[[Any], object], negated: bool) -> Test:
    """Return a test that requires at least one of an attribute's values to pass (or none, if negated).

    The test fails for an attribute without a value.
    """

    def test(record: Record) -> bool:
        found = texts(read, record)
        return bool(found) and any(passes(one) for one in found) is not negated

    return test
