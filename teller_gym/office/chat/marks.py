"""Marks that others put on a message: reactions and pins."""

from __future__ import annotations

import re
from typing import Any, Final

from teller_gym.base.text import shown
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.messages import READ_ONLY, announce
from teller_gym.office.chat.rooms import can_access, is_manager
from teller_gym.office.chat.tables import MESSAGES, ROOMS, stamp
from teller_gym.office.chat.users import caller
from teller_gym.office.store import Record, Store

_EMOJI: Final = re.compile(r"[0-9a-z_+-]{1,50}")
MAX_REACTIONS: Final = 50
"""Different emoji on one message."""


def react(store: Store, user: str, message_id: str, emoji: str, should: bool | None = None) -> Record:
    """Put an emoji on a message, or take it away; return the message.

    Args:
        store: the office's.
        user: who reacts.
        message_id: of the message.
        emoji: its short name, with or without colons.
        should: whether it shall be there; None: the other way round than it is.

    Raises:
        ChatError: there is no such message, it is closed to the user, or this is no emoji.
    """
    message, room = _message(store, message_id)
    bare = emoji.strip(":")
    if not _EMOJI.fullmatch(bare):
        raise ChatError(f"{shown(emoji)} is no emoji; expected one such as :thumbsup:", "error-not-allowed")
    _check_access(room, user)
    key = f":{bare}:"
    reactions: dict[str, Any] = message.get("reactions", {})
    users = reactions.get(key, {"usernames": []})["usernames"]
    there = user in users
    if there == (not there if should is None else should):
        return message
    if room["ro"] and not is_manager(store, room, user):
        raise ChatError(READ_ONLY)
    if key not in reactions and len(reactions) >= MAX_REACTIONS:
        raise ChatError(f"A message has at most {MAX_REACTIONS} different reactions", "error-not-allowed")
    names = [one for one in users if one != user] if there else [*users, user]
    kept = {name: value for name, value in reactions.items() if name != key or names}
    if names:
        kept[key] = {"usernames": names}
    new = {name: value for name, value in message.items() if name != "reactions"}
    if kept:
        new["reactions"] = kept
    new["_updatedAt"] = stamp(store.tick())
    store.put(MESSAGES, message_id, new)
    return new


def pin(store: Store, user: str, message_id: str) -> Record:
    """Pin a message to its room; return the line that says so (or the message, if it was pinned already).

    Raises:
        ChatError: there is no such message, or the user is not in charge of the room.
    """
    message, room = _message(store, message_id)
    _check_pinning(store, room, user)
    if message.get("pinned"):
        return message
    me, at = caller(store, user), stamp(store.tick())
    by = {"_id": me["_id"], "username": user}
    store.update(MESSAGES, message_id, pinned=True, pinnedAt=at, pinnedBy=by, _updatedAt=at)
    writer = message["u"]["username"]
    card = {"text": message["msg"], "author_name": writer, "author_icon": f"/avatar/{writer}", "ts": message["ts"]}
    return announce(store, room, "message_pinned", user, "", at, attachments=[card])


def unpin(store: Store, user: str, message_id: str) -> None:
    """Take a pin away; nothing happens if there is none.

    Raises:
        ChatError: there is no such message, or the user is not in charge of the room.
    """
    message, room = _message(store, message_id)
    _check_pinning(store, room, user)
    if message.get("pinned"):
        gone = ("pinned", "pinnedAt", "pinnedBy")
        new = {name: value for name, value in message.items() if name not in gone}
        store.put(MESSAGES, message_id, {**new, "_updatedAt": stamp(store.tick())})


def _message(store: Store, message_id: str) -> tuple[Record, Record]:
    message = store.get(MESSAGES, message_id)
    room = None if message is None else store.get(ROOMS, message["rid"])
    if message is None or room is None:
        raise ChatError(f"There is no message {shown(message_id)}", "error-message-not-found")
    return message, room


def _check_access(room: Record, user: str) -> None:
    if not can_access(room, user):
        raise ChatError("You may not see this room", "not-authorized")


def _check_pinning(store: Store, room: Record, user: str) -> None:
    _check_access(room, user)
    if not is_manager(store, room, user):
        raise ChatError("Only owners and moderators may pin messages", "not-authorized")
