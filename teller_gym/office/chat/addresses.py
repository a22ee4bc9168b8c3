"""Addresses of messages: ``#channel``, ``@person``, or a room's id or name, and the rooms made for them."""

from __future__ import annotations

from typing import Final

import msgspec

from teller_gym.base.text import shown
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.rooms import DIRECT, new_room, room_named, save_room
from teller_gym.office.chat.tables import ROOMS, stamp
from teller_gym.office.chat.users import caller, user_named, user_with_id
from teller_gym.office.ids import word_id
from teller_gym.office.store import Record, Store

MAX_DIRECT_USERS: Final = 8
"""Maximum number of people in a direct room, the caller included: Rocket.Chat's default."""


class Destination(msgspec.Struct, frozen=True):
    """A room to write in.

    Attributes:
        room: the room, which exists or is to be made.
        is_new: True for a direct room that has to be made first, by `rooms.save_room`.
    """

    room: Record
    is_new: bool = False


def resolve(store: Store, user: str, address: str) -> Destination:
    """Find the room at an address; nothing is written.

    Args:
        store: the office's.
        user: user name of the author.
        address: ``#name``, ``@username``, or a room's id, a room's name or a user's id.

    Raises:
        ChatError: it leads nowhere.
    """
    if address.startswith("@"):
        other = user_named(store, address[1:]) or user_with_id(store, address[1:])
        if other is not None:
            return direct_room(store, user, (other["username"],))
    else:
        key = address.removeprefix("#")
        room = store.get(ROOMS, key) or room_named(store, key)
        if room is not None:
            return Destination(room)
        other = None if address.startswith("#") else user_with_id(store, key)
        if other is not None:
            return direct_room(store, user, (other["username"],))
    raise nowhere(address)


def direct_room(store: Store, user: str, others: tuple[str, ...] | list[str]) -> Destination:
    """Find the direct room of some people and the caller; nothing is written.

    Raises:
        ChatError: a user is unknown, or there are too many.
    """
    if len(others) > 100:  # before anybody is looked up
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
    room = store.get(ROOMS, key)
    if room is None:
        return Destination(new_room(key, DIRECT, "", list(found), None, stamp(store.clock())), is_new=True)
    return Destination(room)


def direct_room_id(seed: int, users: list[Record]) -> str:
    """Return a direct room's id: for two people both ids, sorted and joined; otherwise a digest of all ids."""
    ids = sorted(one["_id"] for one in users)
    return "".join(ids) if len(ids) == 2 else word_id(seed, "chat.direct", ",".join(ids))


def open_direct(store: Store, user: str, others: tuple[str, ...] | list[str]) -> Record:
    """Return the direct room of some people and the caller; make it if there is none.

    Raises:
        ChatError: a user is unknown, or there are too many.
    """
    found = direct_room(store, user, others)
    if found.is_new:
        save_room(store, found.room)
    return found.room


def nowhere(address: str) -> ChatError:
    """Return the answer to an address that leads nowhere."""
    return ChatError(f"Nothing is {shown(address)}; expected #channel, @username or a room's id", "invalid-channel")


def _too_many(count: int) -> ChatError:
    return ChatError(
        f"A direct message has at most {MAX_DIRECT_USERS} people, yourself included; these are {count}",
        "error-direct-message-max-user-exceeded",
    )
