"""Helpers for value checks, and the checks of e-mail addresses and phone numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.crm.descriptions import Field

Given = Mapping[str, Any]
"""Attributes that a client sent, by name."""

DEFAULT_LENGTH: Final = 255
"""Default maximum length of a varchar, as in EspoCRM."""


_EMAIL: Final = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
)
_PHONE: Final = re.compile(r"[0-9A-Za-z_@:#+()\-. ]+")
_PHONE_LENGTH: Final = 36


class Invalid(Exception):  # noqa: N818 (it is not an error of ours; the caller turns it into one of the API's)
    """A value that fails a check.

    The message is the name of the check, such as maxLength.
    """


def text(value: Any) -> str:
    """Cast a scalar to text as EspoCRM does.

    Lists, objects and text that cannot be encoded raise `Invalid`.
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
    """Validate an e-mail address and return the attributes to store.

    The result is empty if none was given.
    """
    if name not in given:
        return {}
    address = "" if given[name] is None else text(given[name]).strip()
    if len(address) > DEFAULT_LENGTH:
        raise Invalid("maxLength")
    if address and not _EMAIL.fullmatch(address):
        raise Invalid("emailAddress")
    return _primary(name, address, lower=address.lower())


def accept_phone(name: str, field: Field, given: Given) -> dict[str, Any]:
    """Validate a phone number and return the attributes to store.

    The result is empty if none was given.
    """
    if name not in given:
        return {}
    number = "" if given[name] is None else text(given[name]).strip()
    if len(number) > _PHONE_LENGTH:
        raise Invalid("maxLength")
    if number and not _PHONE.fullmatch(number):
        raise Invalid("valid")
    return _primary(name, number, type=(field.type_list or ("Mobile",))[0])


def _primary(name: str, value: str, **more: str) -> dict[str, Any]:
    data = [{name: value, **more, "primary": True, "optOut": False, "invalid": False}] if value else []
    return {name: value or None, f"{name}Data": data}
