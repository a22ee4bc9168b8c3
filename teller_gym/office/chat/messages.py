"""Messages: posting, changing and deleting them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from teller_gym.base.text import shown
from teller_gym.office.chat import history
from teller_gym.office.chat.addresses import resolve
from teller_gym.office.chat.attachments import all_texts, checked_attachments, checked_text, file_card
from teller_gym.office.chat.errors import ChatError, invalid
from teller_gym.office.chat.references import references
from teller_gym.office.chat.rooms import can_access, is_manager, save_room
from teller_gym.office.chat.tables import MESSAGES, ROOMS, TIMELINES
from teller_gym.office.chat.users import author, caller
from teller_gym.office.ids import word_id
from teller_gym.office.store import Record, Store

_MESSAGE_ID: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")
"""Ids that a client may choose for its message: no blanks, so that they stand in keys and addresses as they are."""

_EMOJI: Final = re.compile(r":[0-9a-z_+-]{1,50}:")

READ_ONLY: Final = "The room is read-only: only its owners and moderators may write"


def post(
    store: Store,
    user: str,
    to: str,
    text: str = "",
    *,
    thread: str | None = None,
    show_in_room: bool = False,
    attachments: Sequence[Any] = (),
    emoji: str | None = None,
    message_id: str | None = None,
    join: bool = True,
    file: Record | None = None,
    caption: str = "",
) -> Record:
    """Post a message; return it as the API has it.

    Args:
        store: the office's.
        user: who writes.
        to: ``#channel``, ``@username``, or a room's id or name. A direct room that there is not yet is made, and the
            author joins a channel.
        text: at most 5,000 characters; blanks around it are cut off.
        thread: id of the message in the same room that this one replies to.
        show_in_room: show a reply in the room as well as in its thread.
        attachments: cards; see `attachments`.
        emoji: stands beside the message instead of the author's picture.
        message_id: one that the client chose.
        join: whether to join a channel that the author is not in yet.
        file: a file uploaded for the room: ``_id``, ``name``, ``type`` and ``size``; see `uploads`.
        caption: the file's caption, at most 5,000 characters.

    Raises:
        ChatError: the address leads nowhere, the room is closed to the author or read-only, or something is malformed.
    """
    me = caller(store, user)
    body = checked_text(text).strip()
    cards = checked_attachments(attachments) if attachments else []
    if file is not None:
        cards.append(file_card(file, checked_text(caption, "description")))
    if emoji is not None and not _EMOJI.fullmatch(emoji):
        raise invalid(f"emoji: expected one such as :coffee:, got {shown(emoji)}")
    place = resolve(store, user, to)
    room = place.room
    check_writable(store, room, user)
    parent = None if thread is None else _parent(store, room, thread)
    if message_id is not None:
        _check_new_id(store, message_id)
    if place.is_new:
        save_room(store, room)
    elif join and user not in room["members"]:
        room = add_member(store, room, user)
    key = message_id or word_id(store.seed, "chat.message", store.count(MESSAGES))
    at = history.record(store, "sent", user, room, key, all_texts(body, cards))
    message = build(store, me, room, key, at, body)
    if cards:
        message["attachments"] = cards
    if file is not None:
        message |= {"file": file, "files": [file]}
    if emoji is not None:
        message["emoji"] = emoji
    if parent is not None:
        message["tmid"] = parent["_id"]
        if show_in_room:
            message["tshow"] = True
        store.put(MESSAGES, parent["_id"], with_reply(parent, message))
    append(store, message)
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
    """Return a thread's first message with one reply more."""
    replies = parent.get("replies", [])
    who = reply["u"]["_id"]
    return {
        **parent,
        "tcount": parent.get("tcount", 0) + 1,
        "tlm": reply["ts"],
        "replies": replies if who in replies else [*replies, who],
        "_updatedAt": reply["ts"],
    }


def append(store: Store, message: Record) -> None:
    """Write a message at the end of its room."""
    ids = (store.get(TIMELINES, message["rid"]) or {"ids": ()})["ids"]
    store.put(MESSAGES, message["_id"], message)
    store.put(TIMELINES, message["rid"], {"ids": [*ids, message["_id"]]})


def add_member(store: Store, room: Record, user: str, inviter: str | None = None) -> Record:
    """Write someone into a channel or group, with the line that says so; return the room."""
    room = store.update(ROOMS, room["_id"], members=[*room["members"], user])
    at = history.record(store, "joined", user, room)
    announce(store, room, "au" if inviter else "uj", inviter or user, user, at)
    return room


