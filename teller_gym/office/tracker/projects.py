"""Projects of the workspace, with their members and states; all users see all projects, and members work on them."""

from __future__ import annotations

from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.errors import forbidden, not_found
from teller_gym.office.tracker.tables import LOGINS, MEMBERS, PROJECTS, STATES, USERS, newest_first, of_project

MEMBER: Final = 15
"""Plane's number of the role that everybody has: a member, who may read and write work items."""

DEFAULT_STATES: Final = (
    ("Backlog", "#60646C", 15000.0, "backlog"),
    ("Todo", "#60646C", 25000.0, "unstarted"),
    ("In Progress", "#F59E0B", 35000.0, "started"),
    ("Done", "#46A758", 45000.0, "completed"),
    ("Cancelled", "#9AA4BC", 55000.0, "cancelled"),
    ("Triage", "#4E5355", 65000.0, "triage"),
)
"""Name, colour, place and group of a project's states in the order of work; the first is the default.

Plane keeps incoming items in the last one; it is never listed, and no item can be put into it.
"""

_NEW: Final[dict[str, Any]] = {
    "name": "",
    "description": "",
    "description_text": None,
    "description_html": None,
    "network": 2,
    "identifier": "",
    "emoji": None,
    "icon_prop": None,
    "module_view": True,
    "cycle_view": True,
    "issue_views_view": False,
    "page_view": True,
    "intake_view": False,
    "is_time_tracking_enabled": False,
    "is_issue_type_enabled": False,
    "guest_view_all_features": False,
    "cover_image": None,
    "archive_in": 0,
    "close_in": 0,
    "logo_props": {},
    "archived_at": None,
    "timezone": "UTC",
    "external_source": None,
    "external_id": None,
    "default_assignee": None,
    "project_lead": None,
    "cover_image_asset": None,
    "estimate": None,
    "default_state": None,
}
"""A project's fields as Plane sends them; a ``network`` of 2 marks a project that everybody in the workspace sees."""


def user_id(store: Store, user: str) -> str:
    """Return the tracker's id of one of the office's people.

    Raises:
        TrackerError: 403, the person does not work with the tracker.
    """
    login = store.get(LOGINS, user)
    if login is None:
        raise forbidden()
    return str(login["id"])


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


def list_projects(store: Store, user: str) -> list[Record]:
    """Return all projects: first those of which the user is a member, then the others, both newest first.

    Raises:
        TrackerError: 403 not in the workspace.
    """
    who = user_id(store, user)
    found = newest_first([record for _, record in store.rows(PROJECTS)])
    return sorted([_shown(store, who, one) for one in found], key=lambda one: not one["is_member"])


def get_project(store: Store, user: str, project: str) -> Record:
    """Return a project.

    Raises:
        TrackerError: 403 not in the workspace, 404 no such project.
    """
    who, found = user_id(store, user), store.get(PROJECTS, project)
    if found is None:
        raise not_found()
    return _shown(store, who, found)


def list_states(store: Store, user: str, project: str) -> list[Record]:
    """Return a project's states in the order of work, without that of triage.

    Raises:
        TrackerError: 403 no member of the project.
    """
    member(store, user, project)
    found = [one for one in of_project(store, STATES, project) if one["group"] != "triage"]
    return sorted(found, key=lambda one: one["sequence"])


def default_state(store: Store, project: str) -> str:
    """Return the id of the state of a project's new items."""
    found: str = next(one["id"] for one in of_project(store, STATES, project) if one["default"])
    return found


def new_project(key: str, workspace_id: str, who: str, now: str, **values: Any) -> Record:
    """Return the record of a new project."""
    begin = {"id": key, "created_at": now, "updated_at": now, "deleted_at": None}
    return {**begin, **_NEW, **values, "created_by": who, "updated_by": who, "workspace": workspace_id}


def new_state(begin: Record, name: str, color: str, sequence: float, group: str) -> Record:
    """Return the record of one of `DEFAULT_STATES` from the fields that all records have and from its own."""
    return {
        **begin,
        "name": name,
        "description": "",
        "color": color,
        "slug": name.lower().replace(" ", "-"),
        "sequence": sequence,
        "group": group,
        "is_triage": False,
        "default": name == DEFAULT_STATES[0][0],
        "external_source": None,
        "external_id": None,
    }


def _lite(store: Store, who: str) -> Record:
    found = lite(store, who)
    if found is None:
        raise not_found()
    return found


def _shown(store: Store, who: str, project: Record) -> Record:
    """Return a project as the API shows it to a user."""
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
