"""Rooms: finding those that a user may see, their JSON, and their members."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from teller_gym.base.text import shown
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.tables import MESSAGES, ROOM_NAMES, ROOMS, TIMELINES, USERS
from teller_gym.office.chat.users import caller
from teller_gym.office.store import Record, Store

CHANNEL: Final = "c"
GROUP: Final = "p"
DIRECT: Final = "d"

_KINDS: Final = {CHANNEL: "channel", GROUP: "group", DIRECT: "direct message"}
_NO_PARAMETER: Final = {
    CHANNEL: "error-roomid-param-not-provided",
    GROUP: "error-room-param-not-provided",
    DIRECT: "error-room-param-not-provided",
}


def room_named(store: Store, name: str) -> Record | None:
    """Return a channel or group by name."""
    found = store.get(ROOM_NAMES, name)
    return None if found is None else store.get(ROOMS, found["rid"])


def can_access(room: Record, user: str) -> bool:
    """Return True if a user may read a room and write there: any channel, and the rooms they are in."""
    return room["t"] == CHANNEL or user in room["members"]


def find_room(store: Store, user: str, kind: str, room_id: str | None = None, name: str | None = None) -> Record:
    """Return a channel, group or direct room by id or, without one, by name.

    For users who are no members, groups and direct rooms do not exist.

    Args:
        store: the office's.
        user: user name of the reader.
        kind: c, p or d.
        room_id: the room's id.
        name: the name of a channel or group.

    Raises:
        ChatError: neither is given, or there is no such room.
    """
    if not room_id and not name:
        raise ChatError('Give "roomId" or "roomName"', _NO_PARAMETER[kind])
    room = store.get(ROOMS, room_id) if room_id else room_named(store, name or "")
    if room is None or room["t"] != kind or not can_access(room, user):
        raise ChatError(f"No {_KINDS[kind]} is {shown(room_id or name)}", "error-room-not-found")
    return room


def any_room(store: Store, user: str, room_id: str | None = None, name: str | None = None) -> Record:
    """Return a room of any kind.

    Raises:
        ChatError: neither id nor name is given, there is no such room, or it is not for this user.
    """
    if not room_id and not name:
        raise ChatError('Give "roomId" or "roomName"', "error-roomid-param-not-provided")
    room = store.get(ROOMS, room_id) if room_id else room_named(store, name or "")
    if room is None:
        raise ChatError(f"No room is {shown(room_id or name)}", "error-room-not-found")
    if not can_access(room, user):
        raise ChatError("not-allowed", "error-not-allowed")
    return room


def readable(store: Store, user: str, room_id: str) -> Record:
    """Return the room of this id.

    Raises:
        ChatError: there is none, or this user may not read it; the answer is the same.
    """
    room = store.get(ROOMS, room_id)
    if room is None or not can_access(room, user):
        raise ChatError(f"You may not read a room {shown(room_id)}", "error-not-allowed")
    return room


def rooms_of(store: Store, user: str, kinds: str = "cpd", joined: bool = True) -> Iterator[Record]:
    """Iterate over the rooms of some kinds that a user is in or, with ``joined=False``, may read."""
    for _, room in store.rows(ROOMS):
        if room["t"] in kinds and (user in room["members"] or (not joined and room["t"] == CHANNEL)):
            yield room


def timeline(store: Store, room_id: str) -> list[Record]:
    """Return a room's messages, the oldest first."""
    place = store.get(TIMELINES, room_id)
    found = () if place is None else (store.get(MESSAGES, key) for key in place["ids"])
    return [one for one in found if one is not None]


def last_message(store: Store, room_id: str) -> Record | None:
    """Return the last message written by a person; None if there is none."""
    place = store.get(TIMELINES, room_id)
    for key in reversed(place["ids"] if place else ()):
        message = store.get(MESSAGES, key)
        if message is not None and "t" not in message:
            return message
    return None


def room_json(store: Store, room: Record) -> dict[str, Any]:
    """Return a room as the API has it."""
    place = store.get(TIMELINES, room["_id"])
    last = last_message(store, room["_id"])
    value: dict[str, Any] = {
        "_id": room["_id"],
        "t": room["t"],
        "ts": room["ts"],
        "_updatedAt": max(room["_updatedAt"], last["_updatedAt"]) if last else room["_updatedAt"],
        "msgs": len(place["ids"]) if place else 0,
        "usersCount": len(room["members"]),
        "ro": room["ro"],
        "sysMes": True,
    }
    if room["t"] == DIRECT:
        names = sorted(room["members"])
        value |= {"usernames": names, "uids": sorted(caller(store, one)["_id"] for one in names)}
    else:
        value |= {"name": room["name"], "fname": room["name"], "u": room["u"], "default": room["default"]}
    if room["topic"]:
        value["topic"] = room["topic"]
    if last is not None:
        value |= {"lm": last["ts"], "lastMessage": last}
    return value


def members(store: Store, room: Record) -> list[dict[str, Any]]:
    """Return the members of a room, sorted by user name."""
    found = [store.get(USERS, username) for username in sorted(room["members"])]
    return [
        {key: user[key] for key in ("_id", "username", "name", "status", "statusText")}
        for user in found
        if user is not None
    ]


def new_room(key: str, kind: str, name: str, usernames: list[str], owner: Record | None, at: str) -> Record:
    """Return the record of a room.

    Args:
        key: its id.
        kind: c, p or d.
        name: its name; empty for a direct one.
        usernames: its members.
        owner: its owner, as `users.author` has it; None for a direct one.
        at: the time of creation, as a stamp.
    """
    return {
        "_id": key,
        "t": kind,
        "name": name,
        "topic": "",
        "description": "",
        "announcement": "",
        "ro": False,
        "default": False,
        "u": owner,
        "ts": at,
        "_updatedAt": at,
        "members": usernames,
        "owners": [] if owner is None else [owner["username"]],
        "moderators": [],
    }


def save_room(store: Store, room: Record) -> None:
    """Write a new room, without messages yet."""
    store.put(ROOMS, room["_id"], room)
    store.put(TIMELINES, room["_id"], {"ids": []})
    if room["t"] != DIRECT:
        store.put(ROOM_NAMES, room["name"], {"rid": room["_id"]})
