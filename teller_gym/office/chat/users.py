"""Chat users: look-ups, profiles and sessions."""

from __future__ import annotations

import base64
from typing import Any, Final

from teller_gym.base.text import shown
from teller_gym.office.chat.errors import ChatError, login_failed, not_logged_in
from teller_gym.office.chat.tables import USER_IDS, USERS
from teller_gym.office.ids import digest
from teller_gym.office.people import KEYS, with_key, with_password
from teller_gym.office.store import Record, Store

SERVICE: Final = "chat"
"""Prefix of the chat's keys in the table ``keys``."""


def user_named(store: Store, username: str) -> Record | None:
    """Return the user with a name (in any case, with or without a leading @), or None if there is none."""
    name = username.removeprefix("@")
    found = store.get(USERS, name)
    if found is None:
        folded = name.casefold()
        found = next((one for key, one in store.rows(USERS) if key.casefold() == folded), None)
    return found


def user_with_id(store: Store, user_id: str) -> Record | None:
    """Return the user with an id, or None if there is no such user."""
    found = store.get(USER_IDS, user_id)
    return None if found is None else store.get(USERS, found["username"])


def caller(store: Store, username: str) -> Record:
    """Return the calling user."""
    found = store.get(USERS, username)
    if found is None:
        raise ChatError(f"There is no user {shown(username)}", "error-invalid-user")
    return found


def author(user: Record) -> Record:
    """Return the fields that identify the author in a message or room."""
    return {key: user[key] for key in ("_id", "username", "name")}


def profile(user: Record, full: bool) -> dict[str, Any]:
    """Return a user's JSON.

    ``full`` adds the e-mail address and roles, which only the user may see.
    """
    value = {key: user[key] for key in ("_id", "username", "name", "bio", "status", "statusText")}
    value |= {"type": "user", "active": True, "utcOffset": 0}
    if full:
        value["emails"] = [{"address": user["email"], "verified": True}]
        value["roles"] = user["roles"]
    return value


def own_profile(store: Store, user: str) -> dict[str, Any]:
    """Return the caller's JSON, as in the responses to ``me`` and ``login``."""
    me = caller(store, user)
    return {
        **profile(me, full=True),
        "email": me["email"],
        "statusConnection": me["status"],
        "settings": {"profile": {}, "preferences": {}},
        "avatarUrl": f"/avatar/{me['username']}",
    }


def user_info(store: Store, user: str, user_id: str | None = None, username: str | None = None) -> dict[str, Any]:
    """Return a user's JSON, looked up by id or, without one, by name."""
    if not user_id and not username:
        raise ChatError('Give "userId" or "username"', "error-user-param-not-provided")
    found = user_with_id(store, user_id) if user_id else user_named(store, username or "")
    if found is None:
        raise ChatError("User not found.")  # Rocket.Chat gives no type here
    return profile(found, full=found["username"] == user)


def list_users(store: Store, user: str) -> list[dict[str, Any]]:
    """Return all users' JSON, sorted by user name."""
    caller(store, user)
    return [profile(one, full=name == user) for name, one in sorted(store.rows(USERS))]


def login(store: Store, user: str, password: str) -> dict[str, Any]:
    """Log in with a user name or e-mail address, and return ``userId``, a new ``authToken`` and ``me``."""
    person = with_password(store, user, password)
    if person is None or store.get(USERS, person["username"]) is None:
        raise login_failed()
    username = person["username"]
    raw = digest(store.seed, "chat.token", store.count(f"{SERVICE}.tokens"))
    token = base64.urlsafe_b64encode(raw).decode().rstrip("=")
    store.put(KEYS, f"{SERVICE}:{token}", {"username": username, "expired": False})
    me = own_profile(store, username)
    return {"userId": me["_id"], "authToken": token, "me": me}


def authenticate(store: Store, user_id: str, token: str) -> str:
    """Return the user name that an id and a token belong to."""
    person = with_key(store, SERVICE, token)
    user = None if person is None else store.get(USERS, person["username"])
    if user is None or user["_id"] != user_id:
        raise not_logged_in()
    return str(user["username"])


def logout(store: Store, token: str) -> None:
    """Invalidate a token."""
    if store.get(KEYS, f"{SERVICE}:{token}") is not None:
        store.update(KEYS, f"{SERVICE}:{token}", expired=True)
