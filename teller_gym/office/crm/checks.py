"""Shared parts of the checks of values; e-mail addresses and phone numbers, of which a record has up to ten."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.crm.descriptions import Field

Given = Mapping[str, Any]
"""Given attributes, by name."""

DEFAULT_LENGTH: Final = 255
"""Default maximum length of a varchar, as in EspoCRM."""


MAX_COUNT: Final = 10
"""Addresses or numbers of one record, as in EspoCRM."""

_EMAIL: Final = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
)
_PHONE: Final = re.compile(r"[0-9A-Za-z_@:#+()\-. ]+")
_PHONE_LENGTH: Final = 36


class Invalid(Exception):  # noqa: N818 (it is not an error of ours; the caller turns it into one of the API's)
    """A value fails a check; the text is the kind of check, such as maxLength."""


def text(value: Any) -> str:
    """Return a scalar as text, as EspoCRM casts it.

    Raises:
        Invalid: it is a list or an object, or text that cannot be encoded.
    """
    if isinstance(value, str):
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise Invalid("valid") from None
        return value
    if isinstance(value, bool):
        return "1" if value else ""
    if isinstance(value, int | float):
        return str(value)
    raise Invalid("valid")


def accept_email(name: str, _: Field, given: Given) -> dict[str, Any]:
    """Return ``emailAddress`` and ``emailAddressData`` as they are stored; the list wins where both are given."""
    found = []
    for entry in _entries(name, given):
        address = text(entry.get(name)).strip()
        if len(address) > DEFAULT_LENGTH:
            raise Invalid("maxLength")
        if not _EMAIL.fullmatch(address):
            raise Invalid("emailAddress")
        found.append({name: address, "lower": address.lower(), **_flags(entry)})
    return _with_primary(name, found) if _is_given(name, given) else {}


def accept_phone(name: str, field: Field, given: Given) -> dict[str, Any]:
    """Return ``phoneNumber`` and ``phoneNumberData`` as they are stored; the list wins where both are given."""
    kinds = field.type_list or ("Mobile",)
    found = []
    for entry in _entries(name, given):
        number, kind = text(entry.get(name)).strip(), entry.get("type")
        if len(number) > _PHONE_LENGTH:
            raise Invalid("maxLength")
        if not _PHONE.fullmatch(number) or (kind is not None and kind not in kinds):
            raise Invalid("valid")
        found.append({name: number, "type": kind or kinds[0], **_flags(entry)})
    return _with_primary(name, found) if _is_given(name, given) else {}


def _is_given(name: str, given: Given) -> bool:
    return name in given or given.get(f"{name}Data") is not None


def _entries(name: str, given: Given) -> list[dict[str, Any]]:
    """Return the given list without blank entries; a value by itself is a list of one."""
    data = given.get(f"{name}Data")
    if data is None:
        data = [{name: given.get(name), "primary": True}]
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        raise Invalid("valid")
    if len(data) > MAX_COUNT:
        raise Invalid("maxCount")
    return [one for one in data if one.get(name) not in (None, "")]


def _flags(entry: dict[str, Any]) -> dict[str, bool]:
    return {key: entry.get(key) is True for key in ("primary", "optOut", "invalid")}


def _with_primary(name: str, found: list[dict[str, Any]]) -> dict[str, Any]:
    """The stored attributes; of several primary entries the first counts, of none the first entry."""
    first = next((index for index, one in enumerate(found) if one["primary"]), 0)
    data = [{**one, "primary": index == first} for index, one in enumerate(found)]
    return {name: data[first][name] if data else None, f"{name}Data": data}
