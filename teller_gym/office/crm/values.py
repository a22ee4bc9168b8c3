"""Validates values given for a field, and converts them to their stored form."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

from teller_gym.office.crm.checks import DEFAULT_LENGTH, Given, Invalid, accept_email, accept_phone, text
from teller_gym.office.crm.descriptions import Field

MAX_TEXT: Final = 100_000
"""Maximum length of a text field in characters."""

MAX_ITEMS: Final = 200
"""Maximum number of linked records in a field."""

_BAD_CHARACTERS: Final = re.compile(r"[<>=]")
"""Characters forbidden by noBadCharacters, the only EspoCRM pattern in use here."""

_ID: Final = re.compile(r"[A-Za-z0-9_=\-.]{1,100}")
_NUMBER: Final = re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*", re.ASCII)
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DATETIME: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?", re.ASCII)
_ATOM: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)", re.ASCII)
_INT: Final = 2**31


def accept(name: str, field: Field, given: Given) -> dict[str, Any]:
    """Validate the values given for a field and return the attributes to store.

    Raises:
        Invalid: a check fails.
    """
    return _ACCEPT[field.type](name, field, given)


def _simple(normalise: Callable[[Field, Any], Any]) -> Callable[[str, Field, Given], dict[str, Any]]:
    def run(name: str, field: Field, given: Given) -> dict[str, Any]:
        return {name: normalise(field, given[name])} if name in given else {}

    return run


def _varchar(field: Field, value: Any) -> str | None:
    if value is None:
        return None
    found = text(value).strip()
    _length(found, field.max_length or DEFAULT_LENGTH)
    if field.pattern is not None and _BAD_CHARACTERS.search(found):
        raise Invalid("pattern")
    return found


def _text(field: Field, value: Any) -> str | None:
    if value is None or value == "":
        return None
    found = text(value)
    _length(found, field.max_length or MAX_TEXT)
    return found


def _enum(field: Field, value: Any) -> str | None:
    found = None if value is None or value == "" else text(value)
    if found is None:
        if field.options is not None and "" not in field.options:
            raise Invalid("valid")
        return None
    if field.options is not None and found not in field.options:
        raise Invalid("valid")
    _length(found, field.max_length or DEFAULT_LENGTH)
    return found


def _bool(_: Field, value: Any) -> bool:
    if value in (True, "1", "true"):
        return True
    if value in (None, False, "0", "false", ""):
        return False
    raise Invalid("valid")


def number(value: Any) -> float:
    """Convert a value to a finite number.

    Anything else raises `Invalid`.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise Invalid("valid")
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        raise Invalid("valid")
    try:
        found = float(value)
    except OverflowError:
        raise Invalid("valid") from None
    if not math.isfinite(found):
        raise Invalid("valid")
    return found


def _float(field: Field, value: Any) -> float | None:
    if value is None or value == "":
        return None
    found = number(value)
    if field.min is not None and found < field.min:
        raise Invalid("min")
    if field.max is not None and found > field.max:
        raise Invalid("max")
    return found


def _int(field: Field, value: Any) -> int | None:
    found = _float(field, value)
    if found is None:
        return None
    if not -_INT <= found < _INT:
        raise Invalid("rangeInternal")
    return int(found)


def date_text(value: Any) -> str:
    """Convert a date, or an ISO 8601 time with an offset, to ``YYYY-MM-DD``.

    Anything else raises `Invalid`.
    """
    if isinstance(value, str) and (_DATE.fullmatch(value) or _ATOM.fullmatch(value)):
        try:
            return datetime.fromisoformat(value).strftime("%Y-%m-%d").zfill(10)
        except ValueError:
            pass
    raise Invalid("valid")


def datetime_text(value: Any) -> str:
    """Convert a time to ``YYYY-MM-DD HH:mm:ss`` in UTC.

    Seconds and an ISO 8601 offset are optional.
    """
    if isinstance(value, str) and (_DATETIME.fullmatch(value) or _ATOM.fullmatch(value)):
        try:
            moment = datetime.fromisoformat(value)
            if moment.tzinfo is not None:
                moment = moment.astimezone(UTC)
            return moment.strftime("%Y-%m-%d %H:%M:%S").zfill(19)
        except (ValueError, OverflowError):
            pass
    raise Invalid("valid")


def _date(_: Field, value: Any) -> str | None:
    return None if value is None or value == "" else date_text(value)


def _datetime(_: Field, value: Any) -> str | None:
    return None if value is None or value == "" else datetime_text(value)


def _datetime_optional(name: str, field: Field, given: Given) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if name in given:
        found[name] = _datetime(field, given[name])
    if f"{name}Date" in given:
        found[f"{name}Date"] = _date(field, given[f"{name}Date"])
    return found


def _record_id(value: Any) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise Invalid("pattern")
    return value


def _link(name: str, _: Field, given: Given) -> dict[str, Any]:
    key = f"{name}Id"
    return {key: _record_id(given[key])} if key in given else {}


def _link_parent(name: str, field: Field, given: Given) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if f"{name}Id" in given:
        found[f"{name}Id"] = _record_id(given[f"{name}Id"])
    if f"{name}Type" in given:
        kind = given[f"{name}Type"]
        found[f"{name}Type"] = None if kind is None or kind == "" else text(kind)
        if found[f"{name}Type"] is not None and not field.any_entity and kind not in (field.entities or {}):
            raise Invalid("valid")
    return found


def _link_multiple(name: str, field: Field, given: Given) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if f"{name}Ids" in given:
        value = given[f"{name}Ids"]
        if value is not None and not isinstance(value, list | tuple):
            raise Invalid("pattern")
        ids = [_record_id(one) for one in value or ()]
        if None in ids:
            raise Invalid("pattern")
        found[f"{name}Ids"] = list(dict.fromkeys(ids))
        if len(ids) > min(field.max_count or MAX_ITEMS, MAX_ITEMS):
            raise Invalid("maxCount")
    return found


def _length(value: str, most: int) -> None:
    if len(value) > most:
        raise Invalid("maxLength")


def _nothing(_: str, __: Field, ___: Given) -> dict[str, Any]:
    """Ignore values given for derived fields."""
    return {}


_ACCEPT: Final[Mapping[str, Callable[[str, Field, Given], dict[str, Any]]]] = MappingProxyType(
    {
        "varchar": _simple(_varchar),
        "text": _simple(_text),
        "enum": _simple(_enum),
        "bool": _simple(_bool),
        "int": _simple(_int),
        "float": _simple(_float),
        "date": _simple(_date),
        "datetime": _simple(_datetime),
        "email": accept_email,
        "phone": accept_phone,
        "datetimeOptional": _datetime_optional,
        "link": _link,
        "linkParent": _link_parent,
        "linkMultiple": _link_multiple,
        "autoincrement": _nothing,
        "personName": _nothing,
        "jsonObject": _nothing,
    }
)
