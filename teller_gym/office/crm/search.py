"""Searches records: filters them by where items and text, sorts them, and returns pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from teller_gym.office.crm import access
from teller_gym.office.crm.errors import bad_request, forbidden
from teller_gym.office.crm.output import show_in_list
from teller_gym.office.crm.schema import entity_of, schema
from teller_gym.office.crm.terms import Read, Scope, Test, reader, text_filter
from teller_gym.office.crm.where import compile_where
from teller_gym.office.store import Record, Store

MAX_SIZE: Final = 200
"""Maximum and default number of records on a page, as in EspoCRM."""

MAX_OFFSET: Final = 2**31 - 1
Params = Mapping[str, Any]
"""A search as JSON: ``where``, ``offset``, ``maxSize``, ``orderBy``, ``order`` (asc or desc), ``textFilter``.

Other keys are ignored, as in EspoCRM.
"""


def search(store: Store, user: str, entity_type: str, params: Params | None = None) -> dict[str, Any]:
    """Search an entity's records that the user may read, and return ``{"total": n, "list": [...]}``."""
    entity = entity_of(store, entity_type)
    who = access.actor(store, user)
    access.check_scope(who, entity_type, "read")
    scope = Scope(store, schema(store), entity, who)
    return page(scope, (record for _, record in store.rows(entity.table)), params or {})


def page(
    scope: Scope,
    records: Iterable[Record],
    params: Params,
    *,
    extra: Callable[[Record], dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return a page of the records that match a search.

    ``extra`` returns additional attributes for each record on the page.
    """
    offset, size = _whole(params, "offset", 0, MAX_OFFSET), _whole(params, "maxSize", MAX_SIZE, MAX_OFFSET)
    if size > MAX_SIZE:
        raise forbidden(f"Max size should not exceed {MAX_SIZE}. Use offset and limit.")
    tests, arrange = _tests(scope, params), _order(scope, params)
    store, entity, who = scope.store, scope.entity, scope.who
    readable = who.admin or (entity.type != "Note" and access.level(who, entity.type, "read") == "all")
    found = [
        record
        for record in records
        if all(test(record) for test in tests) and (readable or access.allowed(store, who, entity, record, "read"))
    ]
    arrange(found)
    shown = []
    for record in found[offset : offset + size]:
        one = show_in_list(store, scope.entities, entity, record, who)
        shown.append(one if extra is None else {**one, **extra(record)})
    return {"total": len(found), "list": shown}


def _tests(scope: Scope, params: Params) -> list[Test]:
    tests = []
    if (where := params.get("where")) is not None:
        if not isinstance(where, list):
            raise bad_request("where should be array.")
        tests.append(compile_where(scope, where))
    if (wanted := _text(params, "textFilter")) is not None:
        tests.append(text_filter(scope, wanted))
    return tests


def _order(scope: Scope, params: Params) -> Callable[[list[Record]], None]:
    """Return a function that sorts records by the requested attribute, then by id in the same direction."""
    by, order = _text(params, "orderBy"), (_text(params, "order") or "").lower()
    if order not in ("", "asc", "desc"):
        raise bad_request("order value is bad.")
    about = scope.entity.about
    down = (order or ("asc" if by else about.order)) == "desc"
    by = by or about.order_by
    if "." in by or ":" in by:
        raise bad_request("Complex expressions are forbidden in 'orderBy'.")
    read, key = _sort_key(scope, by, down)
    turned = down and key is None

    def plain(record: Record) -> tuple[bool, Any]:
        value = read.get(record)
        return value is not None, value.casefold() if isinstance(value, str) else value

    def arrange(records: list[Record]) -> None:
        records.sort(key=lambda record: record["id"], reverse=down)
        records.sort(key=key or plain, reverse=turned)

    return arrange


def _sort_key(scope: Scope, by: str, down: bool) -> tuple[Read, Callable[[Record], Any] | None]:
    """Return the sort attribute's reader and, for an enum, a key function that follows the order of its options."""
    entity = scope.entity
    field = entity.fields.get(by)
    name = by
    if field is not None:
        name = f"{by}Name" if field.type == "link" else f"{by}Type" if field.type == "linkParent" else by
    attribute = entity.attributes.get(name)
    if attribute is None or attribute.kind in ("ids", "json") or attribute.source == "computed":
        raise bad_request(f"Order by non-existing field '{by}'.")
    read = reader(scope, name)
    if field is None or field.type != "enum" or not field.options:
        return read, None
    options = field.options[::-1] if down else field.options
    places = {option: place for place, option in enumerate(options)}
    return read, lambda record: places.get(read.get(record), len(places))


def _text(params: Params, key: str) -> str | None:
    value = params.get(key)
    if value is not None and not isinstance(value, str):
        raise bad_request(f"{key} should be string.")
    return value or None


def _whole(params: Params, key: str, default: int, most: int) -> int:
    value = params.get(key)
    if value is None:
        return default
    if not isinstance(value, int) or isinstance(value, bool):
        raise bad_request(f"{key} should be int.")
    if not 0 <= value <= most:
        raise bad_request(f"{key} should be from 0 to {most}.")
    return value
