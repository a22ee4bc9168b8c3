"""Who comes to a meeting or call: its attendees with their answers, and one's own answer."""

from __future__ import annotations

from typing import Any, Final

from teller_gym.office.crm import access
from teller_gym.office.crm.errors import bad_request, forbidden, not_found
from teller_gym.office.crm.schema import entity_of, schema
from teller_gym.office.store import Record, Store

EVENTS: Final = frozenset({"Meeting", "Call"})
ANSWERS: Final = ("Accepted", "Tentative", "Declined")


def attendees(store: Store, user: str, entity_type: str, record_id: str) -> dict[str, Any]:
    """Return who is invited, users first, then contacts and leads, each in order of their names.

    Returns:
        ``{"list": [...]}`` of ``id``, ``name``, ``emailAddress``, ``acceptanceStatus`` and ``_scope``, their entity.

    Raises:
        CrmError: 401, 403 (no access), 404 (no meeting or call of that id).
    """
    record, who, entities = _event(store, user, entity_type, record_id), access.actor(store, user), schema(store)
    access.check(store, who, entities[entity_type], record, "read")
    found = []
    for link, scope in (("users", "User"), ("contacts", "Contact"), ("leads", "Lead")):
        people = [one for key in record[f"{link}Ids"] if (one := store.get(entities[scope].table, key)) is not None]
        for one in sorted(people, key=lambda one: (one["name"] or "").casefold()):
            answer = record[f"{link}Columns"].get(one["id"], {}).get("status", "None")
            shown = {key: one[key] for key in ("id", "name", "emailAddress")}
            found.append({**shown, "acceptanceStatus": answer, "_scope": scope})
    return {"list": found}


def set_acceptance_status(store: Store, user: str, entity_type: str, record_id: str, status: str) -> bool:
    """Answer an invitation of one's own. Returns True.

    Raises:
        CrmError: 400 (no such answer), 401, 403 (not invited), 404 (no meeting or call of that id).
    """
    if status not in ANSWERS:
        raise bad_request("Acceptance status not allowed.")
    record, who = _event(store, user, entity_type, record_id), access.actor(store, user)
    if who.id not in record["usersIds"]:
        raise forbidden("No access.")
    columns = {**record["usersColumns"], who.id: {"status": status}}
    store.tick()
    store.put(f"crm.{entity_type}", record_id, {**record, "usersColumns": columns})
    return True


def _event(store: Store, user: str, entity_type: str, record_id: str) -> Record:
    entity = entity_of(store, entity_type)
    access.actor(store, user)
    record = store.get(entity.table, record_id) if entity_type in EVENTS else None
    if record is None:
        raise not_found(f"Record {record_id} not found.")
    return record
