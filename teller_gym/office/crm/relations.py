"""Records that a link leads to: those whose ids a record holds, or those whose link leads back."""

from __future__ import annotations

from collections.abc import Iterator

from teller_gym.office.crm.schema import Entity, Link, Schema
from teller_gym.office.store import Record, Store


def related(store: Store, entities: Schema, entity: Entity, record: Record, link: Link) -> list[Record]:
    """Return the records that a link of a record leads to, in the order of their table or of the ids held."""
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
    """Iterate over the linked ids of this entity, each with the record that holds it."""
    name = link.foreign
    for _, row in store.rows(entities[link.entity or ""].table):
        if link.kind == "manyMany":
            for one in row[f"{name}Ids"]:
                yield one, row
        elif (link.kind == "hasMany" or row[f"{name}Type"] == entity.type) and row[f"{name}Id"] is not None:
            yield row[f"{name}Id"], row
