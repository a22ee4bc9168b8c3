"""Reading: a room's history, its threads and pins, and what mentions someone."""

from __future__ import annotations

from typing import Any

from teller_gym.base.text import shown
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.paging import Page, take
from teller_gym.office.chat.rooms import can_access, readable, timeline
from teller_gym.office.chat.tables import HISTORY, MESSAGES, ROOMS, SEEN, parse_stamp
from teller_gym.office.chat.users import caller
from teller_gym.office.store import Record, Store


def history(
    store: Store,
    room: Record,
    page: Page,
    latest: str | None = None,
    oldest: str | None = None,
    inclusive: bool = False,
    threads: bool = True,
) -> list[Record]:
    """Return a room's messages, the newest first.

    Args:
        store: the office's.
        room: as one of the functions of `rooms` found it for the reader.
        page: count and offset.
        latest: only what is older than this time.
        oldest: only what is newer than this time.
        inclusive: what is as old as latest or oldest as well.
        threads: replies in threads as well as those that are shown in the room.

    Raises:
        ChatError: a time is malformed.
    """
    upper = parse_stamp("latest", latest) if latest else None
    lower = parse_stamp("oldest", oldest) if oldest else None
    found = []
    for message in reversed(timeline(store, room["_id"])):
        at = message["ts"]
        if (
            (upper is None or at < upper or (inclusive and at == upper))
            and (lower is None or at > lower or (inclusive and at == lower))
            and (threads or "tmid" not in message or message.get("tshow", False))
        ):
            found.append(message)
    return take(found, page)[0]


def get_message(store: Store, user: str, message_id: str) -> Record:
    """Return a message by id.

    Raises:
        ChatError: there is none, or it stands in a room that is closed to the reader.
    """
    message = store.get(MESSAGES, message_id)
    if message is None:
        raise ChatError(f"There is no message {shown(message_id)}")
    readable(store, user, message["rid"])
    return message


def thread(store: Store, user: str, message_id: str) -> list[Record]:
    """Return the replies to a message, the oldest first.

    Raises:
        ChatError: there is no such message, or it stands in a room that is closed to the reader.
    """
    first = store.get(MESSAGES, message_id)
    if first is None:
        raise ChatError(f"There is no message {shown(message_id)}", "error-invalid-message")
    readable(store, user, first["rid"])
    return [one for one in timeline(store, first["rid"]) if one.get("tmid") == message_id]


def threads(store: Store, user: str, room_id: str) -> list[Record]:
    """Return the messages in a room that have replies, the one with the newest reply first.

    Raises:
        ChatError: the room is closed to the reader, or there is none.
    """
    room = readable(store, user, room_id)
    found = [one for one in timeline(store, room["_id"]) if one.get("tcount")]
    return sorted(found, key=lambda one: str(one["tlm"]), reverse=True)


def pinned(store: Store, user: str, room_id: str) -> list[Record]:
    """Return the pinned messages of a room, the newest first.

    Raises:
        ChatError: the room is closed to the reader, or there is none.
    """
    room = readable(store, user, room_id)
    return [one for one in reversed(timeline(store, room["_id"])) if one.get("pinned")]


def mentions_of(store: Store, user: str, room_id: str) -> list[Record]:
    """Return the messages in a room that mention the reader, the newest first.

    Raises:
        ChatError: the room is closed to the reader, or there is none.
    """
    room = readable(store, user, room_id)
    return [
        one
        for one in reversed(timeline(store, room["_id"]))
        if any(mention["username"] == user for mention in one["mentions"])
    ]


def deleted(store: Store, user: str, room_id: str, since: str) -> list[dict[str, Any]]:
    """Return the ids of the messages that were deleted in a room after a time, the oldest first.

    Raises:
        ChatError: the room is closed to the reader, or there is none, or the time is malformed.
    """
    room, after = readable(store, user, room_id), parse_stamp("since", since)
    return [
        {"_id": event["message"], "_deletedAt": at}
        for at, event in store.rows(HISTORY)
        if event["event"] == "deleted" and event["rid"] == room["_id"] and at > after
    ]


def changed(store: Store, user: str, room_id: str, since: str, thread: str | None = None) -> dict[str, Any]:
    """Return a room's changes after a time: ``updated`` messages, including new ones, and ids of ``deleted`` ones.

    Args:
        store: the office's.
        user: who reads.
        room_id: the room's id.
        since: the time.
        thread: id of a message; if given, only replies to it are returned.

    Raises:
        ChatError: the room is closed to the reader or does not exist, or the time is malformed.
    """
    gone = deleted(store, user, room_id, since)
    after = parse_stamp("since", since)
    found = [one for one in timeline(store, room_id) if one["_updatedAt"] > after]
    return {"updated": [one for one in found if thread in (None, one.get("tmid"))], "deleted": gone}


def counters(store: Store, user: str, room: Record) -> dict[str, Any]:
    """Return the numbers of people and messages in a room, and of the messages that are new to a user."""
    joined, rows = user in room["members"], timeline(store, room["_id"])
    own = subscription(store, user, room) if joined else {}
    return {
        "joined": joined,
        "members": len(room["members"]),
        "unreads": own.get("unread", 0),
        "unreadsFrom": own.get("ls", room["ts"]) if joined else None,
        "msgs": len(rows),
        "latest": rows[-1]["ts"] if rows else room["ts"],
        "userMentions": own.get("userMentions", 0),
    }


def mark_read(store: Store, user: str, room_id: str) -> None:
    """Note that someone has read a room up to now.

    Raises:
        ChatError: they are not in it.
    """
    room = store.get(ROOMS, room_id)
    if room is None or not can_access(room, user):
        raise ChatError(f"There is no room {shown(room_id)} of yours", "error-invalid-subscription")
    messages = timeline(store, room_id)
    store.put(SEEN, f"{room_id} {user}", {"ls": messages[-1]["ts"] if messages else room["ts"]})


def subscription(store: Store, user: str, room: Record) -> dict[str, Any]:
    """Return how a room stands with one of its members: what is unread, and the roles there."""
    me, rid = caller(store, user), room["_id"]
    seen = store.get(SEEN, f"{rid} {user}")
    since = seen["ls"] if seen else ""
    new = [one for one in timeline(store, rid) if one["ts"] > since and "t" not in one and one["u"]["_id"] != me["_id"]]
    names = [one for one in sorted(room["members"]) if one != user] or [user]
    full = [caller(store, one)["name"] for one in names] if room["t"] == "d" else [room["name"]]
    roles = [role for role, who in (("owner", "owners"), ("moderator", "moderators")) if user in room[who]]
    value = {
        "_id": f"{rid}{me['_id']}",
        "rid": rid,
        "t": room["t"],
        "name": ", ".join(names) if room["t"] == "d" else room["name"],
        "fname": ", ".join(full),
        "u": {key: me[key] for key in ("_id", "username", "name")},
        "ts": room["ts"],
        "open": True,
        "alert": bool(new),
        "unread": len(new),
        "userMentions": sum(any(who["_id"] == me["_id"] for who in one["mentions"]) for one in new),
        "groupMentions": sum(any(who["_id"] in ("all", "here") for who in one["mentions"]) for one in new),
        "_updatedAt": max([room["_updatedAt"], *(one["_updatedAt"] for one in new)]),
    }
    return value | ({"ls": since} if since else {}) | ({"roles": roles} if roles else {})
