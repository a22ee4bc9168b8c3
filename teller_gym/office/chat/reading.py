"""Reading a room's history, a message and a thread."""

from __future__ import annotations

from teller_gym.base.text import shown
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.paging import Page, take
from teller_gym.office.chat.rooms import readable, timeline
from teller_gym.office.chat.tables import MESSAGES, parse_stamp
from teller_gym.office.store import Record, Store


def history(
    store: Store,
    room: Record,
    page: Page,
    latest: str | None = None,
    oldest: str | None = None,
    inclusive: bool = False,
) -> list[Record]:
    """Return a room's messages, the newest first.

    Args:
        store: the office's.
        room: as one of the functions of `rooms` found it for the reader.
        page: count and offset.
        latest: a time; only older messages.
        oldest: a time; only newer messages.
        inclusive: also messages of exactly these times.

    Raises:
        ChatError: a time is malformed.
    """
    upper = parse_stamp("latest", latest) if latest else None
    lower = parse_stamp("oldest", oldest) if oldest else None
    found = [
        message
        for message in reversed(timeline(store, room["_id"]))
        if (upper is None or message["ts"] < upper or (inclusive and message["ts"] == upper))
        and (lower is None or message["ts"] > lower or (inclusive and message["ts"] == lower))
    ]
    return take(found, page)[0]


def get_message(store: Store, user: str, message_id: str) -> Record:
    """Return a message by id.

    Raises:
        ChatError: there is none, or its room is closed to the reader.
    """
    message = store.get(MESSAGES, message_id)
    if message is None:
        raise ChatError(f"There is no message {shown(message_id)}", "error-invalid-message")
    readable(store, user, message["rid"])
    return message


def thread(store: Store, user: str, message_id: str) -> list[Record]:
    """Return the replies to a message, the oldest first.

    Raises:
        ChatError: there is no such message, or its room is closed to the reader.
    """
    first = get_message(store, user, message_id)
    return [one for one in timeline(store, first["rid"]) if one.get("tmid") == message_id]
