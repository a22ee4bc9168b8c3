"""States of a project's work items; the group of a state says what it means."""

from __future__ import annotations

from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import member
from teller_gym.office.tracker.tables import STATES, of_project

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


def new_state(begin: Record, **values: Any) -> Record:
    """Return the record of a state from the fields that all records have and from its own."""
    return {
        **begin,
        "name": values["name"],
        "description": "",
        "color": "",
        "slug": values["name"].lower().replace(" ", "-"),
        "sequence": 65535.0,
        "group": "backlog",
        "is_triage": False,
        "default": False,
        "external_source": None,
        "external_id": None,
        **values,
    }
