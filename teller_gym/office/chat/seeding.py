"""The chat as an office begins with it: a description of rooms, messages and colleagues, turned into tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.base.text import is_unicode, shown
from teller_gym.office.chat.addresses import direct_room_id
from teller_gym.office.chat.attachments import MAX_MESSAGE
from teller_gym.office.chat.membership import MAX_NAME
from teller_gym.office.chat.messages import build, with_reply
from teller_gym.office.chat.profiles import Colleague, check_colleague, to_record
from teller_gym.office.chat.references import NAME
from teller_gym.office.chat.rooms import new_room
from teller_gym.office.chat.sessions import SERVICE
from teller_gym.office.chat.tables import COLLEAGUES, MESSAGES, ROOM_NAMES, ROOMS, TIMELINES, USER_IDS, USERS, stamp
from teller_gym.office.chat.users import STATUSES, author
from teller_gym.office.ids import word_id
from teller_gym.office.people import KEYS
from teller_gym.office.store import Record, Store

GENERAL: Final = "general"
"""The name of the channel that Rocket.Chat begins with; its id is GENERAL."""


class SeededRoom(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A channel (c) or group (p); direct rooms follow from their messages.

    Attributes:
        name: of the room.
        members: user names; empty: everybody.
        t: its kind.
        owner: user name, one of the members; empty: the first of them.
        moderators: user names among the members.
        topic: what it is about.
        description: more on that.
        read_only: only owners and moderators may write.
    """

    name: str
    members: tuple[str, ...] = ()
    t: Literal["c", "p"] = "c"
    owner: str = ""
    moderators: tuple[str, ...] = ()
    topic: str = ""
    description: str = ""
    read_only: bool = False


class SeededMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A message that was written before the day begins.

    Attributes:
        to: a room's name, or the user names of a direct room, the author's among them or not.
        user: user name of the author.
        at: when, in UTC.
        text: of the message.
        key: a name by which replies refer to it; empty: none do.
        thread: the `key` of the message that this one replies to; empty: none.
        pinned: whether it is pinned.
    """

    to: str | tuple[str, ...]
    user: str
    at: datetime
    text: str
    key: str = ""
    thread: str = ""
    pinned: bool = False


class Chat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A chat.

    Attributes:
        rooms: channels and groups.
        messages: in any order.
        colleagues: who answer.
        statuses: by user name, where it is not online.
        tokens: personal access tokens, by token: user name.
    """

    rooms: tuple[SeededRoom, ...] = ()
    messages: tuple[SeededMessage, ...] = ()
    colleagues: tuple[Colleague, ...] = ()
    statuses: Mapping[str, str] = {}
    tokens: Mapping[str, str] = {}


Tables = dict[str, dict[str, Record]]


def tables(chat: Chat, people: Mapping[str, Record], seed: int, now: datetime) -> Tables:
    """Return the chat's base tables.

    Args:
        chat: what it holds.
        people: the office's table of people; all of them are in the chat.
        seed: of the office.
        now: when the office's day begins; messages are older.

    Returns:
        The tables of `teller_gym.office.chat.tables`, and the chat's part of the table of keys, which has to be merged
        with that of other services.

    Raises:
        OptionError: the description contradicts itself, or names someone who is not there.
    """
    found: Tables = {name: {} for name in (USERS, USER_IDS, ROOMS, ROOM_NAMES, MESSAGES, TIMELINES, COLLEAGUES, KEYS)}
    for message in chat.messages:
        _check_message(message, now)
    start = stamp(min([now, *(one.at for one in chat.messages)]))
    for username, person in people.items():
        _add_user(found, username, person, chat.statuses.get(username, "online"), seed)
    _known("statuses", chat.statuses, people)
    for room in chat.rooms:
        _add_room(found, room, list(people), seed, start)
    _add_messages(found, sorted(chat.messages, key=lambda one: one.at), seed, now)
    for colleague in chat.colleagues:
        check_colleague(colleague, people)
        _check_rooms(colleague, found[ROOM_NAMES])
        found[COLLEAGUES][colleague.username] = to_record(colleague)
    _known("tokens", chat.tokens.values(), people)
    for token, username in chat.tokens.items():
        found[KEYS][f"{SERVICE}:{token}"] = {"username": username, "expired": False}
    return found


