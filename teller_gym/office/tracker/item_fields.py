"""The fields of a work item: those a client may send, those of a new item, and what must fit together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import is_member
from teller_gym.office.tracker.errors import NON_FIELD, invalid
from teller_gym.office.tracker.fields import MAX_TEXT, Field, choice, day, read, reference, references, text
from teller_gym.office.tracker.html import strip_tags
from teller_gym.office.tracker.tables import STATES, USERS

PRIORITIES: Final = ("urgent", "high", "medium", "low", "none")
"""Most urgent first."""

FIELDS: Final[Mapping[str, Field]] = {
    "name": text(),
    "description_html": text(MAX_TEXT, blank=True),
    "priority": choice(*PRIORITIES),
    "start_date": day(),
    "target_date": day(),
    "state": reference(STATES),
    "assignees": references(USERS),
}
"""Fields that a client may send; the tracker itself sets an item's creator, times, number and completion."""

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
"""A new item's values where nothing is sent, apart from its id, times, users, project and workspace."""


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
    if "assignees" in values:
        values["assignees"] = [one for one in values["assignees"] if is_member(store, one, project)]
    return values
