"""Modules: parts of a project that hold work items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import ADMIN, project_role, reader, writer
from teller_gym.office.tracker.errors import NON_FIELD, TrackerError, invalid, refused
from teller_gym.office.tracker.fields import MAX_TEXT, Field, choice, day, read, reference, references, text
from teller_gym.office.tracker.groupings import item_counts
from teller_gym.office.tracker.module_items import items_of, take_out
from teller_gym.office.tracker.records import EXTERNAL, audit, changed, in_project, refuse_duplicate, tick
from teller_gym.office.tracker.tables import MODULES, PROJECTS, USERS, newest_first, of_project

STATUSES: Final = ("backlog", "planned", "in-progress", "paused", "completed", "cancelled")

_FIELDS: Final[Mapping[str, Field]] = {
    "name": text(),
    "description": text(MAX_TEXT, blank=True),
    "start_date": day(),
    "target_date": day(),
    "status": choice(*STATUSES),
    "lead": reference(USERS),
    "members": references(USERS),
    **EXTERNAL,
}
_PLACES_APART: Final = 10000.0
_TAKEN: Final = "Module with this name already exists"


def list_modules(store: Store, user: str, project: str) -> list[Record]:
    """Return a project's modules, newest first.

    Raises:
        TrackerError: 403 no member of the project.
    """
    reader(store, user, project)
    return [_shown(store, one) for one in newest_first(of_project(store, MODULES, project))]


def get_module(store: Store, user: str, project: str, module: str) -> Record:
    """Return a module.

    Raises:
        TrackerError: 403 no member of the project, 404 no such module.
    """
    reader(store, user, project)
    return _shown(store, in_project(store, MODULES, module, project))


def create_module(store: Store, user: str, project: str, data: Mapping[str, Any]) -> Record:
    """Create a module; ``name`` is required.

    Raises:
        TrackerError: 400 a field is wrong, the name is taken or the project has no modules; 403 guests and
            strangers; 409 the external id is taken.
    """
    who = writer(store, user, project)
    values = read(store, data, _FIELDS, required=("name",))
    _check(store, project, values, {})
    refuse_duplicate(store, MODULES, "Module", project, values)
    others = of_project(store, MODULES, project)
    same = next((one for one in others if one["name"] == values["name"]), None)
    if same is not None:
        code = ["MODULE_NAME_ALREADY_EXISTS"]
        raise TrackerError(400, "invalid", {"id": [same["id"]], "code": code, "error": [_TAKEN], "message": [_TAKEN]})
    module = new_module(audit(store, "module", who, tick(store), project), **values)
    if others:
        module["sort_order"] = min(one["sort_order"] for one in others) - _PLACES_APART
    store.put(MODULES, module["id"], module)
    return _shown(store, module)


def update_module(store: Store, user: str, project: str, module: str, data: Mapping[str, Any]) -> Record:
    """Change some fields of a module.

    Raises:
        TrackerError: 400 a field is wrong or the name is taken, 403 guests and strangers, 404 no such module, 409
            the external id is taken.
    """
    who = writer(store, user, project)
    before = in_project(store, MODULES, module, project)
    values = read(store, data, _FIELDS)
    _check(store, project, values, before)
    refuse_duplicate(store, MODULES, "Module", project, values, before)
    if any(one["name"] == values.get("name") and one["id"] != module for one in of_project(store, MODULES, project)):
        raise TrackerError(400, "invalid", {"error": [_TAKEN]})
    after = changed(before, who, tick(store), values)
    store.put(MODULES, module, after)
    return _shown(store, after)


def delete_module(store: Store, user: str, project: str, module: str) -> None:
    """Delete a module; its work items stay.

    Raises:
        TrackerError: 403 neither an admin of the project nor who created the module, 404 no such module.
    """
    who = writer(store, user, project)
    found = in_project(store, MODULES, module, project)
    if found["created_by"] != who and project_role(store, who, project) != ADMIN:
        raise refused("Only admin or creator can delete the module", 403, "permission_denied")
    now = tick(store)
    for item in items_of(store, module):
        take_out(store, found, item, who, now)
    store.delete(MODULES, module)


def new_module(begin: Record, **values: Any) -> Record:
    """Return the record of a new module from what all records have and from its fields."""
    return {
        **begin,
        "name": values["name"],
        "description": "",
        "description_text": None,
        "description_html": None,
        "start_date": None,
        "target_date": None,
        "status": "planned",
        "view_props": {},
        "sort_order": 65535.0,
        "external_source": None,
        "external_id": None,
        "archived_at": None,
        "logo_props": {},
        "lead": None,
        "members": [],
        **values,
    }


def _shown(store: Store, module: Record) -> Record:
    """A module as the API shows it."""
    return {**module, **item_counts(store, items_of(store, module["id"]))}


def _check(store: Store, project: str, values: dict[str, Any], before: Mapping[str, Any]) -> None:
    """See to what `read` cannot know; users who are no members of the project are left out, as in Plane."""
    settings = store.get(PROJECTS, project)
    if settings is None or not settings["module_view"]:
        raise invalid(NON_FIELD, "Modules are not enabled for this project")
    both = {**before, **values}
    start, target = both.get("start_date"), both.get("target_date")
    if start is not None and target is not None and start > target:
        raise invalid(NON_FIELD, "Start date cannot exceed target date")
    if "members" in values:
        values["members"] = [one for one in values["members"] if project_role(store, one, project)]
