"""Endpoints of users, the caller, and the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.chat import sessions
from teller_gym.office.chat import users as domain
from teller_gym.office.chat.endpoints.call import Call, Endpoint
from teller_gym.office.chat.errors import ChatError, login_failed
from teller_gym.office.chat.rooms import room_json, rooms_of

VERSION: Final = "5.3.0"
"""The version of Rocket.Chat whose behaviour is followed where versions differ."""

_MOST_FOUND: Final = 5
"""Users and rooms that a spotlight shows, as in Rocket.Chat."""

_SEEN: Final = ("_id", "username", "name", "status", "statusText", "utcOffset")


def _login(call: Call) -> dict[str, Any]:
    token = call.text("resume")
    if token:
        return {"status": "success", "data": sessions.resume(call.store, token)}
    user = call.values.get("user") or call.values.get("username") or call.values.get("email")
    password = call.values.get("password")
    if not isinstance(user, str) or not isinstance(password, str):
        raise login_failed()
    return {"status": "success", "data": sessions.login(call.store, user, password)}


def _logout(call: Call) -> dict[str, Any]:
    sessions.logout(call.store, call.token)
    return {"status": "success", "data": {"message": "You are logged out"}}


def _me(call: Call) -> dict[str, Any]:
    return domain.own_profile(call.store, call.user)


def _server(call: Call) -> dict[str, Any]:
    return {"version": VERSION, "info": {"version": VERSION}}


def _list(call: Call) -> dict[str, Any]:
    return call.listed("users", domain.list_users(call.store, call.user), {"username": 1})


def _info(call: Call) -> dict[str, Any]:
    user_id, username = call.text("userId"), call.text("username")
    try:
        return {"user": domain.user_info(call.store, call.user, user_id, username)}
    except ChatError as error:
        if error.code != "error-invalid-user":
            raise
        raise ChatError("User not found.") from None  # here Rocket.Chat gives no type


def _presence(call: Call) -> dict[str, Any]:
    ids = [one for part in call.texts("ids") for one in part.split(",") if one]
    rows = domain.list_users(call.store, call.user)
    found = [one for one in rows if (one["_id"] in ids if ids else one["status"] != "offline")]
    return {"users": [{key: one[key] for key in _SEEN} for one in found], "full": not ids}


def _get_presence(call: Call) -> dict[str, Any]:
    me = domain.caller(call.store, call.user)
    if not call.text("userId") and not call.text("username"):
        return {"presence": me["status"], "connectionStatus": me["status"]}
    user = domain.find_user(call.store, call.text("userId"), call.text("username"))
    own = {"connectionStatus": user["status"]} if user["_id"] == me["_id"] else {}
    return {"presence": user["status"], **own}


def _get_status(call: Call) -> dict[str, Any]:
    me = domain.caller(call.store, call.user)
    named = call.text("userId") or call.text("username")
    user = domain.find_user(call.store, call.text("userId"), call.text("username")) if named else me
    return {"_id": user["_id"], "status": user["status"], "message": user["statusText"]}


def _set_status(call: Call) -> dict[str, Any]:
    status, message = call.text("status"), call.text("message")
    if status is None and message is None:
        raise ChatError('Give "message" or "status"')
    domain.set_status(call.store, call.user, status, message)
    return {}


def _spotlight(call: Call) -> dict[str, Any]:
    query = call.need("query")
    text = query.lstrip("@#").casefold()
    users = [
        {key: one[key] for key in ("_id", "username", "name", "status", "statusText")}
        for one in domain.list_users(call.store, call.user)
        if text in one["username"].casefold() or text in one["name"].casefold()
    ]
    rooms = [
        {key: room_json(call.store, one)[key] for key in ("_id", "t", "name", "fname")}
        for one in rooms_of(call.store, call.user, "cp", joined=False)
        if text in one["name"].casefold()
    ]
    return {
        "users": [] if query.startswith("#") else users[:_MOST_FOUND],
        "rooms": [] if query.startswith("@") else rooms[:_MOST_FOUND],
    }


ENDPOINTS: Final[Mapping[tuple[str, str], Endpoint]] = {
    ("GET", "logout"): _logout,
    ("POST", "logout"): _logout,
    ("GET", "me"): _me,
    ("GET", "users.list"): _list,
    ("GET", "users.info"): _info,
    ("GET", "users.presence"): _presence,
    ("GET", "users.getPresence"): _get_presence,
    ("GET", "users.getStatus"): _get_status,
    ("POST", "users.setStatus"): _set_status,
    ("GET", "spotlight"): _spotlight,
}

OPEN_ENDPOINTS: Final[Mapping[tuple[str, str], Endpoint]] = {
    ("POST", "login"): _login,
    ("GET", "info"): _server,
}
"""Those for which nobody has to be logged in."""
