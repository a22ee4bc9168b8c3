"""CRM users and their rights.

There are no roles; `_LEVELS` lists the actions that are limited to administrators or authors.
"""

from __future__ import annotations

import base64
import binascii
from typing import Final, Literal

import msgspec

from teller_gym.office.crm.errors import CrmError, bad_request, forbidden, not_found
from teller_gym.office.crm.schema import Entity, entity_of, schema
from teller_gym.office.people import with_key, with_password
from teller_gym.office.store import Record, Store
from teller_gym.office.web import Request

API_KEYS: Final = "crm"
"""Service name of CRM keys in the table ``keys``."""

LOGINS: Final = "crm.logins"
"""Table of CRM users by user name: ``userId``, ``admin``, and ``levels`` (always empty)."""

Action = Literal["create", "read", "edit", "delete", "stream"]
Level = Literal["yes", "all", "own", "no"]
"""Scope of a right to an action, in EspoCRM's terms. ``yes`` is the right to create."""

_OPEN: Final[dict[Action, Level]] = {"create": "yes", "read": "all", "edit": "all", "delete": "all", "stream": "all"}
_SEEN: Final[dict[Action, Level]] = {"create": "no", "read": "all", "edit": "no", "delete": "no", "stream": "no"}
_LEVELS: Final[dict[str, dict[Action, Level]]] = {
    "User": _SEEN,
    "Team": _SEEN,
    "Note": {"create": "yes", "read": "all", "edit": "own", "delete": "own", "stream": "no"},
    "Attachment": {"create": "yes", "read": "own", "edit": "no", "delete": "own", "stream": "no"},
}
"""Rights of non-administrators for entities that are not fully open to them."""


class Actor(msgspec.Struct, frozen=True):
    """The user who sends a request.

    Attributes:
        username: name in the office's table of people.
        id: id of the user's record in the table ``crm.User``.
        admin: True if the user may do everything.
    """

    username: str
    id: str
    admin: bool


def actor(store: Store, user: str) -> Actor:
    """Look up a CRM user.

    Raises:
        CrmError: 401 if there is no such user.
    """
    row = store.get(LOGINS, user)
    if row is None:
        raise CrmError(401, "unauthorized", f"No user {user!r} in the CRM.")
    return Actor(user, row["userId"], row["admin"])


def authenticate(store: Store, request: Request) -> str:
    """Return the user name of a request's sender.

    Raises:
        CrmError: 401 without valid credentials, 400 for malformed credentials.
    """
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    if "x-api-key" in request.headers:
        person = with_key(store, API_KEYS, request.headers["x-api-key"])
    elif scheme.lower() == "basic":
        person = with_password(store, *_pair(credentials.strip()))
    else:
        person = None
    if person is None or store.get(LOGINS, person["username"]) is None:
        raise CrmError(401, "unauthorized", "")
    username: str = person["username"]
    return username


def _pair(credentials: str) -> tuple[str, str]:
    try:
        name, colon, password = base64.b64decode(credentials, validate=True).decode("utf-8", "replace").partition(":")
    except (binascii.Error, ValueError):
        name = colon = password = ""
    if not colon:
        raise bad_request("Auth: Bad authorization string provided.")
    return name.strip(), password.strip()


def level(who: Actor, entity_type: str, action: Action) -> Level:
    """Return the scope of a user's right to an action on an entity."""
    if who.admin:
        return _OPEN[action]
    return _LEVELS.get(entity_type, _OPEN)[action]


def check_scope(who: Actor, entity_type: str, action: Action) -> None:
    """Raise 403 if the user may not perform an action on any record of an entity."""
    if level(who, entity_type, action) == "no":
        raise forbidden(f"No {action} access.")


def allowed(store: Store, who: Actor, entity: Entity, record: Record, action: Action) -> bool:
    """Return True if the user may perform an action on a record."""
    if who.admin:
        return True
    if entity.type == "Note" and action == "read":
        return _may_read_note(store, who, record)
    at = level(who, entity.type, action)
    if at != "own":
        return at != "no"
    is_own = bool(record["createdById"] == who.id)
    return is_own and (entity.type != "Note" or record["type"] == "Post")


def check(store: Store, who: Actor, entity: Entity, record: Record, action: Action) -> None:
    """Raise 403 if the user may not perform an action on a record."""
    if not allowed(store, who, entity, record, action):
        raise forbidden(f"No '{action}' access.")


def reach(
    store: Store, user: str, entity_type: str, record_id: str, action: Action, missing: str = "not found"
) -> tuple[Entity, Actor, Record]:
    """Return an entity, the user and a record, after checking that the user may perform an action on it."""
    entity, who = entity_of(store, entity_type), actor(store, user)
    check_scope(who, entity_type, action)
    record = store.get(entity.table, record_id)
    if record is None:
        raise not_found(f"Record {record_id} {missing}.")
    check(store, who, entity, record, action)
    return entity, who, record


def _may_read_note(store: Store, who: Actor, record: Record) -> bool:
    """Return True if the user may read the stream of a note's parent or, without a parent, wrote the note."""
    parent = schema(store).get(record["parentType"] or "")
    if parent is None or record["parentId"] is None:
        return bool(record["type"] == "Post" and record["createdById"] == who.id)
    found = store.get(parent.table, record["parentId"])
    return found is not None and allowed(store, who, parent, found, "stream")
