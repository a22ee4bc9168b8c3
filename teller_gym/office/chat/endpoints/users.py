"""Endpoints of users, the caller, and the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.chat import sessions, users
from teller_gym.office.chat.endpoints.call import ChatCall, Endpoint
from teller_gym.office.chat.errors import login_failed
from teller_gym.office.chat.rooms import room_json, rooms_of

VERSION: Final = "5.3.0"
"""The version of Rocket.Chat whose behaviour is followed where versions differ."""

_MOST_FOUND: Final = 5
"""Maximum number of users and of rooms in a spotlight, as in Rocket.Chat."""


def _login(call: ChatCall) -> dict[str, Any]:
    user = call.values.get("user") or call.values.get("username") or call.values.get("email")
    password = call.values.get("password")
    if not isinstance(user, str) or not isinstance(password, str):
        raise login_failed()
    return {"status": "success", "data": sessions.login(call.store, user, password)}


def _logout(call: ChatCall) -> dict[str, Any]:
    sessions.logout(call.store, call.token)
    return {"status": "success", "data": {"message": "You are logged out"}}


def _me(call: ChatCall) -> dict[str, Any]:
    return users.own_profile(call.store, call.user)


def _server(call: ChatCall) -> dict[str, Any]:
    return {"version": VERSION, "info": {"version": VERSION}}


def _list(call: ChatCall) -> dict[str, Any]:
    return call.listed("users", users.list_users(call.store, call.user))


def _info(call: ChatCall) -> dict[str, Any]:
    return {"user": users.user_info(call.store, call.user, call.text("userId"), call.text("username"))}


def _spotlight(call: ChatCall) -> dict[str, Any]:
    query = call.need("query")
    text = query.lstrip("@#").casefold()
    people = [
        {key: one[key] for key in ("_id", "username", "name", "status", "statusText")}
        for one in users.list_users(call.store, call.user)
        if text in one["username"].casefold() or text in one["name"].casefold()
    ]
    rooms = [
        {key: room_json(call.store, one)[key] for key in ("_id", "t", "name", "fname")}
        for one in rooms_of(call.store, call.user, "cp", joined=False)
        if text in one["name"].casefold()
    ]
    return {
        "users": [] if query.startswith("#") else people[:_MOST_FOUND],
        "rooms": [] if query.startswith("@") else rooms[:_MOST_FOUND],
    }


ENDPOINTS: Final[Mapping[tuple[str, str], Endpoint]] = {
    ("GET", "logout"): _logout,
    ("POST", "logout"): _logout,
    ("GET", "me"): _me,
    ("GET", "users.list"): _list,
    ("GET", "users.info"): _info,
    ("GET", "spotlight"): _spotlight,
}

OPEN_ENDPOINTS: Final[Mapping[tuple[str, str], Endpoint]] = {
    ("POST", "login"): _login,
    ("GET", "info"): _server,
}
"""Endpoints that need no login."""
