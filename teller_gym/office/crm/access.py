"""Who may do what: roles as EspoCRM has them, by entity and action, at the levels all, team, own and no."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from teller_gym.office.crm.errors import CrmError, forbidden
from teller_gym.office.crm.schema import Entity, schema
from teller_gym.office.store import Record, Store

LOGINS: Final = "crm.logins"
"""Table of those who use the CRM, by user name: ``userId``, ``admin``, ``levels`` by entity and action."""

Action = Literal["create", "read", "edit", "delete", "stream"]
ACTIONS: Final[tuple[Action, ...]] = ("create", "read", "edit", "delete", "stream")
LEVELS: Final = ("all", "team", "own", "no")

OPEN: Final[dict[str, str]] = {"create": "yes", "read": "all", "edit": "all", "delete": "all", "stream": "all"}
"""What somebody may do with an entity that the role says nothing about: as in EspoCRM without its strict mode."""

_LOOK: Final[dict[str, str]] = {"create": "no", "read": "all", "edit": "no", "delete": "no", "stream": "no"}
_OWN_NOTES: Final[dict[str, str]] = {"create": "yes", "read": "all", "edit": "own", "delete": "own", "stream": "no"}
_OWN_FILES: Final[dict[str, str]] = {"create": "yes", "read": "own", "edit": "no", "delete": "own", "stream": "no"}
MANDATORY: Final[dict[str, dict[str, str]]] = {
    "User": _LOOK,
    "Team": _LOOK,
    "Note": _OWN_NOTES,
    "Attachment": _OWN_FILES,
}
"""Where only an administrator may do more: people and teams are read, notes and files are their author's."""


class Actor(msgspec.Struct, frozen=True):
    """Somebody who asks.

    Attributes:
        username: as the office knows them.
        id: of their record in the table ``crm.User``.
        admin: may do everything.
        levels: by entity and action; what is missing is `OPEN`.
    """

    username: str
    id: str
    admin: bool
    levels: dict[str, dict[str, str]]


def actor(store: Store, user: str) -> Actor:
    """Return who somebody is in the CRM.

    Raises:
        CrmError: 401, the CRM does not know them.
    """
    row = store.get(LOGINS, user)
    if row is None:
        raise CrmError(401, "unauthorized", f"No user {user!r} in the CRM.")
    return Actor(user, row["userId"], row["admin"], row["levels"])


def level(who: Actor, entity_type: str, action: Action) -> str:
    """Return somebody's level; of ``create`` it is yes or no."""
    if who.admin:
        return "yes" if action == "create" else "all"
    levels = MANDATORY.get(entity_type) or who.levels.get(entity_type, OPEN)
    return levels.get(action, "no")


def check_scope(who: Actor, entity_type: str, action: Action) -> None:
    """Refuse if an action is not allowed on any record of an entity.

    Raises:
        CrmError: 403.
    """
    if level(who, entity_type, action) == "no":
        raise forbidden(f"No {action} access.")


def allowed(store: Store, who: Actor, entity: Entity, record: Record, action: Action) -> bool:
    """Whether an action is allowed on a record."""
    if who.admin:
        return True
    if entity.type == "Note" and action == "read":
        return _may_read_note(store, who, record)
    at = level(who, entity.type, action)
    if at == "all":
        return True
    if at == "no":
        return False
    return _owns(who, entity, record, action) or (at == "team" and _shares_team(store, who, record))


def check(store: Store, who: Actor, entity: Entity, record: Record, action: Action) -> None:
    """Refuse if an action is not allowed on a record.

    Raises:
        CrmError: 403.
    """
    if not allowed(store, who, entity, record, action):
        raise forbidden(f"No '{action}' access.")


def table(who: Actor, entities: dict[str, Entity]) -> dict[str, Any]:
    """Return the levels of all actions by entity, as ``GET App/user`` shows them."""
    return {name: {action: level(who, name, action) for action in ACTIONS} for name in entities}


def _owns(who: Actor, entity: Entity, record: Record, action: Action) -> bool:
    if entity.type == "Note":
        return bool(record["type"] == "Post" and record["createdById"] == who.id)
    if who.id in record.get("usersIds", ()) and action in ("read", "stream"):
        return True  # an attendee sees the meeting
    if who.id in record.get("collaboratorsIds", ()) and action in ("read", "stream"):
        return True
    return bool(record.get("assignedUserId" if "assignedUserId" in record else "createdById") == who.id)


def _shares_team(store: Store, who: Actor, record: Record) -> bool:
    me = store.get("crm.User", who.id)
    return me is not None and not set(me["teamsIds"]).isdisjoint(record.get("teamsIds", ()))


def _may_read_note(store: Store, who: Actor, record: Record) -> bool:
    """A note is seen by those who may see the stream it stands in; one without a parent by its author."""
    parent = schema(store).get(record["parentType"] or "")
    if parent is None or record["parentId"] is None:
        return bool(record["type"] == "Post" and record["createdById"] == who.id)
    found = store.get(parent.table, record["parentId"])
    return found is not None and allowed(store, who, parent, found, "stream")
