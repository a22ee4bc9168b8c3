"""Projects of the workspace, with their members and states.

All users see all projects, but only members see a project's items.
"""

from __future__ import annotations

from typing import Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.errors import forbidden, not_found
from teller_gym.office.tracker.tables import (
    LOGINS,
    MEMBERS,
    PROJECTS,
    STATES,
    USERS,
    newest_first,
    of_project,
)

MEMBER: Final = 15
"""Plane's number for the member role, which all users have and which may read and write work items."""


def user_id(store: Store, user: str) -> str:
    """Return the tracker's user id for one of the office's people.

    Raises:
        TrackerError: 403 if they are not in the tracker.
    """
    login = store.get(LOGINS, user)
    if login is None:
        raise forbidden()
    return str(login["id"])


def lite(store: Store, who: str) -> Record | None:
    """Return a user's public fields by id: names, e-mail address and picture, or None if there is no such user."""
    found = store.get(USERS, who)
    return None if found is None else found["lite"]


def is_member(store: Store, who: str, project: str) -> bool:
    """Return True if a user, given by id, is a member of a project."""
    return store.get(MEMBERS, f"{project}:{who}") is not None


def member(store: Store, user: str, project: str) -> str:
    """Return the id of a user who is a member of a project.

    Raises:
        TrackerError: 403 for all others.
    """
    who = user_id(store, user)
    if not is_member(store, who, project):
        raise forbidden()
    return who


def me(store: Store, user: str) -> Record:
    """Return the user's own id, names, e-mail address and picture."""
    return _lite(store, user_id(store, user))


def list_workspace_members(store: Store, user: str) -> list[Record]:
    """Return all users of the workspace with their workspace roles."""
    user_id(store, user)
    return [{**record["lite"], "role": record["role"]} for _, record in store.rows(USERS)]


def list_project_members(store: Store, user: str, project: str) -> list[Record]:
    """Return a project's members with their project roles."""
    member(store, user, project)
    return [{**_lite(store, one["member"]), "role": one["role"]} for one in of_project(store, MEMBERS, project)]


def list_projects(store: Store, user: str) -> list[Record]:
    """Return all projects: first those of which the user is a member, then the others, both newest first."""
    who = user_id(store, user)
    found = newest_first([record for _, record in store.rows(PROJECTS)])
    return sorted([_shown(store, who, one) for one in found], key=lambda one: not one["is_member"])


def get_project(store: Store, user: str, project: str) -> Record:
    """Return a project in the API's format."""
    who, found = user_id(store, user), store.get(PROJECTS, project)
    if found is None:
        raise not_found()
    return _shown(store, who, found)


def list_states(store: Store, user: str, project: str) -> list[Record]:
    """Return a project's states in workflow order, without triage."""
    member(store, user, project)
    found = [one for one in of_project(store, STATES, project) if one["group"] != "triage"]
    return sorted(found, key=lambda one: one["sequence"])


def default_state(store: Store, project: str) -> str:
    """Return the id of a project's default state for new items."""
    found: str = next(one["id"] for one in of_project(store, STATES, project) if one["default"])
    return found


def _lite(store: Store, who: str) -> Record:
    found = lite(store, who)
    if found is None:
        raise not_found()
    return found


def _shown(store: Store, who: str, project: Record) -> Record:
    """Return a project in the API's format for a user."""
    key = project["id"]
    own = store.get(MEMBERS, f"{key}:{who}")
    return {
        **project,
        "total_members": len(of_project(store, MEMBERS, key)),
        "total_cycles": 0,
        "total_modules": 0,
        "is_member": own is not None,
        "sort_order": None if own is None else own["sort_order"],
        "member_role": None if own is None else own["role"],
        "is_deployed": False,
        "cover_image_url": None,
    }
