"""Lists linked records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from teller_gym.office.crm import access
from teller_gym.office.crm.errors import not_found
from teller_gym.office.crm.schema import Entity, Link, Schema, schema
from teller_gym.office.crm.search import Params, page
from teller_gym.office.crm.terms import Scope
from teller_gym.office.store import Record, Store


def list_related(
    store: Store, user: str, entity_type: str, record_id: str, link_name: str, params: Params | None = None
) -> dict[str, Any]:
    """List the records that a link of a record points to, in the format of `search.search`."""
    entity, who, record = access.reach(store, user, entity_type, record_id, "read")
    link = entity.links.get(link_name)
    if link is None:
        raise not_found("Link does not exist.")
    entities = schema(store)
    target = link.entity if link.entity is not None else record[f"{link_name}Type"]
    if target not in entities:
        return {"total": 0, "list": []}
    access.check_scope(who, target, "read")
    scope = Scope(store, entities, entities[target], who)
    return page(scope, _related(store, entities, entity, record, link), params or {})


def _related(store: Store, entities: Schema, entity: Entity, record: Record, link: Link) -> list[Record]:
    """Return the linked records, in the order of their table or of the stored ids."""
    if link.kind == "belongsToParent":
        parent = entities.get(record[f"{link.name}Type"] or "")
        one = None if parent is None else store.get(parent.table, record[f"{link.name}Id"] or "")
        return [] if one is None else [one]
    table = entities[link.entity or ""].table
    if link.owner:
        ids = record[f"{link.name}Ids"] if link.kind == "manyMany" else [record[f"{link.name}Id"]]
        return [one for key in ids if key is not None and (one := store.get(table, key)) is not None]
    here = record["id"]
    return [row for back, row in _backs(store, entities, entity, link) if back == here]


def _backs(store: Store, entities: Schema, entity: Entity, link: Link) -> Iterator[tuple[str, Record]]:
    """Iterate over the records that link back to an entity's records, each with the id that it links to."""
    name = link.foreign
    for _, row in store.rows(entities[link.entity or ""].table):
        if link.kind == "manyMany":
            for one in row[f"{name}Ids"]:
                yield one, row
        elif (link.kind == "hasMany" or row[f"{name}Type"] == entity.type) and row[f"{name}Id"] is not None:
            yield row[f"{name}Id"], row
