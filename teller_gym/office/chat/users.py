"""People in the chat: looking them up, and their profiles."""

from __future__ import annotations

from typing import Any

from teller_gym.base.text import shown
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.tables import USER_IDS, USERS
from teller_gym.office.store import Record, Store


def user_named(store: Store, username: str) -> Record | None:
    """Return a user by name, with or without a leading @, in any case of letters."""
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


def author(user: Record) -> Record:
    """Return a user in the form in which a message or room names its author."""
    return {"_id": user["_id"], "username": user["username"], "name": user["name"]}


def profile(user: Record, full: bool) -> dict[str, Any]:
    """Return a user's JSON; ``full`` adds the e-mail address and roles, which only the user sees."""
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
    """Return the caller's JSON in answers to ``me`` and a login."""
    me = caller(store, user)
    return {
        **profile(me, full=True),
        "email": me["email"],
        "statusConnection": me["status"],
        "settings": {"profile": {}, "preferences": {}},
        "avatarUrl": f"/avatar/{me['username']}",
    }


def user_info(store: Store, user: str, user_id: str | None = None, username: str | None = None) -> dict[str, Any]:
    """Return a user's JSON, found by id or, without one, by name.

    Raises:
        ChatError: neither is given, or there is no such user.
    """
    if not user_id and not username:
        raise ChatError('Give "userId" or "username"', "error-user-param-not-provided")
    found = user_with_id(store, user_id) if user_id else user_named(store, username or "")
    if found is None:
        raise ChatError("User not found.")  # Rocket.Chat gives no type here
    return profile(found, full=found["username"] == user)


def list_users(store: Store, user: str) -> list[dict[str, Any]]:
    """Return everybody's JSON, by user name.

    Raises:
        ChatError: the caller is no user of the chat.
    """
    caller(store, user)
    return [profile(one, full=name == user) for name, one in sorted(store.rows(USERS))]
