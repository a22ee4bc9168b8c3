"""The query parameter ``filters``: conditions on work items as a JSON object.

A condition is an object of fields and values, which must all hold: ``{"priority": "high", "state_group": "started"}``.
Conditions combine as ``{"and": [...]}``, ``{"or": [...]}`` and ``{"not": {...}}``. The fields and their lookups are
those that Plane's own filters declare, but for mentions, subscribers, drafts and archived items.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from teller_gym.office.tracker.errors import TrackerError, shortened
from teller_gym.office.tracker.fields import FieldError, printed
from teller_gym.office.tracker.filter_fields import FILTERS, Matches

MAX_DEPTH: Final = 5
"""Objects within objects, as in Plane."""

MAX_CONDITIONS: Final = 100
"""Conditions and values in one filter; each is tried on every item."""

_OPERATORS: Final = ("and", "or", "not")


def read_filters(filters: Any) -> Matches:
    """Return the test that a filter describes.

    Args:
        filters: an object, or its JSON.

    Raises:
        TrackerError: 400 with ``message`` and ``code``, and for wrong values ``errors`` by field.
    """
    if isinstance(filters, str):
        try:
            filters = msgspec.json.decode(filters)
        except (ValueError, RecursionError):
            raise _refused("Invalid JSON for 'filter'. Expected a valid JSON object.", "invalid_json") from None
    if not filters:
        return lambda store, item: True
    return _node(filters, 1, [MAX_CONDITIONS])


def _refused(message: str, code: str) -> TrackerError:
    return TrackerError(400, "invalid", {"message": [message], "code": [code]})


def _node(node: Any, depth: int, left: list[int]) -> Matches:
    if depth > MAX_DEPTH:
        raise _refused(f"Filter nesting is too deep (max {MAX_DEPTH}); found depth {depth}", "max_depth_exceeded")
    if not isinstance(node, dict):
        raise _refused("Each filter node must be a JSON object", "invalid_filter_node")
    if not node:
        raise _refused("Filter objects must not be empty", "empty_filter_object")
    operators = [key for key in node if str(key).lower() in _OPERATORS]
    if not operators:
        return _leaf(node, left)
    if len(operators) > 1:
        message = "A filter object cannot contain multiple logical operators at the same level"
        raise _refused(message, "multiple_logical_operators")
    if len(node) > 1:
        message = f"Cannot mix logical operator '{operators[0]}' with field keys at the same level"
        raise _refused(message, "mixed_operator_and_fields")
    operator, value = operators[0].lower(), node[operators[0]]
    if operator == "not":
        if not isinstance(value, dict):
            raise _refused("'not' must be a single JSON object", "invalid_not_child")
        inner = _node(value, depth + 1, left)
        return lambda store, item: not inner(store, item)
    if not isinstance(value, list) or not value:
        raise _refused(f"'{operator}' must be a non-empty list of filter objects", "invalid_operator_children")
    if not all(isinstance(child, dict) for child in value):
        raise _refused(f"All children of '{operator}' must be JSON objects", "invalid_operator_child_type")
    _spend(left, len(value))
    children = [_node(child, depth + 1, left) for child in value]
    if operator == "and":
        return lambda store, item: all(child(store, item) for child in children)
    return lambda store, item: any(child(store, item) for child in children)


def _spend(left: list[int], conditions: int) -> None:
    left[0] -= conditions
    if left[0] < 0:
        raise _refused(f"A filter may have at most {MAX_CONDITIONS} conditions and values", "too_many_conditions")


def _leaf(leaf: dict[str, Any], left: list[int]) -> Matches:
    tests = []
    errors: dict[str, list[str]] = {}
    for key, value in leaf.items():
        name, _, lookup = str(key).partition("__")
        if name not in FILTERS or lookup not in (*FILTERS[name].lookups, "", "exact"):
            raise _refused(f"Filtering on field '{shortened(str(key))}' is not allowed", "invalid_filter_field")
        values = _scalars(str(key), value, split=lookup in ("in", "range"))
        _spend(left, len(values))
        try:
            tests.append(FILTERS[name].test(lookup or "exact", values))
        except FieldError as error:
            assert isinstance(error.wrong, list)
            errors[str(key)] = error.wrong
    if errors:
        body = {"message": ["Invalid filter parameters"], "code": ["invalid_filterset"], "errors": errors}
        raise TrackerError(400, "invalid", body)
    return lambda store, item: all(test(store, item) for test in tests)


def _scalars(key: str, value: Any, split: bool) -> list[str]:
    """The values of a condition as texts; a text with commas is a list where a list is expected."""
    if isinstance(value, list):
        if not value:
            raise _refused(f"List value for '{key}' must not be empty", "empty_list_value")
        if any(isinstance(one, list | dict) for one in value):
            raise _refused(f"List value for '{key}' must contain only scalar items", "non_scalar_list_item")
        return [printed(one) or "" for one in value]
    if isinstance(value, dict):
        raise _refused(f"Value for '{key}' must be a scalar, null, or list/tuple of scalars", "invalid_value_type")
    text = printed(value) or ""
    return text.split(",") if split else [text]
