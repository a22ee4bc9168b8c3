"""Formats records for the API, with the names of linked records and with computed attributes."""

from __future__ import annotations

from typing import Any

from teller_gym.office.crm.access import Actor
from teller_gym.office.crm.schema import Entity, Schema
from teller_gym.office.store import Record, Store


def show(store: Store, entities: Schema, entity: Entity, record: Record, who: Actor) -> dict[str, Any]:
    """Return a record with all its attributes, including those of its linkMultiple fields."""
    found = dict(record)
    for name in entity.multiples:
        _add_multiple(store, entities, entity, found, name)
    _add_links(store, entities, entity, found)
    _add_computed(store, entity, found, record, who)
    return found


def show_in_list(store: Store, entities: Schema, entity: Entity, record: Record, who: Actor) -> dict[str, Any]:
    """Return a record as lists show it, without its linkMultiple fields."""
    found = {name: record[name] for name in entity.listed}
    _add_links(store, entities, entity, found)
    _add_computed(store, entity, found, record, who)
    return found


def _add_multiple(store: Store, entities: Schema, entity: Entity, found: dict[str, Any], name: str) -> None:
    """Add a linkMultiple field's ids, names and columns to the output, without deleted records."""
    field = entity.fields[name]
    table = entities[field.entity or ""].table
    names = {}
    for one in found[f"{name}Ids"]:
        linked = store.get(table, one)
        if linked is not None:
            names[one] = linked["name"]
    if len(names) != len(found[f"{name}Ids"]):
        found[f"{name}Ids"] = list(names)
    found[f"{name}Names"] = names
    if field.columns:
        kept = found[f"{name}Columns"]
        blank = {key: column.default for key, column in field.columns.items()}
        found[f"{name}Columns"] = {one: {**blank, **kept.get(one, {})} for one in names}


def link_name(store: Store, entities: Schema, entity_type: str | None, record_id: str | None) -> str | None:
    """Return the name of a linked record, or None if there is no such record."""
    if record_id is None or entity_type is None or entity_type not in entities:
        return None
    linked = store.get(entities[entity_type].table, record_id)
    return None if linked is None else linked["name"]


def _add_links(store: Store, entities: Schema, entity: Entity, found: dict[str, Any]) -> None:
    for key, name, target in entity.singles:
        linked_id = found[key]
        linked = None if linked_id is None else store.get(entities[target].table, linked_id)
        found[name] = None if linked is None else linked["name"]
    for name in entity.parents:
        found[f"{name}Name"] = link_name(store, entities, found[f"{name}Type"], found[f"{name}Id"])


def _add_computed(store: Store, entity: Entity, found: dict[str, Any], record: Record, who: Actor) -> None:
    if "isOverdue" in entity.attributes:
        end = record["dateEnd"]
        late = end is not None and end < store.clock().strftime("%Y-%m-%d %H:%M:%S")
        found["isOverdue"] = late and record["status"] not in ("Completed", "Canceled")
    if "acceptanceStatus" in entity.attributes:
        is_invited = who.id in record["usersIds"]
        found["acceptanceStatus"] = record["usersColumns"].get(who.id, {}).get("status", "None") if is_invited else None
