"""What was said to whom: a record of the chat's events that edits and deletions add to and never take from."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from teller_gym.office.chat.tables import HISTORY, stamp
from teller_gym.office.store import Record, Store

Event = Literal["sent", "edited", "deleted", "joined", "left"]

EVERYBODY: Final = "*"
"""Stands among readers for all users of the chat: what is said in a public channel."""


class Said(msgspec.Struct, frozen=True):
    """A text that someone sent, whatever became of it.

    Attributes:
        at: a stamp.
        username: who wrote it.
        room: id of the room.
        name: the room's name; of a direct room the user names, sorted, joined by a comma.
        kind: of the room: c, p or d.
        message: id of the message; an edited one was said once for each text.
        text: as it was then, with the texts of what hung on it.
        readers: user names of those who could read it, sorted, the author included; `EVERYBODY` alone for a public
            channel.
    """

    at: str
    username: str
    room: str
    name: str
    kind: str
    message: str
    text: str
    readers: tuple[str, ...]


def record(store: Store, event: Event, by: str, room: Record, message: str = "", text: str = "") -> str:
    """Note an event that happens now; return its time as a stamp.

    Args:
        by: user name of who sent, edited, deleted, joined or left.
        message: its id.
        text: what was sent, what an edited message says from now on, or what a deleted one said.
    """
    at = stamp(store.tick())
    store.put(
        HISTORY,
        at,
        {
            "event": event,
            "by": by,
            "rid": room["_id"],
            "room": room_label(room),
            "t": room["t"],
            "members": room["members"],
            "message": message,
            "text": text,
        },
    )
    return at


def room_label(room: Record) -> str:
    """Return a room's name; of a direct room the user names, sorted, joined by a comma."""
    return str(room["name"]) if room["t"] != "d" else ",".join(sorted(room["members"]))


def said(store: Store, username: str | None = None) -> list[Said]:
    """Return every text that was sent or changed to since the start, the oldest first.

    Readers are those who were members then, and those who joined before the text was deleted or changed.

    Args:
        store: the office's.
        username: only what this person wrote.
    """
    texts: list[dict[str, Any]] = []
    open_texts: dict[str, dict[str, Any]] = {}
    for at, event in store.rows(HISTORY):
        kind = event["event"]
        if kind in ("edited", "deleted"):
            open_texts.pop(event["message"], None)
        if kind in ("sent", "edited"):
            text = {"at": at, **event, "readers": set(event["members"])}
            texts.append(text)
            open_texts[event["message"]] = text
        if kind == "joined":
            for text in open_texts.values():
                if text["rid"] == event["rid"]:
                    text["readers"].add(event["by"])
    return [_as_said(text) for text in texts if username is None or text["by"] == username]


def _as_said(text: dict[str, Any]) -> Said:
    readers = (EVERYBODY,) if text["t"] == "c" else tuple(sorted(text["readers"] | {text["by"]}))
    return Said(text["at"], text["by"], text["rid"], text["room"], text["t"], text["message"], text["text"], readers)
