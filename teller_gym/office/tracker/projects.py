"""Projects of the workspace."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import ADMIN, MEMBER, project_role, user_id, workspace_role
from teller_gym.office.tracker.errors import NON_FIELD, TrackerError, forbidden, invalid, not_found
from teller_gym.office.tracker.fields import MAX_TEXT, Field, boolean, choice, integer, read, reference, text
from teller_gym.office.tracker.records import EXTERNAL, changed, new_id, tick
from teller_gym.office.tracker.states import DEFAULT_STATES, new_state
from teller_gym.office.tracker.tables import (
    CYCLES,
    MEMBERS,
    MODULES,
    PROJECTS,
    STATES,
    USERS,
    newest_first,
    of_project,
    workspace,
)

PUBLIC: Final = 2
"""Everybody in the workspace sees such a project (``network``); a secret one, 0, is seen by its members alone."""

_FORBIDDEN_CHARACTERS = re.compile(r"[&+,:;$^}{*=?@#|'<>.()%!-]")
_MAX_IDENTIFIER: Final = 12
_MONTHS: Final = 12

_FIELDS: Final[Mapping[str, Field]] = {
    "name": text(),
    "description": text(MAX_TEXT, blank=True),
    "project_lead": reference(USERS),
    "default_assignee": reference(USERS),
    "identifier": text(_MAX_IDENTIFIER),
    "emoji": text(blank=True, null=True),
    "module_view": boolean(),
    "cycle_view": boolean(),
    "issue_views_view": boolean(),
    "page_view": boolean(),
    "intake_view": boolean(),
    "guest_view_all_features": boolean(),
    "archive_in": integer(0, _MONTHS, null=False),
    "close_in": integer(0, _MONTHS, null=False),
    "timezone": choice("UTC"),
    **EXTERNAL,
    "is_issue_type_enabled": boolean(),
    "is_time_tracking_enabled": boolean(),
}
_UPDATE_FIELDS: Final[Mapping[str, Field]] = {**_FIELDS, "default_state": reference(STATES)}

_NEW: Final[Mapping[str, Any]] = {
    "name": "",
    "description": "",
    "description_text": None,
    "description_html": None,
    "network": PUBLIC,
    "identifier": "",
    "emoji": None,
    "icon_prop": None,
    "module_view": False,
    "cycle_view": False,
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


def list_projects(store: Store, user: str) -> list[Record]:
    """Return the projects that a user sees: one's own, then the other public ones, both newest first.

    Raises:
        TrackerError: 403 not in the workspace.
    """
    who = user_id(store, user)
    found = newest_first([record for _, record in store.rows(PROJECTS) if _sees(store, who, record)])
    return sorted([_shown(store, who, one) for one in found], key=lambda one: not one["is_member"])


def get_project(store: Store, user: str, project: str) -> Record:
    """Return a project.

    Raises:
        TrackerError: 403 not in the workspace, 404 no such project, or a secret one of others.
    """
    who = user_id(store, user)
    return _shown(store, who, _project(store, who, project))


def create_project(store: Store, user: str, data: Mapping[str, Any]) -> Record:
    """Create a project with the usual states; its creator and its lead become its admins.

    Raises:
        TrackerError: 400 a field is wrong, 403 guests of the workspace, 409 the name or the identifier is taken.
    """
    who = user_id(store, user)
    if workspace_role(store, who) < MEMBER:
        raise forbidden()
    values = read(store, data, _FIELDS, required=("name", "identifier"))
    _check(store, values, None)
    now = tick(store)
    project = new_project(new_id(store, "project"), workspace(store)["id"], who, now, **values)
    key = project["id"]
    store.put(PROJECTS, key, project)
    for member in dict.fromkeys([who, values.get("project_lead") or who]):
        store.put(MEMBERS, f"{key}:{member}", new_member(new_id(store, "member"), key, member, ADMIN))
    begin = {name: project[name] for name in ("created_at", "updated_at", "deleted_at", "created_by", "updated_by")}
    for place, (name, color, sequence, group) in enumerate(DEFAULT_STATES):
        state = new_state(
            {"id": new_id(store, "state"), **begin, "project": key, "workspace": project["workspace"]},
            name=name,
            color=color,
            sequence=sequence,
            group=group,
            default=place == 0,
        )
        store.put(STATES, state["id"], state)
    return _shown(store, who, project)


def update_project(store: Store, user: str, project: str, data: Mapping[str, Any]) -> Record:
    """Change some fields of a project.

    Raises:
        TrackerError: 400 a field is wrong; 403 neither an admin of the project nor a member of it who is an admin of
            the workspace, also for a project that does not exist; 409 the name or the identifier is taken.
    """
    who = user_id(store, user)
    role = project_role(store, who, project)
    if role < ADMIN and not (role and workspace_role(store, who) == ADMIN):
        raise forbidden()
    before = _project(store, who, project)
    values = read(store, data, _UPDATE_FIELDS)
    _check(store, values, before)
    after = changed(before, who, tick(store), values)
    store.put(PROJECTS, project, after)
    return _shown(store, who, after)


def new_project(key: str, workspace_id: str, who: str, now: str, **values: Any) -> Record:
    """Return the record of a new project."""
    begin = {"id": key, "created_at": now, "updated_at": now, "deleted_at": None}
    return {**begin, **_NEW, **values, "created_by": who, "updated_by": who, "workspace": workspace_id}


def new_member(key: str, project: str, who: str, role: int) -> Record:
    """Return the record of a project's new member."""
    return {"id": key, "project": project, "member": who, "role": role, "sort_order": 65535.0}


