"""Attributes of fields.

A link field `account`, for example, has the attributes `accountId` and `accountName`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

import msgspec

from teller_gym.office.crm.descriptions import Field

Kind = Literal["text", "id", "person", "bool", "int", "float", "date", "datetime", "ids", "json"]
"""Type that determines how an attribute's values compare. `person` is a name in parts, `ids` a list of ids."""

Source = Literal["stored", "linked", "parent", "names", "computed"]
"""Origin of an attribute's value: the record itself, a linked record, or a computation."""


class Attribute(msgspec.Struct, frozen=True):
    """An attribute of an entity's records.

    Attributes:
        name: name in the API.
        kind: type for comparisons (see `Kind`).
        field: name of the field that the attribute belongs to.
        source: origin of the value (see `Source`).
        blank: value in an empty record.
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
"""Parts of an address, which are separate fields in EspoCRM."""


def with_addresses(fields: Mapping[str, Field]) -> dict[str, Field]:
    """Return the fields with each address replaced by its parts."""
    found: dict[str, Field] = {}
    for name, field in fields.items():
        if field.type == "address":
            found.update({f"{name}{part}": one for part, one in _ADDRESS.items()})
        else:
            found[name] = field
    return found


_BLANKS: Final[Mapping[Kind, Any]] = MappingProxyType({"bool": False, "ids": (), "json": MappingProxyType({})})
"""Values in an empty record by kind. All other kinds have None."""

_PARTS: Final[Mapping[str, tuple[tuple[str, Kind, Source], ...]]] = MappingProxyType(
    {
        **dict.fromkeys(("varchar", "text", "enum"), (("", "text", "stored"),)),
        **{name: (("", name, "stored"),) for name in ("bool", "int", "float", "date", "datetime")},
        "personName": (("", "person", "stored"),),
        "autoincrement": (("", "int", "stored"),),
        "jsonObject": (("", "json", "stored"),),
        "email": (("", "text", "stored"), ("Data", "json", "stored")),
        "phone": (("", "text", "stored"), ("Data", "json", "stored")),
        "datetimeOptional": (("", "datetime", "stored"), ("Date", "date", "stored")),
        "link": (("Id", "id", "stored"), ("Name", "text", "linked")),
        "linkParent": (("Id", "id", "stored"), ("Type", "text", "stored"), ("Name", "text", "parent")),
        "linkMultiple": (("Ids", "ids", "stored"), ("Names", "json", "names"), ("Columns", "json", "stored")),
    }
)
"""Suffix, kind and source of each attribute of a field, by field type. Addresses are split up beforehand."""

TYPES: Final = tuple(_PARTS)
"""Supported field types."""


def attributes_of(name: str, field: Field) -> list[Attribute]:
    """Derive a field's attributes from its type."""
    found = []
    for ending, kind, source in _PARTS[field.type]:
        if ending == "Columns" and not field.columns:
            continue
        blank = () if ending == "Data" else _BLANKS.get(kind)
        found.append(Attribute(name + ending, kind, name, "computed" if field.computed else source, blank))
    return found


def fresh(blank: Any) -> Any:
    """Return a blank value as plain data.

    Lists and dictionaries are new objects each time.
    """
    if isinstance(blank, tuple):
        return []
    return {} if isinstance(blank, MappingProxyType) else blank
