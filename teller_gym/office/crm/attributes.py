"""The attributes that a field has, by its type: a link `account` is the attributes `accountId` and `accountName`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

import msgspec

from teller_gym.office.crm.descriptions import Field

Kind = Literal["text", "id", "person", "bool", "int", "float", "date", "datetime", "list", "ids", "json"]
"""Way in which an attribute's values compare: `person` is a name in parts, `list` holds strings, `ids` holds ids."""

Source = Literal["stored", "linked", "parent", "names", "computed"]
"""Origin of an attribute's value: the record itself, a linked record, or a computation."""


class Attribute(msgspec.Struct, frozen=True):
    """One attribute of an entity's records.

    Attributes:
        name: as the API writes it.
        kind: see `Kind`.
        field: the field that it belongs to.
        source: see `Source`.
        blank: its value in a record that says nothing.
    """

    name: str
    kind: Kind
    field: str
    source: Source = "stored"
    blank: Any = None


_ADDRESS: Final[Mapping[str, Field]] = MappingProxyType(
    {
        "Street": Field(type="text", max_length=255),
        "City": Field(type="varchar", max_length=100),
        "State": Field(type="varchar", max_length=100),
        "Country": Field(type="varchar", max_length=100),
        "PostalCode": Field(type="varchar", max_length=40),
    }
)
"""The parts of an address; EspoCRM has them as fields of their own."""


def with_addresses(fields: Mapping[str, Field]) -> dict[str, Field]:
    """Return the fields with each address replaced by its parts."""
    found: dict[str, Field] = {}
    for name, field in fields.items():
        if field.type == "address":
            found.update({f"{name}{part}": one for part, one in _ADDRESS.items()})
        else:
            found[name] = field
    return found


def _one(kind: Kind, blank: Any = None) -> Callable[[str, Field], list[Attribute]]:
    def expand(name: str, field: Field) -> list[Attribute]:
        return [Attribute(name, kind, name, "computed" if field.computed else "stored", blank)]

    return expand


def _with_data(name: str, _: Field) -> list[Attribute]:
    return [Attribute(name, "text", name), Attribute(f"{name}Data", "json", name, blank=())]


def _datetime_optional(name: str, _: Field) -> list[Attribute]:
    return [Attribute(name, "datetime", name), Attribute(f"{name}Date", "date", name)]


def _link(name: str, _: Field) -> list[Attribute]:
    return [Attribute(f"{name}Id", "id", name), Attribute(f"{name}Name", "text", name, "linked")]


def _link_parent(name: str, _: Field) -> list[Attribute]:
    return [
        Attribute(f"{name}Id", "id", name),
        Attribute(f"{name}Type", "text", name),
        Attribute(f"{name}Name", "text", name, "parent"),
    ]


def _link_multiple(name: str, field: Field) -> list[Attribute]:
    found = [Attribute(f"{name}Ids", "ids", name, blank=()), Attribute(f"{name}Names", "json", name, "names")]
    if field.columns:
        found.append(Attribute(f"{name}Columns", "json", name, blank=MappingProxyType({})))
    return found


EXPANSIONS: Final[Mapping[str, Callable[[str, Field], list[Attribute]]]] = MappingProxyType(
    {
        "varchar": _one("text"),
        "text": _one("text"),
        "wysiwyg": _one("text"),
        "url": _one("text"),
        "enum": _one("text"),
        "personName": _one("person"),
        "bool": _one("bool", False),
        "int": _one("int"),
        "float": _one("float"),
        "autoincrement": _one("int"),
        "date": _one("date"),
        "datetime": _one("datetime"),
        "array": _one("list", ()),
        "jsonObject": _one("json", MappingProxyType({})),
        "email": _with_data,
        "phone": _with_data,
        "datetimeOptional": _datetime_optional,
        "link": _link,
        "linkParent": _link_parent,
        "linkMultiple": _link_multiple,
    }
)
"""The attributes of a field by its type; `address` is replaced by its parts before."""


def fresh(blank: Any) -> Any:
    """Return a blank value as plain data: lists and dictionaries are new ones each time."""
    if isinstance(blank, tuple):
        return []
    return {} if isinstance(blank, MappingProxyType) else blank
