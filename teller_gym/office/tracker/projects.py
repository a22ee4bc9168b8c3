"""Projects of the workspace; all of its users see all of them, and members work on their items."""

from __future__ import annotations

from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import MEMBER, user_id
from teller_gym.office.tracker.errors import not_found
from teller_gym.office.tracker.tables import MEMBERS, PROJECTS, newest_first, of_project

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


def new_project(key: str, workspace_id: str, who: str, now: str, **values: Any) -> Record:
    """Return the record of a new project."""
    begin = {"id": key, "created_at": now, "updated_at": now, "deleted_at": None}
    return {**begin, **_NEW, **values, "created_by": who, "updated_by": who, "workspace": workspace_id}


def new_member(key: str, project: str, who: str) -> Record:
    """Return the record of a project's new member."""
    return {"id": key, "project": project, "member": who, "role": MEMBER, "sort_order": 65535.0}


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
