"""Reads, creates, changes and deletes single records."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from teller_gym.office.crm import access, stream
from teller_gym.office.crm.checks import Given, Invalid
from teller_gym.office.crm.descriptions import Field
from teller_gym.office.crm.duplicates import check_duplicates
from teller_gym.office.crm.errors import bad_request, forbidden, validation_failure
from teller_gym.office.crm.output import show
from teller_gym.office.crm.rules import Change, apply
from teller_gym.office.crm.schema import Entity, entity_of, next_id, next_number, schema
from teller_gym.office.crm.values import accept
from teller_gym.office.store import Record, Store

MAX_GIVEN: Final = 500
"""Maximum number of attributes in one request. Entities have far fewer."""

_NOT_CREATED: Final = {
    "User": "Users are not created or deleted through the API here.",
    "Attachment": "Attachments are not created through the API here.",
}
_DERIVED: Final = frozenset({"autoincrement", "personName", "jsonObject"})


def get(store: Store, user: str, entity_type: str, record_id: str) -> dict[str, Any]:
    """Return a record with all its attributes."""
    entity, who, record = access.reach(store, user, entity_type, record_id, "read", "does not exist")
    return show(store, schema(store), entity, record, who)


def create(
    store: Store, user: str, entity_type: str, values: Given, *, skip_duplicate_check: bool = False
) -> dict[str, Any]:
    """Create a record and return it with all its attributes.

    Read-only and unknown attributes are ignored, as in EspoCRM.
    """
    entity, who = entity_of(store, entity_type), access.actor(store, user)
    access.check_scope(who, entity_type, "create")
    if entity_type in _NOT_CREATED:
        raise forbidden(_NOT_CREATED[entity_type])
    new = entity.blank()
    given = _accept(store, entity, values, new)
    change = change_of(store, entity, None, new, given, who)
    _complete(change)
    if not skip_duplicate_check:
        check_duplicates(change)
    store.tick()
    for name, field in entity.fields.items():
        if field.type == "autoincrement":
            new[name] = next_number(store, entity.type)
    new |= {"id": next_id(store, entity.type), "createdById": who.id, "createdAt": change.now, "modifiedAt": change.now}
    store.put(entity.table, new["id"], new)
    stream.note_creation(change)
    return show(store, change.entities, entity, new, who)


def update(store: Store, user: str, entity_type: str, record_id: str, values: Given) -> dict[str, Any]:
    """Change the given attributes of a record and return the record with all its attributes."""
    entity, who, old = access.reach(store, user, entity_type, record_id, "edit")
    new = dict(old)
    given = _accept(store, entity, values, new, old)
    change = change_of(store, entity, old, new, given, who)
    _complete(change)
    store.tick()
    new |= {"modifiedAt": change.now, "modifiedById": who.id}
    store.put(entity.table, record_id, new)
    stream.note_update(change)
    return show(store, change.entities, entity, new, who)


def post_note(store: Store, user: str, parent_type: str, parent_id: str, post: str) -> dict[str, Any]:
    """Post a text to a record's stream and return the note."""
    values = {"type": "Post", "parentType": parent_type, "parentId": parent_id, "post": post}
    return create(store, user, "Note", values)


def delete(store: Store, user: str, entity_type: str, record_id: str) -> bool:
    """Delete a record and return True.

    Links to the record then show no name.
    """
    entity, _, _ = access.reach(store, user, entity_type, record_id, "delete")
    if entity_type == "User":
        raise forbidden(_NOT_CREATED["User"])
    store.tick()
    store.delete(entity.table, record_id)
    return True


def _accept(store: Store, entity: Entity, values: Given, new: dict[str, Any], old: Record | None = None) -> Record:
    """Validate given values, write them into the new record in the order of the fields, and return them."""
    if len(values) > MAX_GIVEN:
        raise bad_request(f"Expected at most {MAX_GIVEN} attributes, got {len(values)}.")
    touched = {entity.writable[key] for key in values if key in entity.writable}
    if old is None:
        touched |= entity.required
        for name in entity.defaults:
            field = entity.fields[name]
            new[name] = str(store.clock().date()) if field.type == "date" else field.default
    accepted: Record = {}
    for name in sorted(touched, key=entity.places.__getitem__):
        field = entity.fields[name]
        try:
            given = accept(name, field, values)
        except Invalid as invalid:
            raise validation_failure(entity.type, name, str(invalid)) from None
        accepted |= given
        new |= given
        if field.required and _is_empty(name, field, new):
            raise validation_failure(entity.type, name, "required")
    return accepted


def _is_empty(name: str, field: Field, new: Record) -> bool:
    if field.type == "link":
        return new[f"{name}Id"] is None
    if field.type == "linkParent":
        return new[f"{name}Id"] is None or new[f"{name}Type"] is None
    if field.type == "linkMultiple":
        return not new[f"{name}Ids"]
    if field.type == "datetimeOptional":
        return new[name] is None and new[f"{name}Date"] is None
    return field.type not in _DERIVED and (new[name] is None or new[name] == "" or new[name] == [])


def change_of(
    store: Store, entity: Entity, old: Record | None, new: dict[str, Any], given: Record, who: access.Actor
) -> Change:
    """Return a change that is saved at the store's next tick."""
    now = str(store.clock() + timedelta(seconds=1))
    return Change(store, schema(store), entity, old, new, given, who, now)


def _complete(change: Change) -> None:
    """Apply the entity's rules, and check the records that the new record links to."""
    apply(change)
    for link in change.entity.owned:
        if link.kind == "manyMany":
            known = () if change.old is None else change.old[f"{link.name}Ids"]
            for one in change.new[f"{link.name}Ids"]:
                if one not in known:
                    _check_link(change, link.name, link.entity, one)
        elif change.changed(f"{link.name}Id") and change.new[f"{link.name}Id"] is not None:
            target = link.entity if link.entity is not None else change.new[f"{link.name}Type"]
            _check_link(change, link.name, target, change.new[f"{link.name}Id"])


def _check_link(change: Change, link: str, entity_type: str | None, record_id: str) -> None:
    entity = None if entity_type is None else change.entities.get(entity_type)
    record = None if entity is None else change.store.get(entity.table, record_id)
    where = f"entity type: {change.entity.type}, link: {link}."
    if entity is None or record is None:
        raise forbidden(f"Can't relate with non-existing record. {where}")
    if not access.allowed(change.store, change.who, entity, record, "read"):
        raise forbidden(f"No foreign record access for link operation ({change.entity.type}:{link}).")
