"""Endpoints that look up people and rooms for clients' fields and lists, and the server's public settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from teller_gym.base.text import shown
from teller_gym.office.chat.attachments import MAX_MESSAGE
from teller_gym.office.chat.endpoints.call import Call, Endpoint
from teller_gym.office.chat.errors import ChatError, invalid
from teller_gym.office.chat.membership import MAX_NAME
from teller_gym.office.chat.rooms import room_json, rooms_of
from teller_gym.office.chat.uploads import MAX_FILE
from teller_gym.office.chat.users import list_users

_MOST_FOUND: Final = 10
"""Maximum number of suggestions for a field, people or rooms, as in Rocket.Chat."""

_MAX_JSON: Final = 2_000
"""Maximum length of a ``selector`` or ``query``, in characters."""

_SETTINGS: Final[Mapping[str, Any]] = {
    "Accounts_AllowUserStatusMessageChange": True,
    "Accounts_RegistrationForm": "Disabled",
    "FileUpload_Enabled": True,
    "FileUpload_MaxFileSize": MAX_FILE,
    "Language": "en",
    "Message_AllowDeleting": True,
    "Message_AllowEditing": True,
    "Message_AllowPinning": True,
    "Message_MaxAllowedSize": MAX_MESSAGE,
    "Site_Name": "Office chat",
    "Threads_enabled": True,
    "UI_Use_Real_Name": False,
    "Username_MaxLength": MAX_NAME,
}
"""Rocket.Chat's public settings that apply to this chat."""

_PERSON: Final = ("_id", "username", "name", "status", "statusText")
_ROOM: Final = ("_id", "t", "name", "fname", "usersCount", "topic", "description", "ts", "lastMessage")


def _json(call: Call, name: str) -> dict[str, Any]:
    text = call.text(name) or "{}"
    try:
        value = msgspec.json.decode(text) if len(text) <= _MAX_JSON else None
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise invalid(f"{name}: expected a JSON object of at most {_MAX_JSON} characters, got {shown(text)}")
    return value


def _directory(call: Call) -> dict[str, Any]:
    query = _json(call, "query")
    kind = query.get("type", call.text("type") or "channels")
    text = query.get("text", call.text("text") or "")
    if kind not in ("users", "channels", "teams") or not isinstance(text, str):
        raise invalid(f'query: expected {{"text": …, "type": "users", "channels" or "teams"}}, got {shown(query)}')
    page = Call(call.store, call.user, call.token, {key: one for key, one in call.values.items() if key != "query"})
    if kind == "users":
        found = [one for one in list_users(call.store, call.user) if _has(text, one["username"], one["name"])]
        return page.listed("result", found, {"username": 1})
    rooms = [] if kind == "teams" else rooms_of(call.store, call.user, "c", joined=False)
    values = [room_json(call.store, one) for one in rooms if _has(text, one["name"], one["topic"])]
    return page.listed("result", [{key: one[key] for key in _ROOM if key in one} for one in values], {"name": 1})


def _complete_user(call: Call) -> dict[str, Any]:
    selector = _json(call, "selector")
    term, left_out = selector.get("term", ""), selector.get("exceptions") or []
    if not isinstance(term, str) or not isinstance(left_out, list):
        raise invalid(f"selector: expected a text as term and a list as exceptions, got {shown(selector)}")
    found = [
        {key: one[key] for key in _PERSON}
        for one in sorted(list_users(call.store, call.user), key=lambda one: str(one["username"]))
        if one["username"] not in left_out and _has(term.removeprefix("@"), one["username"], one["name"])
    ]
    return {"items": found[:_MOST_FOUND]}


def _complete_room(call: Call) -> dict[str, Any]:
    name = _json(call, "selector").get("name", "")
    if not isinstance(name, str):
        raise ChatError('The "selector" parameter is required', "error-selector-param-not-provided")
    found = [room_json(call.store, one) for one in rooms_of(call.store, call.user, "cp") if _has(name, one["name"])]
    return {"items": [{key: one[key] for key in _ROOM if key in one} for one in found[:_MOST_FOUND]]}


def _settings(call: Call) -> dict[str, Any]:
    return call.listed("settings", [{"_id": key, "value": value} for key, value in _SETTINGS.items()], {"_id": 1})


def _has(text: str, *where: str) -> bool:
    part = text.strip().casefold()
    return any(part in one.casefold() for one in where)


ENDPOINTS: Final[Mapping[tuple[str, str], Endpoint]] = {
    ("GET", "directory"): _directory,
    ("GET", "users.autocomplete"): _complete_user,
    ("GET", "rooms.autocomplete.channelAndPrivate"): _complete_room,
}

OPEN_ENDPOINTS: Final[Mapping[tuple[str, str], Endpoint]] = {("GET", "settings.public"): _settings}
"""Endpoints that need no login."""
