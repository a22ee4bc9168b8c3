"""Searching messages, with the filters of a search text."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

import msgspec

from teller_gym.office.chat.errors import invalid
from teller_gym.office.chat.rooms import timeline
from teller_gym.office.store import Record, Store

MAX_SEARCH: Final = 500
"""Maximum length of a search text in characters."""

_LEAST: Final = 2
"""Minimum number of characters to look for; with fewer, only the filters count, as in Rocket.Chat."""

_FILTER: Final = re.compile(
    r"(?<!\S)(?:(from|mention):@?([0-9a-z_.-]+)|(before|after|on):(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})"
    r"|(has):(url|link|pin)|(is):(pinned)|(?:order|sort):(asc|desc)[a-z]*)(?!\S)",
    re.IGNORECASE,
)


class Search(msgspec.Struct, frozen=True):
    """The conditions of a search.

    Attributes:
        text: text in lower case; empty: any.
        authors: user names, one of which has to be the author's.
        mentioned: user names, one of which has to be mentioned.
        first: stamp of the earliest message.
        before: stamp that messages have to precede.
        url: True to find only messages with a web address.
        pinned: True to find only pinned messages, which this chat does not have.
        ascending: True for the oldest first.
        is_empty: True if the text has no condition, so that nothing is found.
    """

    text: str
    authors: tuple[str, ...]
    mentioned: tuple[str, ...]
    first: str
    before: str
    url: bool
    pinned: bool
    ascending: bool
    is_empty: bool


def parse_search(text: str, user: str) -> Search:
    """Take the filters out of a search text: ``from:me``, ``from:anna``, ``mention:anna``, ``has:url``, ``is:pinned``,
    ``before:``, ``after:`` and ``on:`` with a day such as 31/12/2026, ``order:asc`` and ``order:desc``.

    A filter whose day does not exist is part of the text.

    Raises:
        ChatError: the text is too long.
    """
    if len(text) > MAX_SEARCH:
        raise invalid(f"searchText: expected at most {MAX_SEARCH} characters, got {len(text)}")
    names: dict[str, list[str]] = {"from": [], "mention": []}
    first, before, flags, ascending = "", "~", set[str](), False

    def consume(match: re.Match[str]) -> str:
        nonlocal first, before, ascending
        who, name, when, day, month, year, has, what, is_, _, order = match.groups()
        if who:
            names[who.lower()].append(user if name.lower() == "me" else name.lower())
        elif when:
            try:
                start = date(int(year), int(month), int(day))
                end = start + timedelta(days=1)
            except (ValueError, OverflowError):
                return match[0]
            # As in Rocket.Chat, "before" ends where its day begins, and "after" begins where its day ends.
            if when.lower() != "before":
                first = max(first, str(end if when.lower() == "after" else start))
            if when.lower() != "after":
                before = min(before, str(start if when.lower() == "before" else end))
        elif has or is_:
            flags.add("pinned" if is_ or what.lower() == "pin" else "url")
        else:
            ascending = order.lower() == "asc"
        return ""

    rest = " ".join(_FILTER.sub(consume, text).split()).lower()
    filtered = bool(names["from"] or names["mention"] or flags or first or before != "~")
    return Search(
        rest if len(rest) >= _LEAST else "",
        tuple(names["from"]),
        tuple(names["mention"]),
        first,
        before,
        "url" in flags,
        "pinned" in flags,
        ascending,
        len(rest) < _LEAST and not filtered,
    )


def search_room(store: Store, room: Record, search: Search) -> list[Record]:
    """Return a room's messages that fit, the newest first unless the search says otherwise."""
    if search.is_empty:
        return []
    found = [one for one in timeline(store, room["_id"]) if _fits(one, search)]
    return found if search.ascending else found[::-1]


def _fits(message: Record, search: Search) -> bool:
    if not search.first <= message["ts"] < search.before:
        return False
    if search.authors and message["u"]["username"].lower() not in search.authors:
        return False
    if search.mentioned and not any(one["username"].lower() in search.mentioned for one in message["mentions"]):
        return False
    if search.pinned or (search.url and not message["urls"]):
        return False
    return search.text in message["msg"].lower()