def announce(
    store: Store, room: Record, kind: str, user: str, text: str, at: str | None = None, **fields: Any
) -> Record:
    """Write a line of the system's into a room: ``uj`` joined, ``au`` added, ``ul`` left, ``room_changed_topic`` …

    Args:
        store: the office's.
        room: where.
        kind: of the line, its ``t``.
        user: whose act it tells of.
        text: the line's ``msg``.
        at: when the act happened; None if the text is the user's own, which then counts as said.
        fields: more of the message's.
    """
    key = word_id(store.seed, "chat.message", store.count(MESSAGES))
    at = at or history.record(store, "sent", user, room, key, text)
    message = {"_id": key, "rid": room["_id"], "t": kind, "msg": text, "ts": at, "u": author(caller(store, user))}
    message |= {"_updatedAt": at, "mentions": [], "channels": [], "urls": [], **fields}
    append(store, message)
    return message


def update(store: Store, user: str, room_id: str, message_id: str, text: str) -> Record:
    """Change a message's text and return the message: one's own or, as owner, moderator or administrator, anyone's.

    Raises:
        ChatError: there is no such message in the room, it may not be changed by this user, or the text is too long.
    """
    me = caller(store, user)
    message, room = _in_room(store, room_id, message_id)
    body = checked_text(text).strip()
    if "t" in message or (message["u"]["username"] != user and not is_manager(store, room, user)):
        raise ChatError("You may not change this message", "error-action-not-allowed")
    check_writable(store, room, user)
    if message["msg"] == body:
        return message
    at = history.record(store, "edited", user, room, message_id, all_texts(body, message.get("attachments", ())))
    mentions, channels, urls = references(store, body, user)
    new = {**message, "msg": body, "mentions": mentions, "channels": channels, "urls": urls}
    new |= {"_updatedAt": at, "editedAt": at, "editedBy": {"_id": me["_id"], "username": me["username"]}}
    store.put(MESSAGES, message_id, new)
    return new


def delete(store: Store, user: str, room_id: str, message_id: str) -> Record:
    """Delete a message and return what it was: one's own or, as owner, moderator or administrator, anyone's.

    One that has replies stays as an empty line of type ``rm``, as the beginning of its thread. What it said is kept in
    the history.

    Raises:
        ChatError: there is no such message in the room, or it may not be deleted by this user.
    """
    me = caller(store, user)
    message, room = _in_room(store, room_id, message_id)
    manager = is_manager(store, room, user)
    if not can_access(room, user) or (message["u"]["username"] != user and not manager):
        raise ChatError("You may not delete this message", "error-action-not-allowed")
    if message.get("t") == "rm":
        raise ChatError("This message was deleted already", "error-action-not-allowed")
    if room["ro"] and not manager:
        raise ChatError(READ_ONLY)
    text = all_texts(message["msg"], message.get("attachments", ()))
    at = history.record(store, "deleted", user, room, message_id, text)
    if message.get("tcount"):
        kept = {key: message[key] for key in ("_id", "rid", "ts", "u", "tcount", "tlm", "replies")}
        kept |= {"t": "rm", "msg": "", "mentions": [], "channels": [], "urls": [], "_updatedAt": at}
        store.put(MESSAGES, message_id, {**kept, "editedAt": at, "editedBy": {"_id": me["_id"], "username": user}})
        return message
    parent = store.get(MESSAGES, message["tmid"]) if "tmid" in message else None
    if parent is not None:
        store.update(MESSAGES, parent["_id"], tcount=parent["tcount"] - 1, _updatedAt=at)
    ids = (store.get(TIMELINES, room_id) or {"ids": ()})["ids"]
    store.put(TIMELINES, room_id, {"ids": [key for key in ids if key != message_id]})
    store.delete(MESSAGES, message_id)
    return message


def check_writable(store: Store, room: Record, user: str) -> None:
    """Check that someone may write in a room.

    Raises:
        ChatError: it is closed to them, or read-only.
    """
    if not can_access(room, user):
        raise ChatError("error-not-allowed")
    if room["ro"] and not is_manager(store, room, user):
        raise ChatError(READ_ONLY)


def _in_room(store: Store, room_id: str, message_id: str) -> tuple[Record, Record]:
    message = store.get(MESSAGES, message_id)
    if message is None:
        raise ChatError(f"There is no message {shown(message_id)}")
    if message["rid"] != room_id:
        raise ChatError(f"The message is not in the room {shown(room_id)}")
    room = store.get(ROOMS, room_id)
    if room is None:
        raise ChatError(f"There is no room {shown(room_id)}", "error-invalid-room")
    return message, room


def _parent(store: Store, room: Record, thread: str) -> Record:
    """The first message of a thread; a reply to a reply stands in the same thread."""
    found = store.get(MESSAGES, thread)
    if found is not None and "tmid" in found:
        found = store.get(MESSAGES, found["tmid"])
    if found is None or found["rid"] != room["_id"]:
        raise ChatError(f"The room has no message {shown(thread)} to reply to", "error-invalid-message")
    return found


def _check_new_id(store: Store, message_id: str) -> None:
    if not _MESSAGE_ID.fullmatch(message_id):
        raise invalid(f"_id: expected 1 to 64 letters, digits, - and _, got {shown(message_id)}")
    if store.get(MESSAGES, message_id) is not None:
        raise ChatError(f"There is a message {message_id} already", "error-invalid-message")