def _project(store: Store, who: str, project: str) -> Record:
    found = store.get(PROJECTS, project)
    if found is None or not _sees(store, who, found):
        raise not_found()
    return found


def _sees(store: Store, who: str, project: Record) -> bool:
    return project["network"] == PUBLIC or project_role(store, who, project["id"]) > 0


def _shown(store: Store, who: str, project: Record) -> Record:
    """A project as the API shows it to somebody."""
    key = project["id"]
    own = store.get(MEMBERS, f"{key}:{who}")
    return {
        **project,
        "total_members": len(of_project(store, MEMBERS, key)),
        "total_cycles": len(of_project(store, CYCLES, key)),
        "total_modules": len(of_project(store, MODULES, key)),
        "is_member": own is not None,
        "sort_order": None if own is None else own["sort_order"],
        "member_role": None if own is None else own["role"],
        "is_deployed": False,
        "cover_image_url": None,
    }


def _check(store: Store, values: dict[str, Any], before: Record | None) -> None:
    """See to what `read` cannot know, and write the identifier in capitals."""
    for name, what in (("name", "name"), ("identifier", "identifier")):
        if name in values and _FORBIDDEN_CHARACTERS.search(values[name]):
            raise invalid(NON_FIELD, f"Project {what} cannot contain special characters.")
    if values.get("project_lead") and not workspace_role(store, values["project_lead"]):
        raise invalid("project_lead", "The provided user is not a member of this workspace.")
    if values.get("default_assignee") and not workspace_role(store, values["default_assignee"]):
        raise invalid(NON_FIELD, "Default assignee should be a user in the workspace")
    if values.get("default_state"):
        state = store.get(STATES, values["default_state"])
        if before is None or state is None or state["project"] != before["id"]:
            raise invalid(NON_FIELD, "Default state should be a state in the project")
    if "identifier" in values:
        values["identifier"] = values["identifier"].upper()
    for key, other in store.rows(PROJECTS):
        if before is not None and key == before["id"]:
            continue
        if other["name"] == values.get("name"):
            raise TrackerError(409, "conflict", {"name": "The project name is already taken"})
        if other["identifier"] == values.get("identifier"):
            raise TrackerError(409, "conflict", {"identifier": "The project identifier is already taken"})
