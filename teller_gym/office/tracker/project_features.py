"""The parts of the tracker that a project uses, under the names of Plane's feature switches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.store import Store
from teller_gym.office.tracker.errors import refused
from teller_gym.office.tracker.fields import boolean, read
from teller_gym.office.tracker.projects import get_project, update_project

_OURS: Final = {
    "modules": "module_view",
    "cycles": "cycle_view",
    "views": "issue_views_view",
    "pages": "page_view",
    "intakes": "intake_view",
    "work_item_types": "is_issue_type_enabled",
}
"""Switches, with the project's field for each."""

_PAID: Final = ("epics", "workflows", "parallel_cycles", "project_updates")
"""Switches of paid plans, always off."""


def get_features(store: Store, user: str, project: str) -> dict[str, bool]:
    """Return a project's switches, each on or off.

    Raises:
        TrackerError: 403 not in the workspace, 404 no such project, or one that is secret to the user.
    """
    found = get_project(store, user, project)
    return {**{name: found[field] for name, field in _OURS.items()}, **dict.fromkeys(_PAID, False)}


def update_features(store: Store, user: str, project: str, data: Mapping[str, Any]) -> dict[str, bool]:
    """Turn some of a project's switches on or off, and return all of them.

    Raises:
        TrackerError: 400 a value is not a boolean, or turns on a switch of a paid plan; otherwise as from
            `projects.update_project`.
    """
    values = read(store, data, {name: boolean() for name in (*_OURS, *_PAID)})
    for name in _PAID:
        if values.get(name):
            raise refused(f"{name} belongs to paid plans and cannot be turned on here.")
    update_project(store, user, project, {field: values[name] for name, field in _OURS.items() if name in values})
    return get_features(store, user, project)
