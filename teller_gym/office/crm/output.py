"""Records as the API shows them: with the names of what they are linked to, and what is worked out when read."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from teller_gym.office.crm.access import Actor
from teller_gym.office.crm.schema import Entity, Schema
from teller_gym.office.store import Record, Store


def show(store: Store, entities: Schema, entity: Entity, record: Record, who: Actor) -> dict[str, Any]:
    """Return a record with all its attributes, those of its linkMultiple fields included."""
    found = dict(record)
    for name in entity.unloaded:
        found.pop(name, None)
    for name in entity.multiples:
        add_multiple(store, entities, entity, found, name)
    _add_links(store, entities, entity, found)
    _add_computed(store, entity, found, record, who)
    return found


def show_in_list(store: Store, entities: Schema, entity: Entity, record: Record, who: Actor) -> dict[str, Any]:
    """Return a record as lists have it: without its linkMultiple fields."""
    found = {name: record[name] for name in entity.listed}
    _add_links(store, entities, entity, found)
    _add_computed(store, entity, found, record, who)
    return found


def show_selected(
    store: Store, entities: Schema, entity: Entity, record: Record, who: Actor, select: Collection[str]
) -> dict[str, Any]:
    """Return the selected attributes of a record; those that are none of its are left out."""
    found = show_in_list(store, entities, entity, record, who)
    for name, field in entity.fields.items():
        ends = ("Ids", "Names", "Columns") if field.type == "linkMultiple" else ("Data",)
        if any(f"{name}{end}" in select for end in ends):
            found |= {key: record[key] for key in (f"{name}{end}" for end in ends) if key in record}
            if field.type == "linkMultiple" and not field.no_load:
                add_multiple(store, entities, entity, found, name)
    return {name: found[name] for name in select if name in found}


def add_multiple(store: Store, entities: Schema, entity: Entity, found: dict[str, Any], name: str) -> None:
    """Put a linkMultiple field's ids, names and columns into an output; records that are gone are left out."""
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
    """Return the name of a linked record; None if there is no such record."""
    if record_id is None or entity_type is None or entity_type not in entities:
        return None
    linked = store.get(entities[entity_type].table, record_id)
    return None if linked is None else linked["name"]


def is_overdue(store: Store, record: Record) -> bool:
    """Whether a task should have been done by now."""
    end, status = record["dateEnd"], record["status"]
    late: bool = end is not None and end < store.clock().strftime("%Y-%m-%d %H:%M:%S")
    return late and status not in ("Completed", "Canceled")


def _add_links(store: Store, entities: Schema, entity: Entity, found: dict[str, Any]) -> None:
    for key, name, target in entity.singles:
        linked_id = found[key]
        linked = None if linked_id is None else store.get(entities[target].table, linked_id)
        found[name] = None if linked is None else linked["name"]
    for name in entity.parents:
        found[f"{name}Name"] = link_name(store, entities, found[f"{name}Type"], found[f"{name}Id"])
    for name, key, target, attribute in entity.foreigns:
        linked = None if found[key] is None else store.get(entities[target].table, found[key])
        found[name] = None if linked is None else linked[attribute]


def _add_computed(store: Store, entity: Entity, found: dict[str, Any], record: Record, who: Actor) -> None:
    if "isOverdue" in entity.attributes:
        found["isOverdue"] = is_overdue(store, record)
    if "acceptanceStatus" in entity.attributes:
        found["acceptanceStatus"] = acceptance(record, who)


def acceptance(record: Record, who: Actor) -> str | None:
    """Return what somebody answered to a meeting's or call's invitation; None if they are not among its users."""
    if who.id not in record["usersIds"]:
        return None
    found: str = record["usersColumns"].get(who.id, {}).get("status", "None")
    return found
