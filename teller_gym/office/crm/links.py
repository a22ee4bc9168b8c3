"""Records that are linked to a record: listing, relating and unrelating them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from teller_gym.office.crm import access, stream
from teller_gym.office.crm.errors import bad_request, forbidden, not_found
from teller_gym.office.crm.records import change_of
from teller_gym.office.crm.relations import related
from teller_gym.office.crm.rules import Change
from teller_gym.office.crm.schema import Entity, Link, entity_of, schema
from teller_gym.office.crm.scope import Scope
from teller_gym.office.crm.search import Params, page
from teller_gym.office.store import Record, Store

MAX_IDS: Final = 200
"""Records related in one request: as many as a list shows."""

_ONE: Final = frozenset({"belongsTo", "belongsToParent"})


def list_related(
    store: Store, user: str, entity_type: str, record_id: str, link_name: str, params: Params | None = None
) -> dict[str, Any]:
    """Return the records that a link of a record leads to, as `search` returns them.

    What is kept about each pair is shown too, such as ``acceptanceStatus`` of a meeting's users.

    Raises:
        CrmError: 400 (a bad search), 401, 403 (no access), 404 (no such entity, record or link).
    """
    entity, who = entity_of(store, entity_type), access.actor(store, user)
    access.check_scope(who, entity_type, "read")
    record = store.get(entity.table, record_id)
    if record is None:
        raise not_found(f"Record {record_id} not found.")
    access.check(store, who, entity, record, "read")
    link = entity.links.get(link_name)
    if link is None:
        raise not_found("Link does not exist.")
    entities = schema(store)
    target = link.entity if link.entity is not None else record[f"{link_name}Type"]
    if target not in entities:
        return {"total": 0, "list": []}
    access.check_scope(who, target, "read")
    scope = Scope(store, entities, entities[target], who)
    found = related(store, entities, entity, record, link)
    return page(scope, found, params or {}, extra=_columns(record, link))


def relate(store: Store, user: str, entity_type: str, record_id: str, link_name: str, ids: Sequence[str]) -> bool:
    """Relate records through a link that leads to many. Returns whether there was anything to relate.

    What is related already stays so.

    Raises:
        CrmError: 400 (bad ids), 401, 403 (no access to either side, or a link to one record), 404.
    """
    return _set(store, user, entity_type, record_id, link_name, ids, _Join(related=True))


def unrelate(store: Store, user: str, entity_type: str, record_id: str, link_name: str, ids: Sequence[str]) -> bool:
    """Take records out of a link that leads to many. Returns whether there was anything to take out.

    Raises:
        CrmError: see `relate`; 403 also if the other side cannot do without the link.
    """
    return _set(store, user, entity_type, record_id, link_name, ids, _Join(related=False))


class _Join:
    """What relating or unrelating writes: whole new records by table and key, on whichever side holds the link."""

    def __init__(self, related: bool) -> None:
        self.related = related
        self.written: dict[tuple[str, str], Record] = {}

    def holds(self, record: Record, link: Link, key: str, entity: Entity) -> bool:
        """Whether a record holds a link, called by its name there, to another."""
        if link.kind == "manyMany":
            return key in record[f"{link.name}Ids"]
        if link.kind == "belongsToParent" and record[f"{link.name}Type"] != entity.type:
            return False
        return bool(record[f"{link.name}Id"] == key)

    def write(self, entity: Entity, record: Record, link: Link, other: Entity, key: str) -> None:
        """Write the link into the record that holds it."""
        new = dict(record)
        if link.kind == "manyMany":
            ids = record[f"{link.name}Ids"]
            new[f"{link.name}Ids"] = [*ids, key] if self.related else [one for one in ids if one != key]
            if link.columns:
                columns = {one: row for one, row in record[f"{link.name}Columns"].items() if one != key}
                if self.related:
                    columns[key] = {name: column.default for name, column in link.columns.items()}
                new[f"{link.name}Columns"] = columns
            self._primary(entity, new, link, key)
        else:
            new[f"{link.name}Id"] = key if self.related else None
            if link.kind == "belongsToParent":
                new[f"{link.name}Type"] = other.type if self.related else None
        self.written[entity.table, record["id"]] = new

    def _primary(self, entity: Entity, new: dict[str, Any], link: Link, key: str) -> None:
        """A contact's first account is its primary one, and so is an opportunity's first contact."""
        one = {("Contact", "accounts"): "accountId", ("Opportunity", "contacts"): "contactId"}.get(
            (entity.type, link.name)
        )
        if one is None:
            return
        if self.related and new[one] is None:
            new[one] = key
        elif not self.related and new[one] == key:
            new[one] = None


def _set(
    store: Store, user: str, entity_type: str, record_id: str, link_name: str, ids: Sequence[str], join: _Join
) -> bool:
    entity, who = entity_of(store, entity_type), access.actor(store, user)
    access.check_scope(who, entity_type, "edit")
    link = entity.links.get(link_name)
    if link is not None and link.kind in _ONE:
        raise forbidden("Only manyMany, hasMany & hasChildren relations are allowed.")
    record = store.get(entity.table, record_id)
    if record is None:
        raise not_found(f"Record {record_id} not found.")
    if not access.allowed(store, who, entity, record, "edit"):
        message = f"No record access for link operation ({entity_type}:{link_name})."
        raise forbidden(message, "noAccessToRecord", action="edit")
    if link is None or link.entity is None:
        raise not_found(f"Entity {entity_type} does not have link {link_name}.")
    if len(ids) > MAX_IDS or not all(isinstance(one, str) and one for one in ids):
        raise bad_request(f"Expected at most {MAX_IDS} ids.")
    other = schema(store)[link.entity]
    change = change_of(store, entity, record, dict(record), {}, who)
    changed = []
    for one in dict.fromkeys(ids):
        if _set_one(change, link, other, one, join):
            changed.append(one)
    if changed:
        store.tick()
    for (table, key), new in join.written.items():
        store.put(table, key, new)
    for one in changed:
        stream.note_relation(change, link, other, one, "Relate" if join.related else "Unrelate")
    return bool(ids)


def _set_one(change: Change, link: Link, other: Entity, other_id: str, join: _Join) -> bool:
    """Note down what one pair changes; False if it is as it should be already."""
    store, who, entity = change.store, change.who, change.entity
    foreign = store.get(other.table, other_id)
    if foreign is None:
        raise not_found(f"Record {other_id} not found.")
    if not access.allowed(store, who, other, foreign, "edit"):
        message = f"No foreign record access for link operation ({entity.type}:{link.name})."
        raise forbidden(message, "noAccessToForeignRecord", action="edit")
    if not join.related and link.required:
        message = f"Can't unlink required field ({other.type}:{link.foreign})."
        raise forbidden(message, "cannotUnrelateRequiredLink")
    here, record = change.new["id"], change.new
    if link.owner:
        holder, held, back, target, key = entity, record, link, other, other_id
    else:
        holder, held, back, target, key = other, foreign, other.links[link.foreign or ""], entity, here
    held = join.written.get((holder.table, held["id"]), held)
    if join.holds(held, back, key, target) is join.related:
        return False
    join.write(holder, held, back, target, key)
    return True


def _columns(record: Record, link: Link) -> Callable[[Record], dict[str, Any]] | None:
    """What shows what is kept about each pair; None if nothing is."""
    if not link.columns:
        return None

    def show(other: Record) -> dict[str, Any]:
        rows = record[f"{link.name}Columns"] if link.owner else other[f"{link.foreign}Columns"]
        kept = rows.get(other["id"] if link.owner else record["id"], {})
        return {
            (column.near if link.owner else column.far): kept.get(name, column.default)
            for name, column in link.columns.items()
        }

    return show
