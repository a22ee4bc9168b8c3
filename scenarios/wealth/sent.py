"""Finds the chat messages that an agent sent, and the amounts and labels in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from teller_gym.office.chat.tables import MESSAGES, ROOMS
from teller_gym.office.documents.amounts import parse_money
from teller_gym.office.documents.errors import DocumentError
from teller_gym.scenarios.wealth.contract import Look

_AMOUNT: Final = re.compile(r"[-+]?\(?[$€£]? ?\d[\d,]*(?:\.\d+)?\)?")
_NEGATIONS: Final = re.compile(r"\b(?:not|no|never|n't|isn't|doesn't|does not|fails? to|without)\b", re.IGNORECASE)


class Said(NamedTuple):
    """A message sent by the agent or a teammate.

    Attributes:
        by: user name of the author.
        to: user names of the other readers of a direct message; empty for a channel or group.
        room: name of the channel or group; empty for a direct message.
        text: the message.
    """

    by: str
    to: tuple[str, ...]
    room: str
    text: str


def said(look: Look) -> Iterator[Said]:
    """Yield the messages sent by the agent and its team, in order."""
    for table, _, record in look.store.written():
        if table == MESSAGES and record is not None and record["u"]["username"] in look.users:
            author, room = record["u"]["username"], look.store.get(ROOMS, record["rid"])
            if room is not None:
                is_direct = room["t"] == "d"
                others = tuple(name for name in room["members"] if name != author)
                to, name = (others, "") if is_direct else ((), room["name"])
                yield Said(author, to, name, record["msg"])


def to_one(look: Look, username: str) -> list[str]:
    """Return the agent's direct messages to only the given person, in order."""
    return [one.text for one in said(look) if one.by == look.user and one.to == (username,)]


def amounts(text: str) -> set[int]:
    """Return the amounts of money in a text, in cents and without sign."""
    found = set()
    for one in _AMOUNT.finditer(text):
        try:
            found.add(abs(parse_money(one[0].rstrip(".,"))))
        except DocumentError:
            continue
    return found


def labelled(text: str, label: str) -> str | None:
    """Return the text after a label and a colon, up to the end of the line or sentence.

    The result is None if the text has no such label.
    """
    found = re.search(rf"\b{re.escape(label)}\b\W*?[:=]\s*(.+?)(?=(?:;|\n|\.\s|\.$|$))", text, re.IGNORECASE)
    return None if found is None else found[1].strip()


def is_negated(text: str) -> bool:
    """Return True if a text contains a negation."""
    return _NEGATIONS.search(text) is not None
