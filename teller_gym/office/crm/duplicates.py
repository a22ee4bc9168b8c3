"""Finds possible duplicates of a new record by name or e-mail address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from teller_gym.office.crm import access
from teller_gym.office.crm.errors import duplicate
from teller_gym.office.crm.output import show_in_list
from teller_gym.office.crm.rules import Change
from teller_gym.office.store import Record

MAX_FOUND: Final = 5
"""Maximum number of possible duplicates in an error response, as in EspoCRM."""


def check_duplicates(change: Change) -> None:
    """Raise 409 if a new record may duplicate records that the user may read.

    The error body lists them.
    """
    tests = [test for name in change.entity.about.duplicate_check if (test := _same(change, name)) is not None]
    if not tests:
        return
    store, entity, who = change.store, change.entity, change.who
    found = []
    for _, record in store.rows(entity.table):
        if any(test(record) for test in tests) and access.allowed(store, who, entity, record, "read"):
            found.append(show_in_list(store, change.entities, entity, record, who))
            if len(found) == MAX_FOUND:
                break
    if found:
        raise duplicate(found)


def _same(change: Change, name: str) -> Callable[[Record], bool] | None:
    """Return a predicate for records with the new record's value in a field, or None if that value is empty."""
    new, field = change.new, change.entity.fields[name]
    if field.type == "personName":
        wanted = _lower(new["firstName"]), _lower(new["lastName"])
        if wanted == (None, None):
            return None
        return lambda record: (_lower(record["firstName"]), _lower(record["lastName"])) == wanted
    if field.type == "email":
        addresses = {one["lower"] for one in new[f"{name}Data"]}
        return (lambda record: any(one["lower"] in addresses for one in record[f"{name}Data"])) if addresses else None
    value = _lower(new[name])
    return (lambda record: _lower(record[name]) == value) if value else None


def _lower(value: str | None) -> str | None:
    return value.casefold() if value else None
