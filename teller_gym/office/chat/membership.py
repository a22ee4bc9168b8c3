"""Making channels and groups, who comes and goes, and what they are called and about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from teller_gym.base.text import is_unicode, shown
from teller_gym.office.chat import history
from teller_gym.office.chat.errors import ChatError, invalid
from teller_gym.office.chat.messages import add_member, announce
from teller_gym.office.chat.references import NAME
from teller_gym.office.chat.rooms import CHANNEL, DIRECT, GROUP, is_manager, new_room, room_named, save_room
from teller_gym.office.chat.tables import ROOMS, stamp
from teller_gym.office.chat.users import author, caller, is_admin, user_named
from teller_gym.office.ids import word_id
from teller_gym.office.store import Record, Store

MAX_NAME: Final = 50
"""Characters of a room's name."""

MAX_INVITED: Final = 100
"""People named in one call; an office has far fewer."""

MAX_ABOUT: Final = 1_000
"""Characters of a topic, description or announcement."""

_CHANGES: Final = {
    "topic": "room_changed_topic",
    "description": "room_changed_description",
    "announcement": "room_changed_announcement",
}


def create_room(
    store: Store, user: str, kind: str, name: str, usernames: Sequence[str] = (), read_only: bool = False
) -> Record:
    """Make a channel (c) or group (p) with the caller as its owner and other members; return the room.

    Raises:
        ChatError: the name is malformed or taken, or a member is unknown.
    """
    me = caller(store, user)
    if kind not in (CHANNEL, GROUP):
        raise invalid(f"kind: expected c or p, got {shown(kind)}")
    if len(name) > MAX_NAME or not NAME.fullmatch(name):
        raise ChatError(
            f"{shown(name)} is no name for a room; expected up to {MAX_NAME} letters, digits, - . and _",
            "error-invalid-room-name",
        )
    if room_named(store, name) is not None:
        raise ChatError(f"There is a room {name} already", "error-duplicate-channel-name")
    members = list(dict.fromkeys([user, *(one["username"] for one in _people(store, usernames))]))
    key = word_id(store.seed, "chat.new room", store.count(ROOMS))
    room = {**new_room(key, kind, name, members, author(me), stamp(store.tick())), "ro": read_only}
    save_room(store, room)
    return room


def join(store: Store, user: str, room: Record) -> Record:
    """Join a channel; nothing happens to a member. Return the room."""
    caller(store, user)
    if room["t"] != CHANNEL:
        raise ChatError("Only channels can be joined", "error-not-allowed")
    return room if user in room["members"] else add_member(store, room, user)


def invite(store: Store, user: str, room: Record, usernames: Sequence[str]) -> Record:
    """Add people to a channel or group; those who are members stay so. Return the room.

    Raises:
        ChatError: someone is unknown, or the caller may not add people: owners and moderators may, and to channels
            administrators.
    """
    if room["t"] == DIRECT:
        raise ChatError("Nobody can be added to a direct message", "error-cant-invite-for-direct-room")
    me = caller(store, user)
    in_charge = user in room["members"] and is_manager(store, room, user)
    if not in_charge and not (room["t"] == CHANNEL and is_admin(me)):
        raise ChatError("You may not add people to this room", "error-not-allowed")
    for one in _people(store, usernames):
        if one["username"] not in room["members"]:
            room = add_member(store, room, one["username"], inviter=user)
    return room


def leave(store: Store, user: str, room: Record) -> Record:
    """Leave a channel or group; return the room.

    Raises:
        ChatError: the caller is no member, or its last owner.
    """
    if room["t"] == DIRECT:
        raise ChatError("A direct message cannot be left", "error-not-allowed")
    if user not in room["members"]:
        raise ChatError("You are not in this room", "error-user-not-in-room")
    return _remove(store, room, user, "ul", user)


def kick(store: Store, user: str, room: Record, username: str) -> Record:
    """Remove someone from a channel or group; return the room.

    Raises:
        ChatError: they are no member or the last owner, or the caller is not in charge of the room.
    """
    if room["t"] == DIRECT or not is_manager(store, room, user):
        raise ChatError("You may not remove people from this room", "error-not-allowed")
    other = user_named(store, username)
    if other is None or other["username"] not in room["members"]:
        raise ChatError(f"{shown(username)} is not in this room", "error-user-not-in-room")
    return _remove(store, room, other["username"], "ru", user)


