"""Validates fields of a client's JSON, with the error messages of Django REST framework's serializers."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Collection, Mapping
from datetime import date
from typing import Any, Final, NamedTuple

from teller_gym.base.text import is_unicode
from teller_gym.office.store import Store
from teller_gym.office.tracker.errors import NON_FIELD, TrackerError, invalid, shortened

Check = Callable[[Store, Any], Any]
"""Function that converts a value other than null to its stored form, or raises `FieldError`."""

MAX_NAME: Final = 255
"""Maximum length of a name in characters, as in Plane's database."""

MAX_TEXT: Final = 100_000
"""Maximum length of a description or comment in characters, which limits the time to search and strip it."""

MAX_REFERENCES: Final = 100
"""Maximum number of ids in a list."""

UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class FieldError(Exception):
    """An invalid field, with its error message, or messages by position in a list."""

    def __init__(self, wrong: str | dict[str, list[str]]) -> None:
        super().__init__(wrong)
        self.wrong: list[str] | dict[str, list[str]] = [wrong] if isinstance(wrong, str) else wrong


class Field(NamedTuple):
    """A serializer field: the function that validates a value, and True if null is accepted."""

    check: Check
    null: bool = False


def read(store: Store, data: Any, fields: Mapping[str, Field], required: Collection[str] = ()) -> dict[str, Any]:
    """Validate the fields that were sent and return their stored forms.

    Other keys are ignored, as by serializers.

    Raises:
        TrackerError: 400 with the messages of all invalid fields.
    """
    if not isinstance(data, dict):
        raise invalid(NON_FIELD, f"Invalid data. Expected a dictionary, but got {type(data).__name__}.")
    wrong: dict[str, Any] = {}
    result: dict[str, Any] = {}
    for name, field in fields.items():
        if name not in data:
            if name in required:
                wrong[name] = ["This field is required."]
            continue
        value = data[name]
        if value is None:
            if not field.null:
                wrong[name] = ["This field may not be null."]
            result[name] = None
            continue
        try:
            result[name] = field.check(store, value)
        except FieldError as error:
            wrong[name] = error.wrong
    if wrong:
        raise TrackerError(400, "invalid", wrong)
    return result


def text(limit: int = MAX_NAME, blank: bool = False) -> Field:
    """Return a field for text of up to ``limit`` characters, without surrounding white space."""

    def check(_: Store, value: Any) -> str:
        word = printed(value)
        if word is None or isinstance(value, bool) or not is_unicode(word):
            raise FieldError("Not a valid string.")
        found = word.strip()
        if not found and not blank:
            raise FieldError("This field may not be blank.")
        if len(found) > limit:
            raise FieldError(f"Ensure this field has no more than {limit} characters.")
        if "\0" in found:
            raise FieldError("Null characters are not allowed.")
        return found

    return Field(check)


def choice(*names: str) -> Field:
    """Return a field for one of the given names."""

    def check(_: Store, value: Any) -> str:
        if value not in names:
            word = printed(value) or type(value).__name__
            raise FieldError(f'"{shortened(word)}" is not a valid choice.')
        found: str = value
        return found

    return Field(check)


def day() -> Field:
    """Return a field for a date or null."""

    def check(_: Store, value: Any) -> str:
        if isinstance(value, str) and _DAY.fullmatch(value):
            try:
                return date.fromisoformat(value).isoformat()
            except ValueError:
                pass
        raise FieldError("Date has wrong format. Use one of these formats instead: YYYY-MM-DD.")

    return Field(check, null=True)


def reference(table: str) -> Field:
    """Return a field for the id of a record in a table, or null."""

    return Field(lambda store, value: existing(store, table, value), null=True)


def references(table: str) -> Field:
    """Return a field for a list of record ids in a table.

    A repeated id counts once.
    """

    def check(store: Store, value: Any) -> list[str]:
        if not isinstance(value, list | tuple):
            raise FieldError(f'Expected a list of items but got type "{type(value).__name__}".')
        if len(value) > MAX_REFERENCES:
            raise FieldError(f"Ensure this field has no more than {MAX_REFERENCES} elements.")
        found: dict[str, None] = {}
        wrong: dict[str, list[str]] = {}
        for place, one in enumerate(value):
            try:
                found[existing(store, table, one)] = None
            except FieldError as error:
                assert isinstance(error.wrong, list)
                wrong[str(place)] = error.wrong
        if wrong:
            raise FieldError(wrong)
        return list(found)

    return Field(check)


def existing(store: Store, table: str, value: Any) -> str:
    """Return the normalised id of a record in a table.

    Anything else raises `FieldError`.
    """
    if not isinstance(value, str):
        raise FieldError(f"Incorrect type. Expected pk value, received {type(value).__name__}.")
    found = canonical(value)
    if found is None:
        raise FieldError(f"“{shortened(value)}” is not a valid UUID.")
    if store.get(table, found) is None:
        raise FieldError(f'Invalid pk "{found}" - object does not exist.')
    return found


def canonical(value: str) -> str | None:
    """Return a UUID in lower case and with dashes, or None for any other text."""
    if UUID.fullmatch(value):
        return value
    try:
        return str(uuid.UUID(value))
    except ValueError:
        return None


def printed(value: Any) -> str | None:
    """Return a text, number or boolean as text, or None for anything else and for numbers too long to print."""
    if not isinstance(value, str | int | float):
        return None
    try:
        return str(value)
    except ValueError:
        return None
