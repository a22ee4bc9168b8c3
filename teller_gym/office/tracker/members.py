"""The users of the workspace and of its projects."""

from __future__ import annotations

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import lite, member, user_id
from teller_gym.office.tracker.errors import not_found
from teller_gym.office.tracker.tables import MEMBERS, USERS, of_project


def me(store: Store, user: str) -> Record:
    """Return the user who asks: id, names, e-mail address and picture.

    Raises:
        TrackerError: 403 the person does not work with the tracker.
    """
    return _lite(store, user_id(store, user))


def list_workspace_members(store: Store, user: str) -> list[Record]:
    """Return all users of the workspace with their roles there.

    Raises:
        TrackerError: 403 not in the workspace.
    """
    user_id(store, user)
    return [{**record["lite"], "role": record["role"]} for _, record in store.rows(USERS)]


def list_project_members(store: Store, user: str, project: str) -> list[Record]:
    """Return a project's members with their roles in it.

    Raises:
        TrackerError: 403 no member of the project.
    """
    member(store, user, project)
    return [{**_lite(store, one["member"]), "role": one["role"]} for one in of_project(store, MEMBERS, project)]


def _lite(store: Store, who: str) -> Record:
    found = lite(store, who)
    if found is None:
        raise not_found()
    return found
