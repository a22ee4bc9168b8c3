"""Searches messages by text and filters."""

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
"""Minimum length of the text to search for. A shorter one is ignored, as in Rocket.Chat."""

_FILTER: Final = re.compile(
    r"(?<!\S)(?:(from|mention):@?([0-9a-z_.-]+)|(before|after|on):(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})"
    r"|(has):(url|link|pin)|(is):(pinned)|(?:order|sort):(asc|desc)[a-z]*)(?!\S)",
    re.IGNORECASE,
)


class Search(msgspec.Struct):
    """Search conditions.

    A search without conditions finds nothing.
    """

    text: str = ""
    """Text, in lower case, that a message has to contain."""
    authors: tuple[str, ...] = ()
    """User names, in lower case, of possible authors."""
    mentioned: tuple[str, ...] = ()
    """User names, in lower case, one of which has to be mentioned."""
    first: str = ""
    """Time stamp of the earliest message."""
    before: str = "~"
    """Time stamp before which messages were written."""
    url: bool = False
    """True to find only messages with a web address."""
    pinned: bool = False
    """True to find only pinned messages, which this chat does not have."""
    ascending: bool = False
    """True to list the oldest messages first."""

    def fits(self, message: Record) -> bool:
        """Return True if a message meets all conditions."""
        mentioned = [one["username"].lower() for one in message["mentions"]]
        return (
            self.first <= message["ts"] < self.before
            and (not self.authors or message["u"]["username"].lower() in self.authors)
            and (not self.mentioned or not set(mentioned).isdisjoint(self.mentioned))
            and not (self.pinned or (self.url and not message["urls"]))
            and self.text in message["msg"].lower()
        )


def parse_search(text: str, user: str) -> Search:
    """Parse a search text with filters.

    The filters are ``from:me``, ``from:anna``, ``mention:anna``, ``has:url``, ``is:pinned``, ``before:``, ``after:``
    and
    ``on:`` with a day such as 31/12/2026, ``order:asc`` and ``order:desc``. A filter with a day that does not exist is
    part of the text.
    """
    if len(text) > MAX_SEARCH:
        raise invalid(f"searchText: expected at most {MAX_SEARCH} characters, got {len(text)}")
    found = Search()

    def consume(match: re.Match[str]) -> str:
        who, name, when, day, month, year, has, what, is_, _, order = match.groups()
        if who and who.lower() == "from":
            found.authors += (user if name.lower() == "me" else name.lower(),)
        elif who:
            found.mentioned += (user if name.lower() == "me" else name.lower(),)
        elif when:
            try:
                start = date(int(year), int(month), int(day))
                end = start + timedelta(days=1)
            except (ValueError, OverflowError):
                return match[0]
            # As in Rocket.Chat, "before" ends where its day begins, and "after" begins where its day ends.
            if when.lower() != "before":
                found.first = max(found.first, str(end if when.lower() == "after" else start))
            if when.lower() != "after":
                found.before = min(found.before, str(start if when.lower() == "before" else end))
        elif is_ or (has and what.lower() == "pin"):
            found.pinned = True
        elif has:
            found.url = True
        else:
            found.ascending = order.lower() == "asc"
        return ""

    rest = " ".join(_FILTER.sub(consume, text).split()).lower()
    found.text = rest if len(rest) >= _LEAST else ""
    return found


def search_room(store: Store, room: Record, search: Search) -> list[Record]:
    """Return a room's matching messages, newest first unless the search is ascending."""
    if search == Search(ascending=search.ascending):
        return []
    found = [one for one in timeline(store, room["_id"]) if search.fits(one)]
    return found if search.ascending else found[::-1]
