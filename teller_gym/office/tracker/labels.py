"""Labels of a project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import reader, writer
from teller_gym.office.tracker.errors import refused
from teller_gym.office.tracker.fields import MAX_TEXT, Field, number, read, reference, text
from teller_gym.office.tracker.records import EXTERNAL, audit, changed, in_project, refuse_duplicate, tick
from teller_gym.office.tracker.tables import ITEMS, LABELS, newest_first, of_project

_FIELDS: Final[Mapping[str, Field]] = {
    "name": text(),
    "description": text(MAX_TEXT, blank=True),
    "color": text(blank=True),
    "sort_order": number(),
    "parent": reference(LABELS),
    **EXTERNAL,
}
_PLACES_APART: Final = 10000.0


def list_labels(store: Store, user: str, project: str) -> list[Record]:
    """Return a project's labels, newest first.

    Raises:
        TrackerError: 403 no member of the project.
    """
    reader(store, user, project)
    return newest_first(of_project(store, LABELS, project))


def get_label(store: Store, user: str, project: str, label: str) -> Record:
    """Return a label.

    Raises:
        TrackerError: 403 no member of the project, 404 no such label.
    """
    reader(store, user, project)
    return in_project(store, LABELS, label, project)


def create_label(store: Store, user: str, project: str, data: Mapping[str, Any]) -> Record:
    """Create a label; ``name`` is required.

    Raises:
        TrackerError: 400 a field is wrong, 403 guests and strangers, 409 the name or the external id is taken.
    """
    who = writer(store, user, project)
    values = read(store, data, _FIELDS, required=("name",))
    refuse_duplicate(store, LABELS, "Label", project, values)
    others = of_project(store, LABELS, project)
    _refuse_same_name(others, values)
    now = tick(store)
    label = new_label(audit(store, "label", who, now, project), **values)
    if others:
        label["sort_order"] = max(one["sort_order"] for one in others) + _PLACES_APART
    store.put(LABELS, label["id"], label)
    return label


def update_label(store: Store, user: str, project: str, label: str, data: Mapping[str, Any]) -> Record:
    """Change some fields of a label.

    Raises:
        TrackerError: 400 a field is wrong, 403 guests and strangers, 404 no such label, 409 the name or the external
            id is taken.
    """
    who = writer(store, user, project)
    before = in_project(store, LABELS, label, project)
    values = read(store, data, _FIELDS)
    refuse_duplicate(store, LABELS, "Label", project, values, before)
    _refuse_same_name([one for one in of_project(store, LABELS, project) if one["id"] != label], values)
    after = changed(before, who, tick(store), values)
    store.put(LABELS, label, after)
    return after


def delete_label(store: Store, user: str, project: str, label: str) -> None:
    """Delete a label; it is taken off all items, which counts as no change of theirs, and off labels below it.

    Raises:
        TrackerError: 403 guests and strangers, 404 no such label.
    """
    writer(store, user, project)
    in_project(store, LABELS, label, project)
    tick(store)
    for key, item in store.rows(ITEMS):
        if label in item["labels"]:
            store.put(ITEMS, key, {**item, "labels": [one for one in item["labels"] if one != label]})
    for key, other in store.rows(LABELS):
        if other["parent"] == label:
            store.put(LABELS, key, {**other, "parent": None})
    store.delete(LABELS, label)


def new_label(begin: Record, **values: Any) -> Record:
    """Return the record of a new label from what all records have and from its fields."""
    return {
        **begin,
        "name": values["name"],
        "description": "",
        "color": "",
        "sort_order": 65535.0,
        "external_source": None,
        "external_id": None,
        "parent": None,
        **values,
    }


def _refuse_same_name(others: list[Record], values: Mapping[str, Any]) -> None:
    same = next((one for one in others if one["name"] == values.get("name")), None)
    if same is not None:
        raise refused("Label with the same name already exists in the project", 409, "conflict", id=same["id"])