def set_owner(store: Store, user: str, room: Record, username: str, owner: bool) -> Record:
    """Make a member an owner of a channel or group, or no longer one; return the room.

    Raises:
        ChatError: they are no member, already so, or the last owner, or the caller is no owner.
    """
    if room["t"] == DIRECT or not (user in room["owners"] or is_admin(caller(store, user))):
        raise ChatError("Only owners may do this", "error-not-allowed")
    other = user_named(store, username)
    if other is None or other["username"] not in room["members"]:
        raise ChatError(f"{shown(username)} is not in this room", "error-user-not-in-room")
    name = other["username"]
    if owner == (name in room["owners"]):
        raise ChatError(
            f"{name} is {'already' if owner else 'not'} an owner",
            "error-user-already-owner" if owner else "error-user-not-owner",
        )
    if not owner and len(room["owners"]) == 1:
        raise ChatError("A room needs an owner", "error-remove-last-owner")
    owners = [*room["owners"], name] if owner else [one for one in room["owners"] if one != name]
    at = stamp(store.tick())
    room = store.update(ROOMS, room["_id"], owners=owners, _updatedAt=at)
    announce(store, room, "subscription-role-added" if owner else "subscription-role-removed", user, name, at)
    return room


def set_about(store: Store, user: str, room: Record, field: str, text: str) -> Record:
    """Change a room's topic, description or announcement; return the room. In direct rooms both may.

    Raises:
        ChatError: the caller is not in charge of the room, or the text is too long.
    """
    if field not in _CHANGES:
        raise invalid(f"field: expected one of {', '.join(_CHANGES)}, got {shown(field)}")
    if len(text) > MAX_ABOUT or not is_unicode(text):
        raise invalid(f"{field}: expected at most {MAX_ABOUT} characters, got {shown(text)}")
    if room["t"] != DIRECT:
        _check_manager(store, room, user)
    if text == room[field]:
        return room
    line = announce(store, room, _CHANGES[field], user, text)
    return store.update(ROOMS, room["_id"], **{field: text}, _updatedAt=line["ts"])


def set_read_only(store: Store, user: str, room: Record, read_only: bool) -> Record:
    """Make a channel or group read-only, or open it again; return the room.

    Raises:
        ChatError: it is so already, or the caller is not in charge of the room.
    """
    if room["t"] == DIRECT:
        raise ChatError("A direct message cannot be read-only", "error-action-not-allowed")
    _check_manager(store, room, user)
    if read_only == room["ro"]:
        raise ChatError(f"The room is {'' if read_only else 'not '}read-only already")
    at = stamp(store.tick())
    return store.update(ROOMS, room["_id"], ro=read_only, _updatedAt=at)


def _check_manager(store: Store, room: Record, user: str) -> None:
    if not is_manager(store, room, user):
        raise ChatError("Only owners and moderators may change the room", "error-action-not-allowed")


def _people(store: Store, usernames: Sequence[str]) -> list[Record]:
    if isinstance(usernames, str) or len(usernames) > MAX_INVITED:
        raise invalid(f"usernames: expected a list of at most {MAX_INVITED}, got {shown(usernames)}")
    found = []
    for name in usernames:
        one = user_named(store, name) if isinstance(name, str) else None
        if one is None:
            raise ChatError(f"There is no user {shown(name)}", "error-user-not-found")
        found.append(one)
    return found


def _remove(store: Store, room: Record, username: str, line: str, by: str) -> Record:
    if room["owners"] == [username]:
        raise ChatError("The last owner cannot leave: make someone else an owner first", "error-you-are-last-owner")
    changes: dict[str, Any] = {
        key: [one for one in room[key] if one != username] for key in ("members", "owners", "moderators")
    }
    at = history.record(store, "left", username, room)
    room = store.update(ROOMS, room["_id"], **changes)
    announce(store, room, line, by, username, at)
    return room
