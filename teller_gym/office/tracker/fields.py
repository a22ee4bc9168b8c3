"""Reading what a client sends, field by field, with the complaints of Django REST framework's serializers."""

from __future__ import annotations

import math
import re
import uuid
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, date, datetime
from typing import Any, Final

from teller_gym.base.text import is_unicode
from teller_gym.office.store import Store
from teller_gym.office.tracker.errors import NON_FIELD, TrackerError, invalid, shortened

Check = Callable[[Store, Any], Any]
"""Takes a value other than null and returns it as it is stored; raises `FieldError`."""

MAX_NAME: Final = 255
"""Characters of names, titles, colours and external ids, as in Plane's database."""

MAX_TEXT: Final = 100_000
"""Characters of a description or comment: many times what an office writes, and quick to search and to strip."""

MAX_REFERENCES: Final = 100
"""Ids in one list (assignees, labels, work items of a cycle)."""

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_INTEGER = re.compile(r"-?\d{1,18}(\.0)?")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_TRUE: Final = ("true", "t", "yes", "y", "on", "1")
_FALSE: Final = ("false", "f", "no", "n", "off", "0")


class FieldError(Exception):
    """What is wrong with one field: a message, or messages by place in a list."""

    def __init__(self, wrong: str | dict[str, list[str]]) -> None:
        super().__init__(wrong)
        self.wrong: list[str] | dict[str, list[str]] = [wrong] if isinstance(wrong, str) else wrong


class Field:
    """One field of a serializer.

    Args:
        check: reads a value.
        null: whether null is taken.
    """

    __slots__ = ("check", "null")

    def __init__(self, check: Check, null: bool = False) -> None:
        self.check = check
        self.null = null


def read(store: Store, data: Any, fields: Mapping[str, Field], required: Collection[str] = ()) -> dict[str, Any]:
    """Return the fields that were sent, each as it is stored; other keys are passed over, as serializers do.

    Args:
        store: where references are looked up.
        data: what was sent.
        fields: the serializer.
        required: fields that must be there.

    Raises:
        TrackerError: 400 with the complaints of all fields.
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


def text(limit: int = MAX_NAME, blank: bool = False, null: bool = False) -> Field:
    """Return a field for text of up to ``limit`` characters; white space around it is taken away."""

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

    return Field(check, null)


def choice(*names: str) -> Field:
    """Return a field for one of some names."""

    def check(_: Store, value: Any) -> str:
        if value not in names:
            word = printed(value) or type(value).__name__
            raise FieldError(f'"{shortened(word)}" is not a valid choice.')
        found: str = value
        return found

    return Field(check)


def boolean() -> Field:
    """Return a field for true and false."""

    def check(_: Store, value: Any) -> bool:
        word = (printed(value) or "").lower()
        if word in _TRUE or word in _FALSE:
            return word in _TRUE
        raise FieldError("Must be a valid boolean.")

    return Field(check)


def integer(least: int, most: int, null: bool = True) -> Field:
    """Return a field for a whole number from ``least`` to ``most``."""

    def check(_: Store, value: Any) -> int:
        word = printed(value) or ""
        if isinstance(value, bool) or not _INTEGER.fullmatch(word):
            raise FieldError("A valid integer is required.")
        found = int(word.removesuffix(".0"))
        if found < least:
            raise FieldError(f"Ensure this value is greater than or equal to {least}.")
        if found > most:
            raise FieldError(f"Ensure this value is less than or equal to {most}.")
        return found

    return Field(check, null)


def number() -> Field:
    """Return a field for a finite number."""

    def check(_: Store, value: Any) -> float:
        try:
            found = math.nan if isinstance(value, bool) else float(value)
        except (TypeError, ValueError, OverflowError):
            found = math.nan
        if not math.isfinite(found):
            raise FieldError("A valid number is required.")
        return found

    return Field(check)


def day() -> Field:
    """Return a field for a date, or null."""

    def check(_: Store, value: Any) -> str:
        if isinstance(value, str) and _DAY.fullmatch(value):
            try:
                return date.fromisoformat(value).isoformat()
            except ValueError:
                pass
        raise FieldError("Date has wrong format. Use one of these formats instead: YYYY-MM-DD.")

    return Field(check, null=True)


def day_of_moment() -> Field:
    """Return a field for a date with or without a time of day, of which the date counts; or null."""

    def check(_: Store, value: Any) -> str:
        try:
            moment = datetime.fromisoformat(value)
            return (moment if moment.tzinfo is None else moment.astimezone(UTC)).date().isoformat()
        except (TypeError, ValueError, OverflowError):
            raise FieldError(
                "Datetime has wrong format. Use one of these formats instead: "
                "YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]."
            ) from None

    return Field(check, null=True)


def reference(table: str, null: bool = True) -> Field:
    """Return a field for the id of a record of a table."""

    def check(store: Store, value: Any) -> str:
        return existing(store, table, value)

    return Field(check, null)


def references(table: str) -> Field:
    """Return a field for a list of ids of records of a table; what stands twice counts once."""

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
    """Return the id of a record of a table.

    Raises:
        FieldError: it is no UUID, or nobody's.
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
    """Return a UUID in lower case and with its dashes, or None for any other text."""
    if _UUID.fullmatch(value):
        return value
    try:
        return str(uuid.UUID(value))
    except ValueError:
        return None


def printed(value: Any) -> str | None:
    """Return a text, number or truth value as text; None for all else, and for numbers too long to be printed."""
    if not isinstance(value, str | int | float):
        return None
    try:
        return str(value)
    except ValueError:
        return None
