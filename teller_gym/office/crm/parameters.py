"""Parses requests: PHP-style queries (`where[0][type]=equals`), search parameters, and JSON bodies."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from teller_gym.office.crm.errors import bad_request
from teller_gym.office.web import Request

MAX_BRACKETS: Final = 24
"""Maximum number of brackets in a parameter name. Each level of where items takes two."""

_INTEGER: Final = re.compile(r"\s*([+-]?\d{1,18})", re.ASCII)
_KEYS: Final = re.compile(r"\[([^\]]*)\]")


def nested(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Parse parameters as PHP does: brackets in names create arrays, and arrays with numeric keys become lists."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        head, bracket, _ = name.partition("[")
        keys = [head, *_KEYS.findall(name, len(head))] if bracket and "]" in name else [name]
        if len(keys) > MAX_BRACKETS:
            raise bad_request(f"Bad parameter. Names are nested at most {MAX_BRACKETS} deep.")
        place = found
        for key in keys[:-1]:
            key = key if key or place is found else _next(place)
            inner = place.get(key)
            if not isinstance(inner, dict):
                inner = place[key] = {}
            place = inner
        last = keys[-1]
        place[last if last or place is found else _next(place)] = value
    return {key: _listed(value) for key, value in found.items()}


def _next(place: dict[str, Any]) -> str:
    """Return the key that PHP assigns to an array element without a key."""
    return str(1 + max((int(key) for key in place if key.isascii() and key.isdigit() and len(key) < 10), default=-1))


def _listed(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if value and all(key.isascii() and key.isdigit() for key in value):
        return [_listed(one) for one in value.values()]
    return {key: _listed(one) for key, one in value.items()}


def query(request: Request) -> dict[str, Any]:
    """Parse a request's query.

    Raises:
        CrmError: 400 for too many or too deeply nested parameters.
    """
    try:
        pairs = request.parameters()
    except ValueError:
        raise bad_request("Too many parameters.") from None
    return nested(pairs)


def search_params(given: dict[str, Any]) -> dict[str, Any]:
    """Extract the search parameters from a query's parameters."""
    where = given.get("where")
    found: dict[str, Any] = {"where": where if isinstance(where, list) else None}
    for key in ("maxSize", "offset"):
        if isinstance(given.get(key), str) and given[key] != "":
            digits = _INTEGER.match(given[key])
            found[key] = int(digits[1]) if digits else 0
    for key in ("orderBy", "order", "textFilter"):
        if isinstance(given.get(key), str):
            found[key] = given[key]
    return found


def body(request: Request) -> dict[str, Any]:
    """Return the JSON object in a request's body (400 if it is malformed).

    The result is empty for a body of another type.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not request.body or kind != "application/json":
        return {}
    try:
        found = msgspec.json.decode(request.body)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise bad_request("Body is not valid JSON.") from None
    if not isinstance(found, dict):
        raise bad_request("Body is not a JSON object.")
    return found
