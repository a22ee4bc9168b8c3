"""The scope of a search, and readers of records' attributes."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

import msgspec

from teller_gym.office.crm.access import Actor
from teller_gym.office.crm.attributes import Kind
from teller_gym.office.crm.errors import bad_request
from teller_gym.office.crm.output import acceptance, is_overdue, link_name
from teller_gym.office.crm.schema import Entity, Schema
from teller_gym.office.store import Record, Store

Get = Callable[[Record], Any]


class Scope(msgspec.Struct, frozen=True):
    """The entity whose records are searched, and the user who searches.

    Attributes:
        store: the office.
        entities: all entities.
        entity: the entity whose records are searched.
        who: the user.
    """

    store: Store
    entities: Schema
    entity: Entity
    who: Actor


class Read(msgspec.Struct, frozen=True):
    """An attribute as a search reads it.

    Attributes:
        name: as requested.
        kind: determines how its values compare.
        get: returns its value in a record, or None.
    """

    name: str
    kind: Kind
    get: Get


def reader(scope: Scope, name: str) -> Read:
    """Return the reader of an attribute; ``link.attribute`` reads an attribute of a linked record.

    Raises:
        CrmError: 400, there is no such attribute, or its values cannot be compared.
    """
    if "." in name:
        return _through(scope, name)
    attribute = scope.entity.attributes.get(name)
    if attribute is None:
        raise bad_request(f"Not existing attribute '{name}' in where.")
    if attribute.kind == "ids":
        raise bad_request(f"Attribute '{name}' holds links; filter by linkedWith on '{attribute.field}'.")
    if attribute.kind == "json":
        raise bad_request(f"Attribute '{name}' cannot be compared.")
    if attribute.source == "stored":
        return Read(name, attribute.kind, itemgetter(name))
    return Read(name, attribute.kind, _derived(scope, attribute.field, attribute.source))


def _derived(scope: Scope, field: str, source: str) -> Get:
    store, entities, about = scope.store, scope.entities, scope.entity.fields[field]
    if source == "linked":
        key = f"{field}Id"
        return lambda record: link_name(store, entities, about.entity, record[key])
    if source == "parent":
        return lambda record: link_name(store, entities, record[f"{field}Type"], record[f"{field}Id"])
    if source == "foreign":
        target = entities[scope.entity.fields[about.link or ""].entity or ""]
        return _foreign(store, f"{about.link}Id", target.table, about.field or "")
    if field == "isOverdue":
        return lambda record: is_overdue(store, record)
    who = scope.who
    return lambda record: acceptance(record, who)


def _through(scope: Scope, path: str) -> Read:
    link_name_, _, name = path.partition(".")
    link = scope.entity.links.get(link_name_)
    if link is None or link.kind != "belongsTo":
        raise bad_request(f"Bad relation '{link_name_}' in where. Expected a link to one record.")
    target = scope.entities[link.entity or ""]
    attribute = target.attributes.get(name)
    if attribute is None or attribute.source != "stored" or attribute.kind in ("ids", "json", "list", "person"):
        raise bad_request(f"Not existing attribute '{path}' in where.")
    return Read(path, attribute.kind, _foreign(scope.store, f"{link_name_}Id", target.table, name))


def _foreign(store: Store, key: str, table: str, name: str) -> Get:
    def get(record: Record) -> Any:
        linked = None if record[key] is None else store.get(table, record[key])
        return None if linked is None else linked[name]

    return get
