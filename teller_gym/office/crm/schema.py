"""An office's entities, EspoCRM's own and the client's, compiled from their descriptions."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec

from teller_gym.office.crm.attributes import TYPES, Attribute, attributes_of, fresh, with_addresses
from teller_gym.office.crm.descriptions import Column, Custom, Description, Field, built_in
from teller_gym.office.crm.errors import not_found
from teller_gym.office.ids import hex_id
from teller_gym.office.store import Store

SETTINGS: Final = "crm.settings"
"""Table of settings: ``schema`` has the client's fields and entities as JSON text, ``office`` everything else."""

_COMMON: Final = {
    "createdAt": Field(type="datetime", read_only=True),
    "modifiedAt": Field(type="datetime", read_only=True),
    "createdBy": Field(type="link", entity="User", read_only=True),
    "modifiedBy": Field(type="link", entity="User", read_only=True),
}
"""Fields of every entity."""

_NAME: Final = re.compile(r"[a-z][A-Za-z0-9]{0,99}")
_ENTITY: Final = re.compile(r"[A-Z][A-Za-z0-9]{0,99}")
_ID: Final = Attribute("id", "id", "id")
_DELETED: Final = Attribute("deleted", "bool", "deleted", blank=False)


class Link(msgspec.Struct, frozen=True):
    """A link as seen from one entity.

    Attributes:
        name: name in the API.
        kind: EspoCRM's link type; ``belongsTo`` and ``belongsToParent`` point to one record, the others to many.
        entity: the linked entity; None for a parent of several kinds.
        foreign: the link's name in the linked entity, or None.
        owner: True if the record itself stores the ids.
        columns: attributes of each pair of a ``manyMany``.
    """

    name: str
    kind: Literal["belongsTo", "belongsToParent", "hasMany", "hasChildren", "manyMany"]
    entity: str | None
    foreign: str | None
    owner: bool = False
    columns: dict[str, Column] = {}


class Entity(msgspec.Struct, frozen=True):
    """A compiled entity.

    Attributes:
        type: name of the entity.
        table: table of its records.
        about: description of the entity.
        fields: fields by name, including the common ones, with addresses split into parts.
        attributes: attributes by name, in the order of the fields.
        links: links by name, including the reverse links of other entities' fields.
        template: stored attributes of an empty record.
        filled: attributes of the template that are lists or objects, which must not be shared between records.
        listed: stored attributes that a list shows.
        singles: (id attribute, name attribute, entity) of each link.
        parents: names of the linkParent fields.
        multiples: names of the linkMultiple fields.
        writable: field of each attribute that clients may set.
        places: position of each field.
        required: fields that a record must have.
        defaults: fields that have a default.
    """

    type: str
    table: str
    about: Description
    fields: dict[str, Field]
    attributes: dict[str, Attribute]
    links: dict[str, Link]
    template: dict[str, Any]
    filled: tuple[str, ...]
    listed: tuple[str, ...]
    singles: tuple[tuple[str, str, str], ...]
    parents: tuple[str, ...]
    multiples: tuple[str, ...]
    writable: dict[str, str]
    places: dict[str, int]
    required: frozenset[str]
    defaults: tuple[str, ...]

    @property
    def owned(self) -> list[Link]:
        """Links whose ids the record itself stores."""
        return [link for link in self.links.values() if link.owner]

    def blank(self) -> dict[str, Any]:
        """Return a new record with blank values."""
        found = self.template.copy()
        for name in self.filled:
            found[name] = fresh(found[name])
        return found


Schema = dict[str, Entity]


def schema(store: Store) -> Schema:
    """Return the office's compiled entities by name."""
    row = store.get(SETTINGS, "schema")
    return compiled("{}" if row is None else row["json"])


def entity_of(store: Store, entity_type: str) -> Entity:
    """Look up an entity by name.

    Raises:
        CrmError: 404 if the entity does not exist.
    """
    found = schema(store).get(entity_type)
    if found is None:
        raise not_found(f"Controller '{entity_type}' does not exist.")
    return found


def next_id(store: Store, entity_type: str) -> str:
    """Return the id of a new record."""
    return hex_id(store.seed, f"crm.{entity_type}.new", store.count(f"crm.{entity_type}"))


def next_number(store: Store, entity_type: str) -> int:
    """Return the next number for a numbered entity, after those of the initial records."""
    numbers: dict[str, int] = (store.get(SETTINGS, "office") or {}).get("numbers", {})
    return numbers.get(entity_type, 0) + store.count(f"crm.{entity_type}.number")


