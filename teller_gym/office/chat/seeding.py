"""Creates the chat's initial tables from a description of rooms, messages and colleagues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.base.text import is_unicode, shown
from teller_gym.office.chat.messages import MAX_MESSAGE, NAME, build, with_reply
from teller_gym.office.chat.profiles import Colleague, check_colleague, to_record
from teller_gym.office.chat.rooms import CHANNEL, DIRECT, direct_room_id, new_room
from teller_gym.office.chat.tables import COLLEAGUES, MESSAGES, ROOM_NAMES, ROOMS, TIMELINES, USER_IDS, USERS, stamp
from teller_gym.office.chat.users import author
from teller_gym.office.ids import word_id
from teller_gym.office.store import Record, Store

GENERAL: Final = "general"
"""Name of Rocket.Chat's default channel, whose id is GENERAL."""


class SeededRoom(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A channel that all users belong to; direct rooms are created from the messages sent to them."""

    name: str
    topic: str = ""


class SeededMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A message written before the day begins.

    Attributes:
        to: a room's name, or the user names of a direct room, with or without the author's.
        user: user name of the author.
        at: the time, in UTC.
        text: the text.
        key: a name by which replies refer to the message; may be empty.
        thread: the `key` of the message that this one replies to; empty outside threads.
    """

    to: str | tuple[str, ...]
    user: str
    at: datetime
    text: str
    key: str = ""
    thread: str = ""


class Chat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Initial contents of a chat: channels, messages in any order, and the colleagues who answer."""

    rooms: tuple[SeededRoom, ...] = ()
    messages: tuple[SeededMessage, ...] = ()
    colleagues: tuple[Colleague, ...] = ()


Tables = dict[str, dict[str, Record]]


def tables(chat: Chat, people: Mapping[str, Record], seed: int, now: datetime) -> Tables:
    """Return the chat's initial tables by name, with all people of the office as users.

    See `teller_gym.office.chat.tables` for their contents.

    Raises:
        OptionError: the description contradicts itself, or names someone who is not in the office.
    """
    found: Tables = {name: {} for name in (USERS, USER_IDS, ROOMS, ROOM_NAMES, MESSAGES, TIMELINES, COLLEAGUES)}
    for message in chat.messages:
        _check_message(message, now)
    start = stamp(min([now, *(one.at for one in chat.messages)]))
    for username, person in people.items():
        _add_user(found, username, person, seed)
    for room in chat.rooms:
        _add_room(found, room, seed, start)
    _add_messages(found, sorted(chat.messages, key=lambda one: one.at), seed, now)
    for colleague in chat.colleagues:
        check_colleague(colleague, people)
        found[COLLEAGUES][colleague.username] = to_record(colleague)
    return found


def _known(where: str, usernames: Any, people: Mapping[str, Record]) -> None:
    for name in usernames:
        if name not in people:
            raise OptionError(f"{where}: there is nobody of the user name {name}")


def _add_user(found: Tables, username: str, person: Record, seed: int) -> None:
    if not NAME.fullmatch(username):
        raise OptionError(f"people: expected a user name of letters, digits, - . and _, got {username!r}")
    key = word_id(seed, "chat.user", username)
    found[USERS][username] = {
        "_id": key,
        "username": username,
        "name": person["name"],
        "email": person["email"],
        "bio": person["title"],
        "roles": ["admin", "user"] if person["admin"] else ["user"],
        "status": "online",
        "statusText": "",
    }
    found[USER_IDS][key] = {"username": username}


def _add_room(found: Tables, room: SeededRoom, seed: int, at: str) -> None:
    where = f"room {room.name}"
    if not NAME.fullmatch(room.name):
        raise OptionError(f"{where}: expected a name of letters, digits, - . and _")
    if room.name in found[ROOM_NAMES]:
        raise OptionError(f"{where}: there are two of this name")
    members = list(found[USERS])
    key = "GENERAL" if room.name == GENERAL else word_id(seed, "chat.room", room.name)
    record = new_room(key, CHANNEL, room.name, members, author(found[USERS][members[0]]), at)
    found[ROOMS][key] = {**record, "topic": room.topic, "default": room.name == GENERAL}
    found[ROOM_NAMES][room.name] = {"rid": key}
    found[TIMELINES][key] = {"ids": []}


def _add_messages(found: Tables, messages: Sequence[SeededMessage], seed: int, now: datetime) -> None:
    store = Store(found, now, seed)  # reads the tables as they grow; nothing is written through it
    keys: dict[str, str] = {}
    for number, one in enumerate(messages, 1):
        where = f"message {number} of {one.user} at {one.at:%Y-%m-%d %H:%M}"
        _known(where, [one.user], found[USERS])
        room = _place(found, one, seed, where)
        key = word_id(seed, "chat.seeded", number)
        message = build(store, found[USERS][one.user], room, key, stamp(one.at), one.text)
        if one.thread:
            parent = found[MESSAGES].get(keys.get(one.thread, ""))
            if parent is None or parent["rid"] != room["_id"] or "tmid" in parent:
                raise OptionError(f"{where}: no earlier message in the room begins the thread {one.thread!r}")
            message["tmid"] = parent["_id"]
            found[MESSAGES][parent["_id"]] = with_reply(parent, message)
        if one.key:
            keys[one.key] = key
        found[MESSAGES][key] = message
        found[TIMELINES][room["_id"]]["ids"].append(key)


def _check_message(message: SeededMessage, now: datetime) -> None:
    where = f"message of {message.user} at {message.at:%Y-%m-%d %H:%M}"
    if message.at.tzinfo is not None or message.at > now:
        raise OptionError(f"{where}: expected a time in UTC without a zone, and before the day begins at {now}")
    if len(message.text) > MAX_MESSAGE or not is_unicode(message.text):
        raise OptionError(f"{where}: expected at most {MAX_MESSAGE} characters, got {shown(message.text)}")


def _place(found: Tables, message: SeededMessage, seed: int, where: str) -> Record:
    """Return a message's room, creating a direct room for its first message."""
    if isinstance(message.to, str):
        place = found[ROOM_NAMES].get(message.to)
        room = None if place is None else found[ROOMS][place["rid"]]
        if room is None:
            raise OptionError(f"{where}: there is no room {message.to}")
        return room
    names = list(dict.fromkeys([message.user, *message.to]))
    _known(where, names, found[USERS])
    key = direct_room_id(seed, [found[USERS][name] for name in names])
    if key not in found[ROOMS]:
        found[ROOMS][key] = new_room(key, DIRECT, "", names, None, stamp(message.at))
        found[TIMELINES][key] = {"ids": []}
    return found[ROOMS][key]
