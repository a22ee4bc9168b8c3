"""A record's stream: posts, and notes about its creation and changes."""

from __future__ import annotations

from typing import Any

from teller_gym.office.crm import access
from teller_gym.office.crm.errors import not_found
from teller_gym.office.crm.output import link_name, show
from teller_gym.office.crm.rules import Change
from teller_gym.office.crm.schema import Link, entity_of, next_id, next_number, schema
from teller_gym.office.crm.search import Params, page
from teller_gym.office.crm.terms import Scope
from teller_gym.office.store import Record, Store


def read_stream(
    store: Store, user: str, entity_type: str, record_id: str, params: Params | None = None
) -> dict[str, Any]:
    """List the notes in a record's stream with all attributes, newest first, in the format of `search.search`."""
    entity = entity_of(store, entity_type)
    who = access.actor(store, user)
    record = store.get(entity.table, record_id)
    if record is None:
        raise not_found(f"Record {record_id} not found.")
    access.check(store, who, entity, record, "stream")
    entities = schema(store)
    scope = Scope(store, entities, entities["Note"], who)
    own = {**(params or {}), "orderBy": "number", "order": "desc"}
    rows = (
        note
        for _, note in store.rows("crm.Note")
        if note["parentId"] == record_id and note["parentType"] == entity_type
    )
    found = page(scope, rows, own, extra=lambda note: show(store, entities, scope.entity, note, who))
    return {**found, "pinnedList": []}


def note_creation(change: Change) -> None:
    """Note a new record in its own stream and in the streams of the records that it belongs to."""
    entity, new = change.entity, change.new
    if entity.about.stream:
        data: dict[str, Any] = {}
        if new.get("assignedUserId") is not None:
            data["assignedUserId"] = new["assignedUserId"]
            data["assignedUserName"] = link_name(change.store, change.entities, "User", new["assignedUserId"])
        status = entity.about.status_field
        if status is not None and new[status] is not None:
            data |= {"statusValue": new[status], "statusField": status}
        _add(change, "Create", entity.type, new["id"], data)
    told: list[str] = []
    for link in entity.owned:
        target, key = _first_target(link, new)
        if target is not None and key is not None and target not in told and _observed(change, link, target):
            told.append(target)
            _add(change, "CreateRelated", target, key, {}, related=(entity.type, new["id"]))


def note_update(change: Change) -> None:
    """Note a new assigned user, changed audited fields and a changed status in the record's stream."""
    entity, new, old = change.entity, change.new, change.old
    if old is None:
        return
    if entity.about.stream and "assignedUserId" in new and change.changed("assignedUserId"):
        name = link_name(change.store, change.entities, "User", new["assignedUserId"])
        data = {"assignedUserId": new["assignedUserId"], "assignedUserName": name}
        _add(change, "Assign", entity.type, new["id"], data)
    status = entity.about.status_field if entity.about.stream else None
    audited = [
        one
        for one in entity.attributes.values()
        if one.source == "stored"
        and one.field != status
        and one.field in entity.fields
        and entity.fields[one.field].audited
    ]
    fields = list(dict.fromkeys(one.field for one in audited if old[one.name] != new[one.name]))
    was = {one.name: old[one.name] for one in audited if one.field in fields}
    became = {one.name: new[one.name] for one in audited if one.field in fields}
    moved = {"value": new[status]} if status is not None and change.changed(status) and new[status] else {}
    if fields or moved:
        data = {"fields": fields, "attributes": {"was": was, "became": became}, **moved}
        _add(change, "Update", entity.type, new["id"], data)


def _first_target(link: Link, new: Record) -> tuple[str | None, str | None]:
    """Return the type and id of the first record that a new record's link points to."""
    if link.kind == "belongsToParent":
        return new[f"{link.name}Type"], new[f"{link.name}Id"]
    if link.kind == "belongsTo":
        return link.entity, new[f"{link.name}Id"]
    ids = new[f"{link.name}Ids"]
    return link.entity, ids[0] if ids else None


def _observed(change: Change, link: Link, target: str) -> bool:
    """Return True if the target entity audits a link."""
    there = change.entities.get(target)
    if there is None:
        return False
    foreign = link.foreign
    if link.kind == "belongsToParent":
        foreign = (change.entity.fields[link.name].entities or {}).get(target)
    return there.about.stream and foreign is not None and foreign in there.about.audited_links


def _add(
    change: Change,
    kind: str,
    parent_type: str,
    parent_id: str,
    data: dict[str, Any],
    related: tuple[str, str] | None = None,
) -> None:
    store = change.store
    note = change.entities["Note"].blank() | {
        "id": next_id(store, "Note"),
        "type": kind,
        "data": data,
        "parentType": parent_type,
        "parentId": parent_id,
        "number": next_number(store, "Note"),
        "createdAt": change.now,
        "modifiedAt": change.now,
        "createdById": change.who.id,
    }
    if related is not None:
        note |= {"relatedType": related[0], "relatedId": related[1]}
    store.put("crm.Note", note["id"], note)
