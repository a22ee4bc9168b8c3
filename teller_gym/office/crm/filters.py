"""Named filters and the text filter: what a search may ask for besides where items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import Final

from teller_gym.office.crm.errors import bad_request
from teller_gym.office.crm.scope import Scope, reader
from teller_gym.office.crm.terms import Test, like, texts
from teller_gym.office.crm.where import compile_where

MAX_TEXT_FILTER: Final = 200
"""Characters of a text filter: more than any name or address."""

_CONTAINS_FROM: Final = 4
"""A filter of so many characters is looked for anywhere in long text, a shorter one at its beginning."""


def primary(scope: Scope, name: str) -> Test:
    """Return a primary filter's test.

    Raises:
        CrmError: 400, the entity has no such filter.
    """
    entity = scope.entity
    if name in entity.about.primary_filters:
        return compile_where(scope, entity.about.primary_filters[name])
    if name == "all":
        return lambda _: True
    if (entity.type, name) == ("Account", "recentlyCreated"):
        since = str(scope.store.clock() - timedelta(days=7))
        return lambda record: record["createdAt"] >= since
    raise bad_request(f"No primary filter '{name}' for '{entity.type}'.")


def any_bool(scope: Scope, names: Sequence[str]) -> Test:
    """Return the test that any of these bool filters passes.

    Raises:
        CrmError: 400, the entity has no such filter.
    """
    tests = [_bool(scope, name) for name in names]
    return lambda record: any(test(record) for test in tests)


def _bool(scope: Scope, name: str) -> Test:
    entity = scope.entity
    if name in entity.about.bool_filters:
        return compile_where(scope, entity.about.bool_filters[name])
    if name in _BOOLS and (name != "onlyMe" or entity.type == "User"):
        return _BOOLS[name](scope)
    raise bad_request(f"No bool filter '{name}' for '{entity.type}'.")


def _only_my(scope: Scope) -> Test:
    me = scope.who.id
    if scope.entity.type in ("Meeting", "Call"):
        return lambda record: (
            me in record["usersIds"] and record["usersColumns"].get(me, {}).get("status") != "Declined"
        )
    key = "assignedUserId" if "assignedUserId" in scope.entity.attributes else "createdById"
    return lambda record: bool(record[key] == me)


def _shared(scope: Scope) -> Test:
    me = scope.who.id
    return lambda record: me in record.get("collaboratorsIds", ())


def _only_me(scope: Scope) -> Test:
    me = scope.who.id
    return lambda record: bool(record["id"] == me)


_BOOLS: Final[Mapping[str, Callable[[Scope], Test]]] = MappingProxyType(
    {"onlyMy": _only_my, "shared": _shared, "onlyMe": _only_me}
)


def text_filter(scope: Scope, wanted: str) -> Test:
    """Return the test that one of the entity's text filter fields begins with a text, or holds it if it is long.

    An asterisk stands for any text, and then nothing else is added to the filter.

    Raises:
        CrmError: 400, the filter is longer than `MAX_TEXT_FILTER`.
    """
    if len(wanted) > MAX_TEXT_FILTER:
        raise bad_request(f"Bad text filter. It has at most {MAX_TEXT_FILTER} characters.")
    tests = [test for name in scope.entity.about.text_filter if (test := _in_field(scope, name, wanted)) is not None]
    return lambda record: any(test(record) for test in tests)


def _in_field(scope: Scope, name: str, wanted: str) -> Test | None:
    field, read = scope.entity.fields[name], reader(scope, name)
    if read.kind == "int":
        number = int(wanted) if wanted.isascii() and wanted.isdigit() else None
        return None if number is None else (lambda record: bool(record[name] == number))
    if field.type == "email" and " " in wanted:
        return None
    pattern = wanted.replace("\\", "\\\\")
    if "*" in wanted:
        pattern = pattern.replace("*", "%")
    elif field.type in ("text", "wysiwyg") and len(wanted) >= _CONTAINS_FROM:
        pattern = f"%{pattern}%"
    else:
        pattern = f"{pattern}%"
    matches = like(pattern)
    return lambda record: any(matches(one) for one in texts(read, record))
