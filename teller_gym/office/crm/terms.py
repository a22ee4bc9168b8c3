"""Components of a search: comparable values, patterns, and the text filter."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fnmatch import translate
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final

import msgspec

from teller_gym.office.crm.access import Actor
from teller_gym.office.crm.attributes import Kind
from teller_gym.office.crm.checks import Invalid
from teller_gym.office.crm.checks import text as as_text
from teller_gym.office.crm.errors import bad_request
from teller_gym.office.crm.output import link_name
from teller_gym.office.crm.schema import Entity, Schema
from teller_gym.office.crm.values import date_text, datetime_text, number
from teller_gym.office.store import Record, Store

Test = Callable[[Record], bool]

MAX_FILTER: Final = 200
"""Maximum length of a text filter in characters."""

_CONTAINS_FROM: Final = 4
"""Minimum length of a text filter that may match anywhere in long text. Shorter ones only match the beginning."""

MAX_PATTERN: Final = 500
"""Maximum length of a pattern in characters, about twice that of a varchar."""

_SPECIAL: Final = re.compile(r"\\(.)|.", re.DOTALL)
_WILD: Final = {"%": "*", "_": "?"}


Get = Callable[[Record], Any]


class Scope(msgspec.Struct, frozen=True):
    """Entity whose records are searched, and the user who searches."""

    store: Store
    entities: Schema
    entity: Entity
    who: Actor


class Read(msgspec.Struct, frozen=True):
    """An attribute's reader in a search.

    Attributes:
        name: name of the attribute.
        kind: type that determines how values compare.
        get: function that returns a record's value, or None.
    """

    name: str
    kind: Kind
    get: Get


def reader(scope: Scope, name: str) -> Read:
    """Return an attribute's reader.

    Raises:
        CrmError: 400 if there is no such attribute or its values cannot be compared.
    """
    attribute = scope.entity.attributes.get(name)
    if attribute is None:
        raise bad_request(f"Not existing attribute '{name}' in where.")
    if attribute.kind in ("ids", "json") or attribute.source == "computed":
        raise bad_request(f"Attribute '{name}' cannot be compared.")
    if attribute.source == "stored":
        return Read(name, attribute.kind, itemgetter(name))
    field, entity = attribute.field, scope.entity.fields[attribute.field].entity

    def linked(record: Record) -> str | None:
        kind = entity if attribute.source == "linked" else record[f"{field}Type"]
        return link_name(scope.store, scope.entities, kind, record[f"{field}Id"])

    return Read(name, attribute.kind, linked)


def normal(read: Read, value: Any) -> Any:
    """Convert a requested value to its comparable form, with text in lower case and numbers as numbers."""
    try:
        return _normal(read.kind, value)
    except Invalid:
        raise bad_request(f"Bad where item. '{read.name}' does not compare with {value!r:.60}.") from None


def _normal(kind: str, value: Any) -> Any:
    if kind in ("int", "float"):
        return number(value)
    if kind == "bool":
        if value in (True, "true", "1"):
            return True
        if value in (False, "false", "0"):
            return False
        raise Invalid("valid")
    if kind == "date":
        if isinstance(value, str) and len(value) > 10:
            moment = datetime_text(value)
            return moment[:10] if moment.endswith(" 00:00:00") else moment
        return date_text(value)
    if kind == "datetime":
        if isinstance(value, str) and len(value) == 10:
            return f"{date_text(value)} 00:00:00"
        return datetime_text(value)
    return as_text(value).casefold()


def texts(read: Read, record: Record) -> Sequence[Any]:
    """Return an attribute's comparable values: none, one, or every form of a name in parts."""
    found = read.get(record)
    if found is None:
        return ()
    if read.kind != "person":
        return (found.casefold(),) if isinstance(found, str) else (found,)
    first, last = (record["firstName"] or "").casefold(), (record["lastName"] or "").casefold()
    if first and last:
        return first, last, f"{first} {last}", f"{last} {first}"
    return (first or last,)


@lru_cache(maxsize=256)
def like(pattern: str) -> Callable[[str], object]:
    """Compile an SQL LIKE pattern (% any text, _ one character, a backslash escapes) for text in lower case."""
    if len(pattern) > MAX_PATTERN:
        raise bad_request(f"Bad where item. A pattern has at most {MAX_PATTERN} characters.")
    # The standard library's translation of wildcards does not backtrack from one asterisk into another.
    wild = _SPECIAL.sub(
        lambda found: _literal(found[1]) if found[1] else _WILD.get(found[0]) or _literal(found[0]), pattern.casefold()
    )
    return re.compile(translate(wild)).match


def _literal(letter: str) -> str:
    return f"[{letter}]" if letter in "*?[" else letter


def text_filter(scope: Scope, wanted: str) -> Test:
    """Return a test for a text at the beginning of one of the entity's text filter fields, or anywhere in long text.

    An asterisk matches any text; a filter with an asterisk is used unchanged.
    """
    if len(wanted) > MAX_FILTER:
        raise bad_request(f"Bad text filter. It has at most {MAX_FILTER} characters.")
    tests = [test for name in scope.entity.about.text_filter if (test := _in_field(scope, name, wanted)) is not None]
    return lambda record: any(test(record) for test in tests)


def _in_field(scope: Scope, name: str, wanted: str) -> Test | None:
    field, read = scope.entity.fields[name], reader(scope, name)
    if field.type == "email" and " " in wanted:
        return None
    pattern = wanted.replace("\\", "\\\\")
    if "*" in wanted:
        pattern = pattern.replace("*", "%")
    elif field.type == "text" and len(wanted) >= _CONTAINS_FROM:
        pattern = f"%{pattern}%"
    else:
        pattern = f"{pattern}%"
    matches = like(pattern)
    return lambda record: any(matches(one) for one in texts(read, record))
