"""Endpoints of channels, groups, direct messages and rooms of any kind."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from teller_gym.office.chat import membership, reading
from teller_gym.office.chat import rooms as domain
from teller_gym.office.chat.addresses import open_direct, resolve
from teller_gym.office.chat.endpoints.call import Call, Endpoint
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.rooms import CHANNEL, DIRECT, GROUP, find_room, room_json, rooms_of
from teller_gym.office.chat.tables import parse_stamp
from teller_gym.office.chat.users import author, caller, find_user, is_admin
from teller_gym.office.store import Record

_HISTORY_COUNT: Final = 20
"""Messages of a history, where the call does not say how many."""

_NAMES: Final = {CHANNEL: ("channel", "channels"), GROUP: ("group", "groups"), DIRECT: ("room", "ims")}
"""Under what the API gives one room of a kind, and several."""


def room_of(kind: str, call: Call) -> Record:
    """Return the room that a call is about; a direct room may be given by the other person's name.

    Raises:
        ChatError: there is none that the caller may read.
    """
    room_id, name = call.text("roomId"), call.text("roomName")
    if kind == DIRECT:
        name, other = None, call.text("username")
        if other and not room_id:
            room_id = resolve(call.store, call.user, f"@{other}").room["_id"]
    return find_room(call.store, call.user, kind, room_id, name)


def _one(kind: str, call: Call, room: Record) -> dict[str, Any]:
    return {_NAMES[kind][0]: room_json(call.store, room)}


def _list(kind: str, call: Call, joined: bool = True) -> dict[str, Any]:
    found = (room_json(call.store, room) for room in rooms_of(call.store, call.user, kind, joined))
    return call.listed(_NAMES[kind][1], found, {"_id": 1} if kind == DIRECT else {"name": 1})


def _info(kind: str, call: Call) -> dict[str, Any]:
    return _one(kind, call, room_of(kind, call))


def _history(kind: str, call: Call) -> dict[str, Any]:
    messages = reading.history(
        call.store,
        room_of(kind, call),
        call.page(_HISTORY_COUNT),
        call.text("latest"),
        call.text("oldest"),
        call.flag("inclusive") or False,
        call.flag("showThreadMessages") is not False,
    )
    return {"messages": messages}


def _messages(kind: str, call: Call) -> dict[str, Any]:
    rows = domain.timeline(call.store, room_of(kind, call)["_id"])
    if call.flag("pinned"):
        rows = [one for one in rows if one.get("pinned")]
    return call.listed("messages", rows[::-1])


def _members(kind: str, call: Call) -> dict[str, Any]:
    rows = domain.members(call.store, room_of(kind, call))
    part = (call.text("filter") or "").casefold()
    status = call.texts("status")
    found = (one for one in rows if part in one["username"].casefold() or part in one["name"].casefold())
    return call.listed("members", (one for one in found if not status or one["status"] in status))


def _counters(kind: str, call: Call) -> dict[str, Any]:
    room, user = room_of(kind, call), call.user
    if user_id := call.text("userId"):
        if not is_admin(caller(call.store, call.user)):
            raise ChatError("You may not see counters of others", "error-not-allowed")
        user = find_user(call.store, user_id)["username"]
    return reading.counters(call.store, user, room)


def _online(kind: str, call: Call) -> dict[str, Any]:
    room_id = call.text("_id")  # a parameter of this endpoint only
    room = find_room(call.store, call.user, kind, room_id) if room_id else room_of(kind, call)
    rows = domain.members(call.store, room)
    return {"online": [{"_id": one["_id"], "username": one["username"]} for one in rows if one["status"] != "offline"]}


def _in_charge(field: str, kind: str, call: Call) -> dict[str, Any]:
    room = room_of(kind, call)
    return {field: [author(caller(call.store, one)) for one in room[field]]}


def _roles(kind: str, call: Call) -> dict[str, Any]:
    room = room_of(kind, call)
    people = {name: [role for role in ("owner", "moderator") if name in room[f"{role}s"]] for name in room["members"]}
    found = [(caller(call.store, name), roles) for name, roles in people.items() if roles]
    return {
        "roles": [
            {"_id": f"{room['_id']}{who['_id']}", "rid": room["_id"], "u": author(who), "roles": roles}
            for who, roles in found
        ]
    }


def _mentions(call: Call) -> dict[str, Any]:
    room = room_of(CHANNEL, call)
    return call.listed("mentions", reading.mentions_of(call.store, call.user, room["_id"]))


def _create(kind: str, call: Call) -> dict[str, Any]:
    name, others = call.need("name"), call.texts("members")
    room = membership.create_room(call.store, call.user, kind, name, others, call.flag("readOnly") or False)
    return _one(kind, call, room)


def _join(call: Call) -> dict[str, Any]:
    return _one(CHANNEL, call, membership.join(call.store, call.user, room_of(CHANNEL, call)))


def _invite(kind: str, call: Call) -> dict[str, Any]:
    ids = call.texts("userIds") or call.texts("userId")
    names = call.texts("usernames") or call.texts("username")
    users = [find_user(call.store, user_id=one)["username"] for one in ids[: membership.MAX_INVITED + 1]] or names
    if not users:
        raise ChatError('Give "userId", "username", "userIds" or "usernames"', "error-users-params-not-provided")
    return _one(kind, call, membership.invite(call.store, call.user, room_of(kind, call), users))


def _leave(kind: str, call: Call) -> dict[str, Any]:
    room = membership.leave(call.store, call.user, room_of(kind, call))
    return _one(kind, call, room) if kind == CHANNEL else {}


def _person(call: Call) -> str:
    return str(find_user(call.store, call.text("userId"), call.text("username") or call.text("user"))["username"])


def _kick(kind: str, call: Call) -> dict[str, Any]:
    room = membership.kick(call.store, call.user, room_of(kind, call), _person(call))
    return _one(kind, call, room) if kind == CHANNEL else {}


def _owner(owner: bool, kind: str, call: Call) -> dict[str, Any]:
    membership.set_owner(call.store, call.user, room_of(kind, call), _person(call), owner)
    return {}


def _about(field: str, kind: str, call: Call) -> dict[str, Any]:
    text = call.text(field)
    if text is None:
        raise ChatError(f'The parameter "{field}" is required')
    membership.set_about(call.store, call.user, room_of(kind, call), field, text)
    return {field: text}


def _read_only(kind: str, call: Call) -> dict[str, Any]:
    value = call.flag("readOnly")
    if value is None:
        raise ChatError('The parameter "readOnly" is required')
    return _one(kind, call, membership.set_read_only(call.store, call.user, room_of(kind, call), value))


def _im_create(call: Call) -> dict[str, Any]:
    others = [call.text("username") or ""] if call.text("username") else _split(call)
    if not others:
        raise ChatError('Give "username" or "usernames"', "error-room-param-not-provided")
    room = open_direct(call.store, call.user, others)
    value = room_json(call.store, room)
    return {"room": {**value, "rid": room["_id"]}}


def _split(call: Call) -> list[str]:
    return [name for part in call.texts("usernames") for name in (one.strip() for one in part.split(",")) if name]


def _rooms_get(call: Call) -> dict[str, Any]:
    found = [room_json(call.store, room) for room in rooms_of(call.store, call.user)]
    return {"update": _since(call, found), "remove": []}


def _rooms_info(call: Call) -> dict[str, Any]:
    room = domain.any_room(call.store, call.user, call.text("roomId"), call.text("roomName"))
    return {"room": room_json(call.store, room)}


def _rooms_leave(call: Call) -> dict[str, Any]:
    room = domain.any_room(call.store, call.user, call.text("roomId"), call.text("roomName"))
    membership.leave(call.store, call.user, room)
    return {}


def _subscriptions(call: Call) -> dict[str, Any]:
    found = [reading.subscription(call.store, call.user, room) for room in rooms_of(call.store, call.user)]
    return {"update": _since(call, found), "remove": []}


def _subscription(call: Call) -> dict[str, Any]:
    rid = call.need("roomId")
    mine = next((room for room in rooms_of(call.store, call.user) if room["_id"] == rid), None)
    return {"subscription": mine and reading.subscription(call.store, call.user, mine)}


def _read(call: Call) -> dict[str, Any]:
    reading.mark_read(call.store, call.user, call.need("rid"))
    return {}


def _since(call: Call, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    text = call.text("updatedSince")
    since = parse_stamp("updatedSince", text) if text else ""
    return [row for row in rows if row["_updatedAt"] > since]


def _of_kind(kind: str) -> dict[tuple[str, str], Endpoint]:
    return {
        ("GET", "history"): partial(_history, kind),
        ("GET", "messages"): partial(_messages, kind),
        ("GET", "members"): partial(_members, kind),
        ("GET", "counters"): partial(_counters, kind),
        ("POST", "setTopic"): partial(_about, "topic", kind),
    }


def _of_named(kind: str) -> dict[tuple[str, str], Endpoint]:
    return _of_kind(kind) | {
        ("GET", "info"): partial(_info, kind),
        ("GET", "online"): partial(_online, kind),
        ("GET", "roles"): partial(_roles, kind),
        ("GET", "moderators"): partial(_in_charge, "moderators", kind),
        ("POST", "create"): partial(_create, kind),
        ("POST", "invite"): partial(_invite, kind),
        ("POST", "leave"): partial(_leave, kind),
        ("POST", "kick"): partial(_kick, kind),
        ("POST", "addOwner"): partial(_owner, True, kind),
        ("POST", "removeOwner"): partial(_owner, False, kind),
        ("POST", "setDescription"): partial(_about, "description", kind),
        ("POST", "setAnnouncement"): partial(_about, "announcement", kind),
        ("POST", "setReadOnly"): partial(_read_only, kind),
    }


_CHANNELS: Final[Mapping[tuple[str, str], Endpoint]] = _of_named(CHANNEL) | {
    ("GET", "list"): partial(_list, CHANNEL, joined=False),
    ("GET", "list.joined"): partial(_list, CHANNEL),
    ("POST", "join"): _join,
    ("GET", "getAllUserMentionsByChannel"): _mentions,
}
_GROUPS: Final[Mapping[tuple[str, str], Endpoint]] = _of_named(GROUP) | {("GET", "list"): partial(_list, GROUP)}
_DIRECT: Final[Mapping[tuple[str, str], Endpoint]] = _of_kind(DIRECT) | {
    ("GET", "list"): partial(_list, DIRECT),
    ("POST", "create"): _im_create,
}

ENDPOINTS: Final[Mapping[tuple[str, str], Endpoint]] = {
    **{(method, f"channels.{name}"): one for (method, name), one in _CHANNELS.items()},
    **{(method, f"groups.{name}"): one for (method, name), one in _GROUPS.items()},
    **{(method, f"im.{name}"): one for (method, name), one in _DIRECT.items()},
    **{(method, f"dm.{name}"): one for (method, name), one in _DIRECT.items()},
    ("GET", "rooms.get"): _rooms_get,
    ("GET", "rooms.info"): _rooms_info,
    ("POST", "rooms.leave"): _rooms_leave,
    ("GET", "subscriptions.get"): _subscriptions,
    ("GET", "subscriptions.getOne"): _subscription,
    ("POST", "subscriptions.read"): _read,
}
