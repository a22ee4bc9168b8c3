"""Endpoints of channels, groups, direct messages and rooms of any kind."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from teller_gym.office.chat import reading, rooms, uploads
from teller_gym.office.chat.addresses import open_direct, resolve
from teller_gym.office.chat.endpoints.call import ChatCall, Endpoint
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.rooms import CHANNEL, DIRECT, GROUP, room_json, rooms_of
from teller_gym.office.store import Record

_HISTORY_COUNT: Final = 20
"""Default number of messages of a history."""

_NAMES: Final = {CHANNEL: ("channel", "channels"), GROUP: ("group", "groups"), DIRECT: ("room", "ims")}
"""The API's names for one room of a kind, and for several."""


def _room(kind: str, call: ChatCall) -> Record:
    """Return the room of a call; a direct room may be given by the other person's name."""
    room_id, name = call.text("roomId"), call.text("roomName")
    if kind == DIRECT:
        name, other = None, call.text("username")
        if other and not room_id:
            room_id = resolve(call.store, call.user, f"@{other}").room["_id"]
    return rooms.find_room(call.store, call.user, kind, room_id, name)


def _list(kind: str, call: ChatCall, joined: bool = True) -> dict[str, Any]:
    found = [room_json(call.store, room) for room in rooms_of(call.store, call.user, kind, joined)]
    return call.listed(_NAMES[kind][1], sorted(found, key=lambda one: str(one.get("name") or one["_id"])))


def _info(kind: str, call: ChatCall) -> dict[str, Any]:
    return {_NAMES[kind][0]: room_json(call.store, _room(kind, call))}


def _history(kind: str, call: ChatCall) -> dict[str, Any]:
    room, page = _room(kind, call), call.page(_HISTORY_COUNT)
    latest, oldest = call.text("latest"), call.text("oldest")
    return {"messages": reading.history(call.store, room, page, latest, oldest, call.flag("inclusive"))}


def _messages(kind: str, call: ChatCall) -> dict[str, Any]:
    return call.listed("messages", reversed(rooms.timeline(call.store, _room(kind, call)["_id"])))


def _members(kind: str, call: ChatCall) -> dict[str, Any]:
    return call.listed("members", rooms.members(call.store, _room(kind, call)))


def _files(kind: str, call: ChatCall) -> dict[str, Any]:
    return call.listed("files", uploads.files_of(call.store, _room(kind, call)))


def _create_direct(call: ChatCall) -> dict[str, Any]:
    several = [name.strip() for part in call.texts("usernames") for name in part.split(",")]
    others = [name for name in (call.text("username"), *several) if name]
    if not others:
        raise ChatError('Give "username" or "usernames"', "error-room-param-not-provided")
    room = open_direct(call.store, call.user, others)
    return {"room": {**room_json(call.store, room), "rid": room["_id"]}}


def _all_rooms(call: ChatCall) -> dict[str, Any]:
    return {"update": [room_json(call.store, room) for room in rooms_of(call.store, call.user)], "remove": []}


def _any_room(call: ChatCall) -> dict[str, Any]:
    return {
        "room": room_json(call.store, rooms.any_room(call.store, call.user, call.text("roomId"), call.text("roomName")))
    }


def _of_kind(kind: str, *prefixes: str) -> dict[tuple[str, str], Endpoint]:
    found: dict[str, Endpoint] = {
        "list": partial(_list, kind),
        "info": partial(_info, kind),
        "history": partial(_history, kind),
        "messages": partial(_messages, kind),
        "members": partial(_members, kind),
        "files": partial(_files, kind),
    }
    if kind == CHANNEL:
        found |= {"list": partial(_list, kind, joined=False), "list.joined": partial(_list, kind)}
    if kind == DIRECT:
        del found["info"]  # Rocket.Chat has none
    return {("GET", f"{prefix}.{name}"): one for prefix in prefixes for name, one in found.items()}


ENDPOINTS: Final[Mapping[tuple[str, str], Endpoint]] = {
    **_of_kind(CHANNEL, "channels"),
    **_of_kind(GROUP, "groups"),
    **_of_kind(DIRECT, "im", "dm"),
    ("POST", "im.create"): _create_direct,
    ("POST", "dm.create"): _create_direct,
    ("GET", "rooms.get"): _all_rooms,
    ("GET", "rooms.info"): _any_room,
}
