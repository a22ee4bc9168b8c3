"""References in a message's text: people, channels and web addresses."""

from __future__ import annotations

import re
from typing import Any, Final

from teller_gym.office.chat.tables import ROOM_NAMES, ROOMS, USERS
from teller_gym.office.store import Record, Store

NAME: Final = re.compile(r"[0-9a-zA-Z_.-]+")
"""Names of users and rooms, as Rocket.Chat allows them by default."""

_MENTION: Final = re.compile(r"(?<![^\s>(])@([0-9a-zA-Z_.-]+)")
_CHANNEL: Final = re.compile(r"(?<![^\s>(])#([0-9a-zA-Z_.-]+)")
_URL: Final = re.compile(r"https?://[^\s<>\"]+")
_EVERYBODY: Final = ("all", "here")


def references(store: Store, text: str, user: str) -> tuple[list[Any], list[Any], list[Any]]:
    """Return a message's ``mentions``, ``channels`` and ``urls``, each without repetitions, in order.

    A group of which the author is no member is not linked, since its id would reveal that it exists.
    """
    return (
        _mentions(store, text) if "@" in text else [],
        _channels(store, text, user) if "#" in text else [],
        [{"url": url, "meta": {}} for url in _unique(_URL, text)] if "://" in text else [],
    )


def _unique(pattern: re.Pattern[str], text: str) -> dict[str, None]:
    """Return the matches of a pattern; a full stop or the like at the end belongs to the sentence."""
    found = (match.group(match.lastindex or 0) for match in pattern.finditer(text))
    return dict.fromkeys(one.rstrip(".,;:!?)-") for one in found)


def _mentions(store: Store, text: str) -> list[Record]:
    found: list[Record] = []
    for name in _unique(_MENTION, text):
        if name in _EVERYBODY:
            found.append({"_id": name, "username": name})
        elif (user := store.get(USERS, name)) is not None:
            found.append({"_id": user["_id"], "username": name, "name": user["name"], "type": "user"})
    return found


def _channels(store: Store, text: str, user: str) -> list[Record]:
    found: list[Record] = []
    for name in _unique(_CHANNEL, text):
        place = store.get(ROOM_NAMES, name)
        room = None if place is None else store.get(ROOMS, place["rid"])
        if room is not None and (room["t"] == "c" or user in room["members"]):
            found.append({"_id": room["_id"], "name": name})
    return found