def _known(where: str, usernames: Any, people: Mapping[str, Record]) -> None:
    for name in usernames:
        if name not in people:
            raise OptionError(f"{where}: there is nobody of the user name {name}")


def _add_user(found: Tables, username: str, person: Record, status: str, seed: int) -> None:
    if not NAME.fullmatch(username):
        raise OptionError(f"people: expected a user name of letters, digits, - . and _, got {username!r}")
    if status not in STATUSES:
        raise OptionError(f"statuses: expected one of {', '.join(STATUSES)} for {username}, got {status!r}")
    key = word_id(seed, "chat.user", username)
    found[USERS][username] = {
        "_id": key,
        "username": username,
        "name": person["name"],
        "email": person["email"],
        "bio": person["title"],
        "roles": ["admin", "user"] if person["admin"] else ["user"],
        "status": status,
        "statusText": "",
    }
    found[USER_IDS][key] = {"username": username}


def _add_room(found: Tables, room: SeededRoom, everybody: list[str], seed: int, at: str) -> None:
    where = f"room {room.name}"
    if len(room.name) > MAX_NAME or not NAME.fullmatch(room.name):
        raise OptionError(f"{where}: expected a name of up to {MAX_NAME} letters, digits, - . and _")
    if room.name in found[ROOM_NAMES]:
        raise OptionError(f"{where}: there are two of this name")
    members = list(room.members or everybody)
    owner = room.owner or members[0]
    _known(where, members, found[USERS])
    if owner not in members or not set(room.moderators) <= set(members):
        raise OptionError(f"{where}: owner and moderators have to be members")
    key = "GENERAL" if room.name == GENERAL else word_id(seed, "chat.room", room.name)
    record = new_room(key, room.t, room.name, members, author(found[USERS][owner]), at)
    record |= {"topic": room.topic, "description": room.description, "ro": room.read_only}
    record |= {"moderators": list(room.moderators), "default": room.name == GENERAL}
    found[ROOMS][key] = record
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
        if one.pinned:
            message["pinned"] = True
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


def _check_rooms(colleague: Colleague, names: Mapping[str, Record]) -> None:
    for fact in colleague.facts:
        for name in fact.release.members_of:
            if name not in names:
                raise OptionError(f"colleague {colleague.username}, fact {fact.key}: there is no room {name}")


def _check_message(message: SeededMessage, now: datetime) -> None:
    where = f"message of {message.user} at {message.at:%Y-%m-%d %H:%M}"
    if message.at.tzinfo is not None or message.at > now:
        raise OptionError(f"{where}: expected a time in UTC without a zone, and before the day begins at {now}")
    if len(message.text) > MAX_MESSAGE or not is_unicode(message.text):
        raise OptionError(f"{where}: expected at most {MAX_MESSAGE} characters, got {shown(message.text)}")


def _place(found: Tables, message: SeededMessage, seed: int, where: str) -> Record:
    """The room of a message; a direct one is made with its first message."""
    if isinstance(message.to, str):
        place = found[ROOM_NAMES].get(message.to)
        room = None if place is None else found[ROOMS][place["rid"]]
        if room is None or message.user not in room["members"]:
            raise OptionError(f"{where}: there is no room {message.to} with the author in it")
        return room
    names = list(dict.fromkeys([message.user, *message.to]))
    _known(where, names, found[USERS])
    key = direct_room_id(seed, [found[USERS][name] for name in names])
    if key not in found[ROOMS]:
        found[ROOMS][key] = new_room(key, "d", "", names, None, stamp(message.at))
        found[TIMELINES][key] = {"ids": []}
    return found[ROOMS][key]
