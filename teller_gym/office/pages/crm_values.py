"""Fields of a CRM record as people read them, with links to other records."""

from __future__ import annotations

from typing import Any, NamedTuple

from teller_gym.office.crm.descriptions import Field
from teller_gym.office.crm.labels import label
from teller_gym.office.crm.schema import Entity
from teller_gym.office.pages.rendering import link


class Value(NamedTuple):
    """A value as text, and the page that it links to, if any."""

    text: str
    href: str | None = None


class Line(NamedTuple):
    """A field's human-readable name and its values."""

    label: str
    values: list[Value]


def lines(entity: Entity, record: dict[str, Any]) -> list[Line]:
    """Return a line for each field of a record (from `records.get`) that has a value, in the entity's order."""
    found = []
    for name, field in entity.fields.items():
        values = _values(name, field, record)
        if values:
            found.append(Line(label(name), values))
    return found


def _values(name: str, field: Field, record: dict[str, Any]) -> list[Value]:
    if field.type == "link":
        return _linked(field.entity, record.get(f"{name}Id"), record.get(f"{name}Name"))
    if field.type == "linkParent":
        return _linked(record.get(f"{name}Type"), record.get(f"{name}Id"), record.get(f"{name}Name"))
    if field.type == "linkMultiple":
        names = record.get(f"{name}Names") or {}
        return [value for key, text in names.items() for value in _linked(field.entity, key, text)]
    if field.type in ("email", "phone"):
        key = "emailAddress" if field.type == "email" else "phoneNumber"
        return [Value(one[key]) for one in record.get(f"{name}Data") or ()]
    value = record.get(name)
    if field.type == "datetimeOptional" and value is None:
        value = record.get(f"{name}Date")
    if field.type == "jsonObject" or value is None or value == "" or value == []:
        return []
    if isinstance(value, bool):
        return [Value("yes")] if value else []
    return [Value(str(one)) for one in value] if isinstance(value, list) else [Value(str(value))]


def _linked(entity: str | None, key: str | None, text: str | None) -> list[Value]:
    if key is None or entity is None:
        return []
    return [Value(text or key, link("record", entity=entity, id=key))]
