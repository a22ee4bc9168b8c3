"""Attributes that EspoCRM sets when a record is saved: names, accounts, times, attendees and primary links."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

import msgspec

from teller_gym.office.crm import access
from teller_gym.office.crm.errors import forbidden, validation_failure
from teller_gym.office.crm.schema import Entity, Schema
from teller_gym.office.store import Record, Store


class Change(msgspec.Struct, frozen=True):
    """A record that is about to be saved.

    Attributes:
        old: the record before the change; None for a new one.
        new: the record after the change; rules write to it.
        given: attributes from the user.
        now: time of saving, as ``YYYY-MM-DD HH:mm:ss``.
    """

    store: Store
    entities: Schema
    entity: Entity
    old: Record | None
    new: dict[str, Any]
    given: Record
    who: access.Actor
    now: str

    def changed(self, name: str) -> bool:
        """Return True if an attribute has changed or, in a new record, has a value."""
        before = None if self.old is None else self.old[name]
        return bool(self.new[name] != before)


def apply(change: Change) -> None:
    """Apply the entity's rules, which complete the record or reject the change."""
    for rule in RULES.get(change.entity.type, ()):
        rule(change)


def _person_name(change: Change) -> None:
    parts = (change.new["firstName"], change.new["lastName"])
    change.new["name"] = " ".join(one for one in parts if one) or None


def _primary_account(change: Change) -> None:
    _keep_primary(change, "accountId", "accountsIds")
    if change.new["accountId"] is None and change.new["accountsIds"] and change.changed("accountsIds"):
        change.new["accountId"] = change.new["accountsIds"][0]


def _primary_contact(change: Change) -> None:
    _keep_primary(change, "contactId", "contactsIds")


def _keep_primary(change: Change, one: str, many: str) -> None:
    """Update a list of links (``many``) after a change of the primary link (``one``)."""
    new, old = change.new, change.old
    if not change.changed(one):
        return
    if new[one] is None and old is not None:
        new[many] = [key for key in new[many] if key != old[one]]
    elif new[one] is not None and new[one] not in new[many]:
        new[many] = [*new[many], new[one]]


def _parent_account(change: Change) -> None:
    """Copy the account (and contact) from a new parent."""
    new = change.new
    if not change.changed("parentId") and not change.changed("parentType"):
        return
    kind = new["parentType"]
    parent = change.store.get(f"crm.{kind}", new["parentId"]) if kind and new["parentId"] else None
    account = None
    if parent is not None:
        account = parent["id"] if kind == "Account" else parent.get("accountId")
    new["accountId"] = account
    if "contactId" in new:
        new["contactId"] = None if parent is None else parent["id"] if kind == "Contact" else parent.get("contactId")


def _event(change: Change) -> None:
    """Move the end of a meeting or call with its start, and set the times of whole days and the duration in seconds."""
    new, old = change.new, change.old
    for part in ("", "Date"):
        start, end = f"dateStart{part}", f"dateEnd{part}"
        if start in new and old is not None and change.changed(start) and start in change.given:
            moved = end not in change.given and f"dateEnd{'' if part else 'Date'}" not in change.given
            if moved and old[start] and old[end] and new[start]:
                new[end] = _shift(old[start], new[start], old[end])
    _whole_days(change)
    if new["dateStart"] is None or new["dateEnd"] is None:
        new["duration"] = None
    else:
        length = datetime.fromisoformat(new["dateEnd"]) - datetime.fromisoformat(new["dateStart"])
        new["duration"] = int(length.total_seconds())


def _shift(old_start: str, new_start: str, old_end: str) -> str:
    try:
        later = datetime.fromisoformat(new_start) - datetime.fromisoformat(old_start)
        return str(datetime.fromisoformat(old_end) + later)[: len(old_end)]
    except OverflowError:
        return old_end


def _whole_days(change: Change) -> None:
    """Set the times of whole days to their first and last midnight.

    Times take precedence over days.
    """
    new, given = change.new, change.given
    timed = [
        name
        for name in ("dateStart", "dateEnd")
        if given.get(name) is not None and change.changed(name) and f"{name}Date" not in given
    ]
    if "isAllDay" in new and (timed or given.get("isAllDay") is False):
        timed = ["dateStart", "dateEnd"]  # a meeting has hours at both ends or at none
    for name, days in (("dateStart", 0), ("dateEnd", 1)):
        if f"{name}Date" not in new:
            continue
        if name in timed:
            new[f"{name}Date"] = None
        elif new[f"{name}Date"] is not None:
            try:
                new[name] = str(datetime.fromisoformat(new[f"{name}Date"]) + timedelta(days=days))
            except OverflowError:
                raise validation_failure(change.entity.type, name, "valid") from None
    if "isAllDay" in new:
        new["isAllDay"] = new["dateStartDate"] is not None


def _attendees(change: Change) -> None:
    """Add the assigned user to the attendees, and mark a creator who attends the event as accepted."""
    new, me = change.new, change.who.id
    assigned = new["assignedUserId"]
    if assigned is not None and assigned not in new["usersIds"]:
        new["usersIds"] = [*new["usersIds"], assigned]
    for link in ("users", "contacts", "leads"):
        kept, ids = new[f"{link}Columns"], new[f"{link}Ids"]
        old = {} if change.old is None else change.old[f"{link}Columns"]
        new[f"{link}Columns"] = {one: {"status": "None", **old.get(one, {}), **kept.get(one, {})} for one in ids}
    if change.old is None and me in new["usersIds"] and new["usersColumns"][me]["status"] == "None":
        new["usersColumns"] = {**new["usersColumns"], me: {"status": "Accepted"}}


def _task(change: Change) -> None:
    new = change.new
    _whole_days(change)
    if change.changed("status"):
        new["dateCompleted"] = change.now if new["status"] == "Completed" else None


def _note(change: Change) -> None:
    """Raise 403 for notes on records whose stream the user cannot read, and for changes of notes other than posts."""
    kind, key = change.new["parentType"], change.new["parentId"]
    if change.old is None and kind and key:
        parent = change.store.get(f"crm.{kind}", key) if kind in change.entities else None
        where = change.entities.get(kind)
        if parent is None or where is None or not access.allowed(change.store, change.who, where, parent, "stream"):
            raise forbidden("No access to parent.")
    if change.old is not None and change.old["type"] != "Post":
        raise forbidden("Note is not editable.")


RULES: Final[Mapping[str, tuple[Callable[[Change], None], ...]]] = MappingProxyType(
    {
        "Contact": (_person_name, _primary_account),
        "Lead": (_person_name,),
        "User": (_person_name,),
        "Opportunity": (_primary_contact,),
        "Case": (_primary_contact,),
        "Task": (_parent_account, _task),
        "Meeting": (_parent_account, _event, _attendees),
        "Call": (_parent_account, _event, _attendees),
        "Email": (_parent_account,),
        "Note": (_note,),
    }
)
"""Rules of each entity, in the order in which they apply."""
