"""Who may do what: roles of users in the workspace and in its projects."""

from __future__ import annotations

from typing import Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.errors import forbidden
from teller_gym.office.tracker.tables import LOGINS, MEMBERS, USERS

ADMIN: Final = 20
MEMBER: Final = 15
GUEST: Final = 5
ROLES: Final = (ADMIN, MEMBER, GUEST)


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


def workspace_role(store: Store, who: str) -> int:
    """Return a user's role in the workspace; 0 if there is none."""
    found = store.get(USERS, who)
    return 0 if found is None else found["role"]


def project_role(store: Store, who: str, project: str) -> int:
    """Return a user's role in a project; 0 for one who is no member."""
    found = store.get(MEMBERS, f"{project}:{who}")
    return 0 if found is None else found["role"]


def reader(store: Store, user: str, project: str) -> str:
    """Return the id of a user who may read a project's work items: any member, guests too.

    Raises:
        TrackerError: 403, also for a project that does not exist, as Plane answers.
    """
    who = user_id(store, user)
    if not project_role(store, who, project):
        raise forbidden()
    return who


def writer(store: Store, user: str, project: str) -> str:
    """Return the id of a user who may change a project's work items: an admin or member, no guest.

    Raises:
        TrackerError: 403, also for a project that does not exist, as Plane answers.
    """
    who = user_id(store, user)
    if project_role(store, who, project) < MEMBER:
        raise forbidden()
    return who