@lru_cache(maxsize=64)
def compiled(custom: str) -> Schema:
    """Compile the built-in entities and a client's own, given as JSON of `Custom`.

    Raises:
        ValueError: a name, type, link or option is invalid; the message names it.
    """
    own = msgspec.json.decode(custom, type=Custom)
    described = dict(built_in())
    for name, description in own.entities.items():
        if name in described or not _ENTITY.fullmatch(name):
            raise ValueError(f"entity {name!r}: expected a new name that begins with a capital, such as CBeneficiary")
        described[name] = description
    for name in own.fields:
        if name not in described:
            raise ValueError(f"fields of {name!r}: there is no such entity; there are {', '.join(described)}")
    found = {name: _entity(name, one, own.fields.get(name, {}), described) for name, one in described.items()}
    for entity in found.values():
        _link_back(entity, found)
    return found


def _entity(name: str, about: Description, more: dict[str, Field], described: dict[str, Description]) -> Entity:
    fields = {**about.fields, **_COMMON}
    for field_name, field in more.items():
        if field_name in fields or not _NAME.fullmatch(field_name):
            raise ValueError(f"field {name}.{field_name}: expected a new name in camelCase")
        fields[field_name] = field
    if "name" not in fields:
        fields = {"name": Field(type="varchar"), **fields}
    fields = with_addresses(fields)
    attributes = {"id": _ID, "deleted": _DELETED}
    for key, field in fields.items():
        if field.type not in TYPES:
            raise ValueError(f"field {name}.{key}: unknown type {field.type!r}; known are {', '.join(TYPES)}")
        if field.pattern not in (None, "noBadCharacters"):
            raise ValueError(f"field {name}.{key}: expected the pattern noBadCharacters, got {field.pattern!r}")
        for attribute in attributes_of(key, field):
            if attribute.name in attributes:
                raise ValueError(f"field {name}.{key}: the attribute {attribute.name} is there already")
            attributes[attribute.name] = attribute
    stored = {key: one.blank for key, one in attributes.items() if one.source == "stored"}
    loads = {key for key, one in fields.items() if one.type == "linkMultiple"}
    return Entity(
        type=name,
        table=f"crm.{name}",
        about=about,
        fields=fields,
        attributes=attributes,
        links=_own_links(name, fields, described),
        template=stored,
        filled=tuple(key for key, value in stored.items() if fresh(value) is not value),
        listed=tuple(key for key in stored if attributes[key].field not in loads and not key.endswith("Data")),
        singles=tuple((f"{key}Id", f"{key}Name", f.entity or "") for key, f in fields.items() if f.type == "link"),
        parents=tuple(key for key, f in fields.items() if f.type == "linkParent"),
        multiples=tuple(key for key, f in fields.items() if f.type == "linkMultiple"),
        writable={
            key: one.field
            for key, one in attributes.items()
            if one.field in fields and not fields[one.field].read_only and not fields[one.field].computed
        },
        places={key: place for place, key in enumerate(fields)},
        required=frozenset(key for key, f in fields.items() if f.required),
        defaults=tuple(key for key, f in fields.items() if f.default is not None),
    )


def _own_links(name: str, fields: dict[str, Field], described: dict[str, Description]) -> dict[str, Link]:
    found = {}
    for key, field in fields.items():
        targets = [field.entity, *(field.entities or {})]
        for target in filter(None, targets):
            if target not in described:
                raise ValueError(f"field {name}.{key}: there is no entity {target!r}")
        if field.type in ("link", "linkMultiple") and field.entity is None:
            raise ValueError(f"field {name}.{key}: a {field.type} needs an entity")
        if field.type == "link":
            found[key] = Link(key, "belongsTo", field.entity, field.foreign, owner=True)
        elif field.type == "linkParent":
            found[key] = Link(key, "belongsToParent", None, None, owner=True)
        elif field.type == "linkMultiple":
            found[key] = Link(key, "manyMany", field.entity, field.foreign, owner=True, columns=field.columns)
    return found


def _link_back(entity: Entity, found: Schema) -> None:
    """Add the reverse links of an entity's fields to the entities that they point to."""
    for key, field in entity.fields.items():
        if field.type == "link" and field.foreign is not None:
            back = Link(field.foreign, "hasMany", entity.type, key)
            _add(found[field.entity or ""], back)
        elif field.type == "linkMultiple" and field.foreign is not None:
            _add(
                found[field.entity or ""],
                Link(field.foreign, "manyMany", entity.type, key, columns=field.columns),
            )
        elif field.type == "linkParent":
            for target, name in (field.entities or {}).items():
                _add(found[target], Link(name, "hasChildren", entity.type, key))


def _add(entity: Entity, link: Link) -> None:
    if link.name in entity.links:
        raise ValueError(f"link {entity.type}.{link.name}: it is there already; {link.entity}.{link.foreign} clashes")
    entity.links[link.name] = link
