"""Logging in and out, and the sender of a request."""

from __future__ import annotations

import base64
from typing import Any, Final

from teller_gym.office.chat.errors import login_failed, not_logged_in
from teller_gym.office.chat.tables import USERS
from teller_gym.office.chat.users import own_profile
from teller_gym.office.ids import digest
from teller_gym.office.people import KEYS, with_key, with_password
from teller_gym.office.store import Store

SERVICE: Final = "chat"
"""The beginning of the chat's keys in the table of keys."""


def login(store: Store, user: str, password: str) -> dict[str, Any]:
    """Log in by user name or e-mail address; return ``userId``, a new ``authToken`` and ``me``.

    Raises:
        ChatError: no user has this name and password.
    """
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
    """Return the name of the user to whom an id and a token belong.

    Raises:
        ChatError: they belong to no user, or not to the same one.
    """
    person = with_key(store, SERVICE, token)
    user = None if person is None else store.get(USERS, person["username"])
    if user is None or user["_id"] != user_id:
        raise not_logged_in()
    return str(user["username"])


def logout(store: Store, token: str) -> None:
    """Make a token invalid."""
    if store.get(KEYS, f"{SERVICE}:{token}") is not None:
        store.update(KEYS, f"{SERVICE}:{token}", expired=True)
