"""Users of the tracker and membership of its projects."""

from __future__ import annotations

from typing import Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.errors import forbidden
from teller_gym.office.tracker.tables import LOGINS, MEMBERS, USERS

MEMBER: Final = 15
"""Plane's number of the role that everybody has: a member, who may read and write work items."""


def user_id(store: Store, user: str) -> str:
    """Return the tracker's id of one of the office's people.

    Raises:
        TrackerError: 403, the person does not work with the tracker.
    """
    login = store.get(LOGINS, user)
    if login is None:
        raise forbidden()
    found: str = login["id"]
    return found


def lite(store: Store, who: str) -> Record | None:
    """Return a user by id as the API shows one: names, e-mail address, picture; nothing about roles."""
    found = store.get(USERS, who)
    return None if found is None else found["lite"]


def is_member(store: Store, who: str, project: str) -> bool:
    """Return True if a user, given by id, is a member of a project."""
    return store.get(MEMBERS, f"{project}:{who}") is not None


def member(store: Store, user: str, project: str) -> str:
    """Return the id of a user who may read and change a project's work items.

    Raises:
        TrackerError: 403, also for a project that does not exist, as Plane answers.
    """
    who = user_id(store, user)
    if not is_member(store, who, project):
        raise forbidden()
    return who
