"""Endpoints of the chat API, by HTTP method and name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import msgspec

from teller_gym.base.text import shown
from teller_gym.office.chat import messages, rooms, users
from teller_gym.office.chat.colleagues import post_and_answer
from teller_gym.office.chat.errors import ChatError, invalid, login_failed
from teller_gym.office.chat.rooms import CHANNEL, DIRECT, room_json, rooms_of
from teller_gym.office.chat.search import parse_search, search_room
from teller_gym.office.chat.tables import ROOMS
from teller_gym.office.store import Record, Store

VERSION: Final = "5.3.0"
"""Version of Rocket.Chat whose behaviour is followed where versions differ."""

MAX_COUNT: Final = 100
"""Maximum number of results on a page, as by default in Rocket.Chat."""

MAX_ALL: Final = 1_000
"""Maximum number of results with ``count=0``, which asks for all results."""

_COUNT: Final = 50
_HISTORY_COUNT: Final = 20
"""Default number of messages in a history."""

_EPOCH: Final = datetime(1970, 1, 1)

_NAMES: Final = {CHANNEL: "channels", DIRECT: "ims"}
"""Plural of each room kind in the API."""


class ChatCall(msgspec.Struct, frozen=True):
    """An API call, with typed access to its parameters.

    Attributes:
        store: the office's store.
        user: the caller's user name; empty for endpoints that need no login.
        token: the caller's token.
        values: parameters by name.
    """

    store: Store
    user: str
    token: str
    values: dict[str, Any]

    def text(self, name: str) -> str | None:
        """Return a text parameter, or None if it is missing."""
        value = self.values.get(name)
        if value is not None and not isinstance(value, str):
            raise invalid(f"{name}: expected a text, got {shown(value)}")
        return value

    def texts(self, name: str) -> list[str]:
        """Return a parameter that is a text or a list of texts, as a list.

        The result is empty if it is missing.
        """
        value = self.values.get(name)
        found = [value] if isinstance(value, str) else [] if value is None else value
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            raise invalid(f"{name}: expected a list of texts, got {shown(value)}")
        return found

    def page(self, default_count: int = _COUNT) -> tuple[int, int]:
        """Return the page size and the offset of the first result."""
        return min(self._number("count", default_count), MAX_COUNT) or MAX_ALL, self._number("offset", 0)

    def listed(self, name: str, rows: Iterable[Record]) -> dict[str, Any]:
        """Return a page of rows under ``name``, with ``count``, ``offset`` and ``total``, as the API does."""
        (count, offset), found = self.page(), list(rows)
        part = found[offset : offset + count]
        return {name: part, "count": len(part), "offset": offset, "total": len(found)}

    def _number(self, name: str, default: int) -> int:
        value = self.values.get(name)
        if value is None or value == "":
            return default
        if isinstance(value, str) and len(value) <= 9 and value.isdecimal():
            return int(value)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 10**9:
            return value
        raise invalid(f"{name}: expected a whole number from 0, got {shown(value)}")


Endpoint = Callable[[ChatCall], dict[str, Any]]
"""Function that answers a call. ``success`` is added to its result."""


def _login(call: ChatCall) -> dict[str, Any]:
    user = call.values.get("user") or call.values.get("username") or call.values.get("email")
    password = call.values.get("password")
    if not isinstance(user, str) or not isinstance(password, str):
        raise login_failed()
    return {"status": "success", "data": users.login(call.store, user, password)}


def _logout(call: ChatCall) -> dict[str, Any]:
    users.logout(call.store, call.token)
    return {"status": "success", "data": {"message": "You are logged out"}}


def _post_message(call: ChatCall) -> dict[str, Any]:
    address = call.text("channel") or call.text("roomId")
    if not address:
        raise ChatError('Give "channel" or "roomId"', "invalid-channel")
    text = call.text("text") or call.text("msg") or ""
    message, _ = post_and_answer(call.store, call.user, address, text, thread=call.text("tmid") or None)
    now = (call.store.clock() - _EPOCH) // timedelta(milliseconds=1)  # as JavaScript counts time
    return {"ts": now, "channel": address, "message": message}


def _send_message(call: ChatCall) -> dict[str, Any]:
    value = call.values.get("message")
    if not isinstance(value, dict):
        raise invalid(f"message: expected an object, got {shown(value)}")
    inner = ChatCall(call.store, call.user, call.token, value)
    rid, thread = inner.text("rid"), inner.text("tmid") or None
    if not rid or call.store.get(ROOMS, rid) is None:
        raise ChatError(f"message.rid: expected the id of a room, got {shown(rid)}", "error-invalid-room")
    message, _ = post_and_answer(call.store, call.user, rid, inner.text("msg") or "", thread=thread)
    return {"message": message}


def _search(call: ChatCall) -> dict[str, Any]:
    room_id, text = call.text("roomId"), call.text("searchText")
    if not room_id:
        raise ChatError('The parameter "roomId" is required', "error-roomId-param-not-provided")
    if not text:
        raise ChatError('The parameter "searchText" is required', "error-searchText-param-not-provided")
    room = call.store.get(ROOMS, room_id)
    if room is None or not rooms.can_access(room, call.user):
        raise ChatError(f"You may not search a room {shown(room_id)}")
    return {
        "messages": call.listed("messages", search_room(call.store, room, parse_search(text, call.user)))["messages"]
    }


def _thread(call: ChatCall) -> dict[str, Any]:
    return call.listed("messages", messages.thread(call.store, call.user, call.text("tmid") or ""))


def _room(kind: str, call: ChatCall) -> Record:
    """Return the room named in a call.

    A direct room may be named by the other person's user name.
    """
    room_id, name = call.text("roomId"), call.text("roomName")
    if kind == DIRECT:
        name, other = None, call.text("username")
        if other and not room_id:
            room_id = rooms.resolve(call.store, call.user, f"@{other}")["_id"]
    return rooms.find_room(call.store, call.user, kind, room_id, name)


def _list_rooms(kind: str, call: ChatCall) -> dict[str, Any]:
    found = [room_json(call.store, room) for room in rooms_of(call.store, call.user, kind)]
    return call.listed(_NAMES[kind], sorted(found, key=lambda one: str(one.get("name") or one["_id"])))


def _history(kind: str, call: ChatCall) -> dict[str, Any]:
    room, page = _room(kind, call), call.page(_HISTORY_COUNT)
    return {"messages": messages.history(call.store, room, *page, call.text("latest"), call.text("oldest"))}


def _create_direct(call: ChatCall) -> dict[str, Any]:
    several = [name.strip() for part in call.texts("usernames") for name in part.split(",")]
    others = [name for name in (call.text("username"), *several) if name]
    if not others:
        raise ChatError('Give "username" or "usernames"', "error-room-param-not-provided")
    room = rooms.direct_room(call.store, call.user, others)
    rooms.save_room(call.store, room)
    return {"room": {**room_json(call.store, room), "rid": room["_id"]}}


def _of_kind(kind: str, *prefixes: str) -> dict[tuple[str, str], Endpoint]:
    found: dict[str, Endpoint] = {
        "list": partial(_list_rooms, kind),
        "history": partial(_history, kind),
        "messages": lambda call: call.listed(
            "messages", reversed(rooms.timeline(call.store, _room(kind, call)["_id"]))
        ),
        "members": lambda call: call.listed("members", rooms.members(call.store, _room(kind, call))),
    }
    return {("GET", f"{prefix}.{name}"): one for prefix in prefixes for name, one in found.items()}


ENDPOINTS: Final[Mapping[tuple[str, str], Endpoint]] = {
    **_of_kind(CHANNEL, "channels"),
    **_of_kind(DIRECT, "im", "dm"),
    ("GET", "channels.info"): lambda call: {"channel": room_json(call.store, _room(CHANNEL, call))},
    ("POST", "im.create"): _create_direct,
    ("POST", "dm.create"): _create_direct,
    ("POST", "chat.postMessage"): _post_message,
    ("POST", "chat.sendMessage"): _send_message,
    ("GET", "chat.search"): _search,
    ("GET", "chat.getThreadMessages"): _thread,
    ("GET", "users.list"): lambda call: call.listed("users", users.list_users(call.store, call.user)),
    ("GET", "users.info"): lambda call: {
        "user": users.user_info(call.store, call.user, call.text("userId"), call.text("username"))
    },
    ("GET", "me"): lambda call: users.own_profile(call.store, call.user),
    ("GET", "logout"): _logout,
    ("POST", "logout"): _logout,
}
"""Endpoints for logged-in users, by HTTP method and name."""

OPEN_ENDPOINTS: Final[Mapping[tuple[str, str], Endpoint]] = {
    ("POST", "login"): _login,
    ("GET", "info"): lambda _: {"version": VERSION, "info": {"version": VERSION}},
}
"""Endpoints without login, by HTTP method and name."""
