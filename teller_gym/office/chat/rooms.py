"""Chat rooms: addresses, look-ups, members and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from teller_gym.base.text import shown
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.tables import MESSAGES, ROOM_NAMES, ROOMS, TIMELINES, USERS, stamp
from teller_gym.office.chat.users import caller, user_named, user_with_id
from teller_gym.office.ids import word_id
from teller_gym.office.store import Record, Store

CHANNEL: Final = "c"
DIRECT: Final = "d"

MAX_DIRECT_USERS: Final = 8
"""Maximum number of people in a direct room, including the caller, as by default in Rocket.Chat."""

_KINDS: Final = {CHANNEL: "channel", DIRECT: "direct message"}
_NO_PARAMETER: Final = {CHANNEL: "error-roomid-param-not-provided", DIRECT: "error-room-param-not-provided"}


def resolve(store: Store, user: str, address: str) -> Record:
    """Return the room at an address: ``#name``, ``@username``, or an id or name.

    A direct room need not exist yet (see `direct_room`).
    """
    if address.startswith("@"):
        other = user_named(store, address[1:]) or user_with_id(store, address[1:])
    else:
        key = address.removeprefix("#")
        room = store.get(ROOMS, key) or room_named(store, key)
        if room is not None:
            return room
        other = None if address.startswith("#") else user_with_id(store, key)
    if other is None:
        raise nowhere(address)
    return direct_room(store, user, (other["username"],))


def direct_room(store: Store, user: str, others: Sequence[str]) -> Record:
    """Return the direct room of the caller and other people.

    A new one is not stored yet (see `save_room`).
    """
    if len(others) > 100:  # before any user is looked up
        raise _too_many(len(others))
    found = {user: caller(store, user)}
    for name in others:
        other = user_named(store, name)
        if other is None:
            raise ChatError(f"There is no user {shown(name)}", "error-invalid-user")
        found[other["username"]] = other
    if len(found) > MAX_DIRECT_USERS:
        raise _too_many(len(found))
    key = direct_room_id(store.seed, list(found.values()))
    return store.get(ROOMS, key) or new_room(key, DIRECT, "", list(found), None, stamp(store.clock()))


def direct_room_id(seed: int, users: list[Record]) -> str:
    """Return a direct room's id.

    For two people it consists of both ids, sorted and joined, otherwise of a digest of all ids.
    """
    ids = sorted(one["_id"] for one in users)
    return "".join(ids) if len(ids) == 2 else word_id(seed, "chat.direct", ",".join(ids))


def nowhere(address: str) -> ChatError:
    """Return the error for an address that does not exist."""
    return ChatError(f"Nothing is {shown(address)}; expected #channel, @username or a room's id", "invalid-channel")


def _too_many(count: int) -> ChatError:
    return ChatError(
        f"A direct message has at most {MAX_DIRECT_USERS} people, yourself included; these are {count}",
        "error-direct-message-max-user-exceeded",
    )


def room_named(store: Store, name: str) -> Record | None:
    """Return the channel with a name, or None if there is no such channel."""
    found = store.get(ROOM_NAMES, name)
    return None if found is None else store.get(ROOMS, found["rid"])


def can_access(room: Record, user: str) -> bool:
    """Return True if a user may read a room and write there: any channel, and their direct rooms."""
    return room["t"] == CHANNEL or user in room["members"]


def find_room(store: Store, user: str, kind: str, room_id: str | None = None, name: str | None = None) -> Record:
    """Return a channel or direct room by id or, without one, by name.

    Other people's direct rooms count as missing.
    """
    if not room_id and not name:
        raise ChatError('Give "roomId" or "roomName"', _NO_PARAMETER[kind])
    room = store.get(ROOMS, room_id) if room_id else room_named(store, name or "")
    if room is None or room["t"] != kind or not can_access(room, user):
        raise ChatError(f"No {_KINDS[kind]} is {shown(room_id or name)}", "error-room-not-found")
    return room


def rooms_of(store: Store, user: str, kinds: str = "cd") -> Iterator[Record]:
    """Iterate over the rooms of one or both kinds that a user may read."""
    return (room for _, room in store.rows(ROOMS) if room["t"] in kinds and can_access(room, user))


def timeline(store: Store, room_id: str) -> list[Record]:
    """Return a room's messages, oldest first."""
    place = store.get(TIMELINES, room_id)
    found = () if place is None else (store.get(MESSAGES, key) for key in place["ids"])
    return [one for one in found if one is not None]


def last_message(store: Store, room_id: str) -> Record | None:
    """Return the last message of a room, or None if the room is empty."""
    place = store.get(TIMELINES, room_id)
    return store.get(MESSAGES, place["ids"][-1]) if place and place["ids"] else None


def room_json(store: Store, room: Record) -> dict[str, Any]:
    """Return a room in the API's format."""
    last = last_message(store, room["_id"])
    value: dict[str, Any] = {
        "_id": room["_id"],
        "t": room["t"],
        "ts": room["ts"],
        "_updatedAt": max(room["_updatedAt"], last["_updatedAt"]) if last else room["_updatedAt"],
        "msgs": len(timeline(store, room["_id"])),
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
    """Return a room's members in the API's format, sorted by user name."""
    found = [store.get(USERS, username) for username in sorted(room["members"])]
    names = ("_id", "username", "name", "status", "statusText")
    return [{key: user[key] for key in names} for user in found if user is not None]


def new_room(key: str, kind: str, name: str, usernames: list[str], owner: Record | None, at: str) -> Record:
    """Return a new room's record.

    A direct room has an empty name and no owner.
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
    """Store a direct room, without messages, unless it exists."""
    if store.get(ROOMS, room["_id"]) is None:
        store.put(ROOMS, room["_id"], room)
        store.put(TIMELINES, room["_id"], {"ids": []})
