"""The scope of a search, and readers of records' attributes."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

import msgspec

from teller_gym.office.crm.access import Actor
from teller_gym.office.crm.attributes import Kind
from teller_gym.office.crm.errors import bad_request
from teller_gym.office.crm.output import link_name
from teller_gym.office.crm.schema import Entity, Schema
from teller_gym.office.store import Record, Store

Get = Callable[[Record], Any]


class Scope(msgspec.Struct, frozen=True):
    """The entity whose records are searched, and the user who searches."""

    store: Store
    entities: Schema
    entity: Entity
    who: Actor


class Read(msgspec.Struct, frozen=True):
    """An attribute as a search reads it.

    Attributes:
        kind: determines how its values compare.
        get: returns its value in a record, or None.
    """

    name: str
    kind: Kind
    get: Get


def reader(scope: Scope, name: str) -> Read:
    """Return the reader of an attribute.

    Raises:
        CrmError: 400, there is no such attribute, or its values cannot be compared.
    """
    attribute = scope.entity.attributes.get(name)
    if attribute is None:
        raise bad_request(f"Not existing attribute '{name}' in where.")
    if attribute.kind in ("ids", "json") or attribute.source == "computed":
        raise bad_request(f"Attribute '{name}' cannot be compared.")
    if attribute.source == "stored":
        return Read(name, attribute.kind, itemgetter(name))
    field, entity = attribute.field, scope.entity.fields[attribute.field].entity

    def linked(record: Record) -> str | None:
        kind = entity if attribute.source == "linked" else record[f"{field}Type"]
        return link_name(scope.store, scope.entities, kind, record[f"{field}Id"])

    return Read(name, attribute.kind, linked)
