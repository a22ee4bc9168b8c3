"""The fields of a work item: what is taken, what a new item has, and what must fit together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import MEMBER, project_role
from teller_gym.office.tracker.errors import NON_FIELD, invalid
from teller_gym.office.tracker.fields import (
    MAX_TEXT,
    Field,
    boolean,
    choice,
    day,
    integer,
    number,
    read,
    reference,
    references,
    text,
)
from teller_gym.office.tracker.html import strip_tags
from teller_gym.office.tracker.records import EXTERNAL
from teller_gym.office.tracker.tables import ESTIMATE_POINTS, ITEMS, LABELS, STATES, TYPES, USERS

PRIORITIES: Final = ("urgent", "high", "medium", "low", "none")
"""Most urgent first."""

FIELDS: Final[Mapping[str, Field]] = {
    "type_id": reference(TYPES),
    "type": reference(TYPES),
    "point": integer(0, 12),
    "name": text(),
    "description_html": text(MAX_TEXT, blank=True),
    "priority": choice(*PRIORITIES),
    "start_date": day(),
    "target_date": day(),
    "sort_order": number(),
    "archived_at": day(),
    "is_draft": boolean(),
    **EXTERNAL,
    "parent": reference(ITEMS),
    "state": reference(STATES),
    "estimate_point": reference(ESTIMATE_POINTS),
    "assignees": references(USERS),
    "labels": references(LABELS),
}
"""What a client may send. Who created an item and when, its number and when it was completed is the tracker's own."""

NEW: Final[Mapping[str, Any]] = {
    "type_id": None,
    "point": None,
    "name": "",
    "description_html": "<p></p>",
    "description_stripped": "",
    "description_binary": None,
    "priority": "none",
    "start_date": None,
    "target_date": None,
    "sequence_id": 1,
    "sort_order": 65535.0,
    "completed_at": None,
    "archived_at": None,
    "is_draft": False,
    "external_source": None,
    "external_id": None,
    "parent": None,
    "state": None,
    "estimate_point": None,
    "type": None,
    "assignees": [],
    "labels": [],
}
"""What a new item has where nothing is sent, apart from its id, times, users, project and workspace."""


def read_item(store: Store, project: str, data: Any, before: Record | None) -> dict[str, Any]:
    """Return the fields that were sent, each as it is stored, and the description without its tags.

    Args:
        store: the office.
        project: the item's project.
        data: what was sent.
        before: the item that is changed, None for a new one.

    Raises:
        TrackerError: 400.
    """
    values = read(store, data, FIELDS, required=("name",) if before is None else ())
    if "description_html" in values:
        if not values["description_html"]:
            raise invalid(NON_FIELD, "Invalid HTML passed")
        values["description_stripped"] = strip_tags(values["description_html"])
    both = {**(before or NEW), **values}
    start, target = both["start_date"], both["target_date"]
    dated = "start_date" in values or "target_date" in values
    if dated and start is not None and target is not None and start > target:
        raise invalid(NON_FIELD, "Start date cannot exceed target date")
    if values.get("state") is not None:
        state = store.get(STATES, values["state"])
        if state is None or state["project"] != project or state["group"] == "triage":
            raise invalid(NON_FIELD, "State is not valid please pass a valid state_id")
    if values.get("parent") is not None and not _may_be_parent(store, project, values["parent"], before):
        raise invalid(NON_FIELD, "Parent is not valid issue_id please pass a valid issue_id")
    if "assignees" in values:
        values["assignees"] = assignable(store, project, values["assignees"])
    if "labels" in values:
        values["labels"] = [one for one in values["labels"] if _is_of(store, LABELS, one, project)]
    return values


def assignable(store: Store, project: str, users: list[str]) -> list[str]:
    """Return those of some users to whom items of a project may be given: its admins and members, no guests."""
    return [one for one in users if project_role(store, one, project) >= MEMBER]


def _is_of(store: Store, table: str, key: str, project: str) -> bool:
    found = store.get(table, key)
    return found is not None and found["project"] == project


def _may_be_parent(store: Store, project: str, parent: str, item: Record | None) -> bool:
    """Whether a parent is of the same project and neither the item itself nor below it."""
    if not _is_of(store, ITEMS, parent, project):
        return False
    above: str | None = parent
    while above is not None and item is not None:
        if above == item["id"]:
            return False
        record = store.get(ITEMS, above)
        above = None if record is None else record["parent"]
    return True
