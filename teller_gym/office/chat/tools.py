"""Chat functions for agent tools, which take names instead of ids."""

from __future__ import annotations

from typing import Any, Final

from teller_gym.base.text import shown
from teller_gym.office.chat import messages
from teller_gym.office.chat.colleagues import post_and_answer
from teller_gym.office.chat.endpoints import MAX_COUNT
from teller_gym.office.chat.errors import invalid
from teller_gym.office.chat.rooms import can_access, last_message, nowhere, resolve, rooms_of, timeline
from teller_gym.office.chat.search import parse_search, search_room
from teller_gym.office.chat.users import list_users
from teller_gym.office.store import Record, Store

DEFAULT_COUNT: Final = 20
"""Default number of messages that one call reads or finds."""

_KINDS: Final = {"c": "channel", "d": "direct"}


def list_rooms(store: Store, user: str) -> list[dict[str, Any]]:
    """Return all channels and the user's direct rooms, most recently used first.

    Each has ``room`` (its address: #name, or @username of the other person), ``kind`` (channel or direct), ``topic``,
    ``joined``, ``messages`` (their number) and ``last`` (a time stamp, or None).
    """
    found = []
    for room in rooms_of(store, user):
        last = last_message(store, room["_id"])
        found.append(
            {
                "room": address(room, user),
                "kind": _KINDS[room["t"]],
                "topic": room["topic"],
                "joined": user in room["members"],
                "messages": len(timeline(store, room["_id"])),
                "last": last["ts"] if last else None,
            }
        )
    return sorted(found, key=lambda one: str(one["last"] or ""), reverse=True)


def read_messages(
    store: Store,
    user: str,
    room: str,
    count: int = DEFAULT_COUNT,
    before: str | None = None,
    thread: str | None = None,
) -> dict[str, Any]:
    """Return the last messages of a room, oldest first.

    Args:
        store: the office's store.
        user: user name of the reader.
        room: the room's address: ``#channel``, ``@username``, or an id or name.
        count: maximum number of messages, from 1 to 100.
        before: a time in ISO 8601 to return only older messages.
        thread: id of a message to return only the replies to it.

    Returns:
        ``room`` (its address) and ``messages``; each message has ``id``, ``at``, ``from``, ``text`` and, if set,
        ``thread`` and ``replies``.
    """
    _check_count(count)
    place = _readable(store, user, room)
    if thread is None:
        rows = messages.history(store, place, count, latest=before)[::-1]
    else:
        rows = [one for one in messages.thread(store, user, thread) if one["rid"] == place["_id"]][-count:]
    return {"room": address(place, user), "messages": [_plain(one) for one in rows]}


def search_messages(
    store: Store, user: str, text: str, room: str | None = None, count: int = DEFAULT_COUNT
) -> list[dict[str, Any]]:
    """Return the messages that contain a text, newest first, in one room or in all rooms that the user may read.

    The text may contain filters, such as ``from:anna has:url``; see `search.parse_search`.
    """
    _check_count(count)
    search = parse_search(text, user)
    places = list(rooms_of(store, user)) if room is None else [_readable(store, user, room)]
    found = [(one, place) for place in places for one in search_room(store, place, search)]
    found.sort(key=lambda pair: str(pair[0]["ts"]), reverse=not search.ascending)
    return [{"room": address(place, user), **_plain(one)} for one, place in found[:count]]


def send_message(store: Store, user: str, to: str, text: str, thread: str | None = None) -> dict[str, Any]:
    """Send a message, and post colleagues' answers to it.

    Returns:
        ``id``, ``at``, ``room`` (its address) and ``answers`` (number of answers in the room).
    """
    if isinstance(text, str) and not text.strip():
        raise invalid("text: expected a message, got an empty one")
    message, answers = post_and_answer(store, user, to, text, thread=thread)
    place = resolve(store, user, message["rid"])
    return {
        "id": message["_id"],
        "at": message["ts"],
        "room": address(place, user),
        "answers": len(answers),
    }


def list_people(store: Store, user: str) -> list[dict[str, Any]]:
    """Return all users, sorted by user name: ``username``, ``name``, ``title``, ``status``, ``status_text``."""
    return [
        {
            "username": one["username"],
            "name": one["name"],
            "title": one["bio"],
            "status": one["status"],
            "status_text": one["statusText"],
        }
        for one in list_users(store, user)
    ]


def address(room: Record, user: str) -> str:
    """Return a room's address: ``#name``, ``@username`` of the other person, or the id of a larger direct room."""
    if room["t"] != "d":
        return f"#{room['name']}"
    others = [one for one in room["members"] if one != user]
    return f"@{(others or [user])[0]}" if len(others) < 2 else str(room["_id"])


def _readable(store: Store, user: str, room: str) -> Record:
    """Return the room at an address.

    A room that the reader may not access counts as missing.
    """
    place = resolve(store, user, room)
    if not can_access(place, user):
        raise nowhere(room)
    return place


def _plain(message: Record) -> dict[str, Any]:
    value: dict[str, Any] = {
        "id": message["_id"],
        "at": message["ts"],
        "from": message["u"]["username"],
        "text": message["msg"],
    }
    names = (("tmid", "thread"), ("tcount", "replies"))
    value |= {new: message[old] for old, new in names if message.get(old)}
    return value


def _check_count(count: int) -> None:
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MAX_COUNT:
        raise invalid(f"count: expected a number from 1 to {MAX_COUNT}, got {shown(count)}")
