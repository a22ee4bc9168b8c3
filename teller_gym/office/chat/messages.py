"""Posting messages."""

from __future__ import annotations

from teller_gym.base.text import shown
from teller_gym.office.chat.addresses import resolve
from teller_gym.office.chat.attachments import checked_text, file_card
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.references import references
from teller_gym.office.chat.rooms import can_access, save_room
from teller_gym.office.chat.tables import MESSAGES, ROOMS, TIMELINES, stamp
from teller_gym.office.chat.users import author, caller
from teller_gym.office.ids import word_id
from teller_gym.office.store import Record, Store


def post(
    store: Store,
    user: str,
    to: str,
    text: str = "",
    *,
    thread: str | None = None,
    join: bool = True,
    file: Record | None = None,
    caption: str = "",
) -> Record:
    """Post a message; return it as the API has it.

    Args:
        store: the office's.
        user: user name of the author.
        to: ``#channel``, ``@username``, or a room's id or name. A missing direct room is made, and the author joins a
            channel.
        text: at most 5,000 characters; surrounding white space is removed.
        thread: id of the message in the same room that this one replies to.
        join: whether to join a channel that the author is not in yet.
        file: a file uploaded for the room: ``_id``, ``name``, ``type`` and ``size``; see `uploads`.
        caption: the file's caption, at most 5,000 characters.

    Raises:
        ChatError: the address leads nowhere, the room is closed to the author, or something is malformed.
    """
    me = caller(store, user)
    body = checked_text(text).strip()
    checked_text(caption, "description")
    place = resolve(store, user, to)
    room = place.room
    check_access(room, user)
    parent = None if thread is None else _parent(store, room, thread)
    if place.is_new:
        save_room(store, room)
    elif join and user not in room["members"]:
        room = _join(store, room, user)
    message = build(store, me, room, _new_id(store), stamp(store.tick()), body)
    if file is not None:
        message |= {"attachments": [file_card(file, caption)], "file": file, "files": [file]}
    if parent is not None:
        message["tmid"] = parent["_id"]
        store.put(MESSAGES, parent["_id"], with_reply(parent, message))
    _append(store, message)
    return message


def build(store: Store, user: Record, room: Record, key: str, at: str, text: str) -> Record:
    """Return a message's record; nothing is written."""
    mentions, channels, urls = references(store, text, user["username"])
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
    """Return a thread's first message with one more reply."""
    replies = parent.get("replies", [])
    who = reply["u"]["_id"]
    return {
        **parent,
        "tcount": parent.get("tcount", 0) + 1,
        "tlm": reply["ts"],
        "replies": replies if who in replies else [*replies, who],
        "_updatedAt": reply["ts"],
    }


def check_access(room: Record, user: str) -> None:
    """Check that a user may write in a room.

    Raises:
        ChatError: it is closed to them.
    """
    if not can_access(room, user):
        raise ChatError("error-not-allowed")


def _append(store: Store, message: Record) -> None:
    """Write a message at the end of its room."""
    ids = (store.get(TIMELINES, message["rid"]) or {"ids": ()})["ids"]
    store.put(MESSAGES, message["_id"], message)
    store.put(TIMELINES, message["rid"], {"ids": [*ids, message["_id"]]})


def _join(store: Store, room: Record, user: str) -> Record:
    """Make a user a member of a channel, with the system's line that announces it; return the room."""
    room = store.update(ROOMS, room["_id"], members=[*room["members"], user])
    at, key = stamp(store.tick()), _new_id(store)
    line = {"_id": key, "rid": room["_id"], "t": "uj", "msg": user, "ts": at, "u": author(caller(store, user))}
    _append(store, line | {"_updatedAt": at, "mentions": [], "channels": [], "urls": []})
    return room


def _new_id(store: Store) -> str:
    return word_id(store.seed, "chat.message", store.count(MESSAGES))


def _parent(store: Store, room: Record, thread: str) -> Record:
    """Return the first message of a thread; a reply to a reply belongs to the same thread."""
    found = store.get(MESSAGES, thread)
    if found is not None and "tmid" in found:
        found = store.get(MESSAGES, found["tmid"])
    if found is None or found["rid"] != room["_id"]:
        raise ChatError(f"The room has no message {shown(thread)} to reply to", "error-invalid-message")
    return found
