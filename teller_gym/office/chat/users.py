"""Who is in the chat: looking people up, their profile as others see it, and their status."""

from __future__ import annotations

from typing import Any, Final

from teller_gym.base.text import is_unicode, shown
from teller_gym.office.chat.errors import ChatError, invalid
from teller_gym.office.chat.tables import USER_IDS, USERS
from teller_gym.office.store import Record, Store

STATUSES: Final = ("online", "away", "busy", "offline")
MAX_STATUS_TEXT: Final = 120
"""Characters of a status message, as in Rocket.Chat."""


def user_named(store: Store, username: str) -> Record | None:
    """Return a user by name, with a leading @ or not, whatever the case."""
    name = username.removeprefix("@")
    found = store.get(USERS, name)
    if found is None:
        folded = name.casefold()
        found = next((one for key, one in store.rows(USERS) if key.casefold() == folded), None)
    return found


def user_with_id(store: Store, user_id: str) -> Record | None:
    """Return a user by id."""
    found = store.get(USER_IDS, user_id)
    return None if found is None else store.get(USERS, found["username"])


def caller(store: Store, username: str) -> Record:
    """Return the user who calls.

    Raises:
        ChatError: there is no such user.
    """
    found = store.get(USERS, username)
    if found is None:
        raise ChatError(f"There is no user {shown(username)}", "error-invalid-user")
    return found


def find_user(store: Store, user_id: str | None = None, username: str | None = None) -> Record:
    """Return a user by id or, without one, by name.

    Raises:
        ChatError: neither is given, or there is no such user.
    """
    if user_id:
        found = user_with_id(store, user_id)
    elif username:
        found = user_named(store, username)
    else:
        raise ChatError('Give "userId" or "username"', "error-user-param-not-provided")
    if found is None:
        raise ChatError(f"There is no user {shown(user_id or username)}", "error-invalid-user")
    return found


def is_admin(user: Record) -> bool:
    """Whether a user administers the chat."""
    return "admin" in user["roles"]


def author(user: Record) -> Record:
    """Return how a message or room names its author."""
    return {"_id": user["_id"], "username": user["username"], "name": user["name"]}


def profile(user: Record, full: bool) -> dict[str, Any]:
    """Return a user's JSON; ``full`` is what administrators and the user see: addresses and roles as well."""
    value = {
        "_id": user["_id"],
        "username": user["username"],
        "name": user["name"],
        "bio": user["bio"],
        "status": user["status"],
        "statusText": user["statusText"],
        "type": "user",
        "active": True,
        "utcOffset": 0,
    }
    if full:
        value["emails"] = [{"address": user["email"], "verified": True}]
        value["roles"] = user["roles"]
    return value


def own_profile(store: Store, user: str) -> dict[str, Any]:
    """Return what ``me`` and a login tell of the caller."""
    me = caller(store, user)
    return {
        **profile(me, full=True),
        "email": me["email"],
        "statusConnection": me["status"],
        "settings": {"profile": {}, "preferences": {}},
        "avatarUrl": f"/avatar/{me['username']}",
    }


def user_info(store: Store, user: str, user_id: str | None = None, username: str | None = None) -> dict[str, Any]:
    """Return a user's JSON as the caller may see it.

    Raises:
        ChatError: there is no such user.
    """
    me, found = caller(store, user), find_user(store, user_id, username)
    return profile(found, full=is_admin(me) or found["_id"] == me["_id"])


def list_users(store: Store, user: str) -> list[dict[str, Any]]:
    """Return everybody's JSON as the caller may see it."""
    full = is_admin(caller(store, user))
    return [profile(one, full) for _, one in store.rows(USERS)]


def set_status(store: Store, user: str, status: str | None = None, message: str | None = None) -> None:
    """Change the caller's status, the message beside it, or both.

    Raises:
        ChatError: an unknown status, or a message that is too long.
    """
    me = caller(store, user)
    if status is not None and status not in STATUSES:
        raise ChatError(f"status: expected one of {', '.join(STATUSES)}, got {shown(status)}", "error-invalid-status")
    if message is not None and (len(message) > MAX_STATUS_TEXT or not is_unicode(message)):
        raise invalid(f"message: expected at most {MAX_STATUS_TEXT} characters, got {shown(message)}")
    text = me["statusText"] if message is None else message
    store.update(USERS, me["username"], status=status or me["status"], statusText=text)
