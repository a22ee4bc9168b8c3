"""Posts messages, and reads a room's history and threads."""

from __future__ import annotations

import re
from typing import Any, Final

from teller_gym.base.text import is_unicode, shown
from teller_gym.office.chat.errors import ChatError, invalid
from teller_gym.office.chat.rooms import can_access, resolve, room_named, save_room, timeline
from teller_gym.office.chat.tables import MESSAGES, ROOMS, TIMELINES, USERS, parse_stamp, stamp
from teller_gym.office.chat.users import author, caller
from teller_gym.office.ids import word_id
from teller_gym.office.store import Record, Store

MAX_MESSAGE: Final = 5_000
"""Maximum length of a message in characters, as by default in Rocket.Chat."""

NAME: Final = re.compile(r"[0-9a-zA-Z_.-]+")
"""Pattern of user and room names, as by default in Rocket.Chat."""

_MENTION: Final = re.compile(r"(?<![^\s>(])@([0-9a-zA-Z_.-]+)")
_CHANNEL: Final = re.compile(r"(?<![^\s>(])#([0-9a-zA-Z_.-]+)")
_URL: Final = re.compile(r"https?://[^\s<>\"]+")
_EVERYBODY: Final = ("all", "here")


def post(store: Store, user: str, to: str, text: str = "", *, thread: str | None = None) -> Record:
    """Post a message to a channel, a user or a room.

    The text has at most 5,000 characters; surrounding white space is removed. A direct room is created if necessary.

    Args:
        store: the office's store.
        user: user name of the author.
        to: ``#channel``, ``@username``, or a room's id or name.
        text: the message.
        thread: id of the message in the same room that this one replies to.

    Returns:
        The message in the API's format.
    """
    me = caller(store, user)
    body = _checked_text(text).strip()
    room = resolve(store, user, to)
    if not can_access(room, user):
        raise ChatError("error-not-allowed")
    parent = None if thread is None else _parent(store, room, thread)
    save_room(store, room)
    key = word_id(store.seed, "chat.message", store.count(MESSAGES))
    message = build(store, me, room, key, stamp(store.tick()), body)
    if parent is not None:
        message["tmid"] = parent["_id"]
        store.put(MESSAGES, parent["_id"], with_reply(parent, message))
    ids = (store.get(TIMELINES, room["_id"]) or {"ids": ()})["ids"]
    store.put(MESSAGES, key, message)
    store.put(TIMELINES, room["_id"], {"ids": [*ids, key]})
    return message


def build(store: Store, user: Record, room: Record, key: str, at: str, text: str) -> Record:
    """Return a message record, without writing it."""
    mentions, channels, urls = references(store, text)
    return {
        "_id": key,
        "rid": room["_id"],
        "msg": text,
        "ts": at,
        "u": author(user),
        "_updatedAt": at,
        "mentions": mentions,
        "channels": channels,
        "urls": urls,
    }


def with_reply(parent: Record, reply: Record) -> Record:
    """Return the first message of a thread, updated for a further reply."""
    replies = parent.get("replies", [])
    who = reply["u"]["_id"]
    return {
        **parent,
        "tcount": parent.get("tcount", 0) + 1,
        "tlm": reply["ts"],
        "replies": replies if who in replies else [*replies, who],
        "_updatedAt": reply["ts"],
    }


def references(store: Store, text: str) -> tuple[list[Any], list[Any], list[Any]]:
    """Return a text's ``mentions``, ``channels`` and ``urls``, each in order and without repetitions."""
    mentions: list[Record] = []
    for name in _unique(_MENTION, text):
        if name in _EVERYBODY:
            mentions.append({"_id": name, "username": name})
        elif (person := store.get(USERS, name)) is not None:
            mentions.append({**author(person), "type": "user"})
    channels: list[Record] = []
    for name in _unique(_CHANNEL, text):
        room = room_named(store, name)
        if room is not None:
            channels.append({"_id": room["_id"], "name": name})
    return mentions, channels, [{"url": url, "meta": {}} for url in _unique(_URL, text)]


def history(
    store: Store, room: Record, count: int, offset: int = 0, latest: str | None = None, oldest: str | None = None
) -> list[Record]:
    """Return a page of a room's messages between two times, newest first."""
    upper = parse_stamp("latest", latest) if latest else "~"
    lower = parse_stamp("oldest", oldest) if oldest else ""
    found = [one for one in reversed(timeline(store, room["_id"])) if lower < one["ts"] < upper]
    return found[offset : offset + count]


def thread(store: Store, user: str, message_id: str) -> list[Record]:
    """Return the replies to a message, oldest first."""
    first = store.get(MESSAGES, message_id)
    if first is None:
        raise ChatError(f"There is no message {shown(message_id)}", "error-invalid-message")
    room = store.get(ROOMS, first["rid"])
    if room is None or not can_access(room, user):
        raise ChatError(f"You may not read a room {shown(first['rid'])}", "error-not-allowed")
    return [one for one in timeline(store, first["rid"]) if one.get("tmid") == message_id]


def _unique(pattern: re.Pattern[str], text: str) -> dict[str, None]:
    """Return the unique matches of a pattern, without trailing punctuation, which belongs to the sentence."""
    found = (match.group(match.lastindex or 0) for match in pattern.finditer(text))
    return dict.fromkeys(one.rstrip(".,;:!?)-") for one in found)


def _checked_text(text: Any) -> str:
    if not isinstance(text, str):
        raise invalid(f"text: expected a text, got {shown(text)}")
    if len(text) > MAX_MESSAGE:
        raise ChatError(
            f"text: expected at most {MAX_MESSAGE} characters, got {len(text)}", "error-message-size-exceeded"
        )
    if not text.isascii() and not is_unicode(text):
        raise invalid("text: holds half a character (a lone surrogate), which cannot be sent")
    return text


def _parent(store: Store, room: Record, thread: str) -> Record:
    """Return the first message of the thread that a message belongs to."""
    found = store.get(MESSAGES, thread)
    if found is not None and "tmid" in found:
        found = store.get(MESSAGES, found["tmid"])
    if found is None or found["rid"] != room["_id"]:
        raise ChatError(f"The room has no message {shown(thread)} to reply to", "error-invalid-message")
    return found
