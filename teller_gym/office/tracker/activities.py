"""What happened to a work item: one record for each changed field, with the old and the new value and who did it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import lite, reader
from teller_gym.office.tracker.errors import TrackerError
from teller_gym.office.tracker.records import audit, in_project
from teller_gym.office.tracker.tables import ACTIVITIES, ITEMS, LABELS, PROJECTS, STATES, of_item

_PLAIN: Final = {
    "name": ("name", "updated the name to"),
    "description_html": ("description", "updated the description to"),
    "priority": ("priority", "updated the priority to"),
    "start_date": ("start_date", "updated the start date to"),
    "target_date": ("target_date", "updated the target date to"),
    "point": ("point", "updated the point to"),
    "archived_at": ("archived_at", "updated the archive date to"),
}
"""Fields whose values stand in the activity as they are: the activity's field and its comment."""


def list_activities(store: Store, user: str, project: str, item: str) -> list[Record]:
    """Return a work item's activities, oldest first; those about comments are the comments themselves.

    Raises:
        TrackerError: 403 no member of the project, 404 no such item.
    """
    reader(store, user, project)
    in_project(store, ITEMS, item, project)
    return of_item(store, ACTIVITIES, item)


def get_activity(store: Store, user: str, project: str, item: str, activity: str) -> Record:
    """Return one activity.

    Raises:
        TrackerError: 403 no member of the project, 404 no such item or activity.
    """
    reader(store, user, project)
    in_project(store, ITEMS, item, project)
    found = store.get(ACTIVITIES, activity)
    if found is None or found["issue"] != item:
        raise TrackerError(404, "not_found", {"message": "Activity not found.", "code": "NOT_FOUND"})
    return found


def record(
    store: Store,
    item: Record,
    who: str,
    now: str,
    verb: str,
    comment: str,
    field: str | None = None,
    old: str | None = None,
    new: str | None = None,
    old_id: str | None = None,
    new_id: str | None = None,
) -> None:
    """Write an activity.

    Args:
        store: the office.
        item: the work item.
        who: the actor's id.
        now: the time.
        verb: created, updated or deleted.
        comment: the event in words.
        field: what changed; None for the item's creation.
        old: the value before.
        new: the value after.
        old_id: of the record that was the value before.
        new_id: of the record that is the value now.
    """
    begin = audit(store, "activity", who, now, item["project"])
    activity = new_activity(begin, item["id"], who, verb, comment, field, old, new, old_id, new_id)
    store.put(ACTIVITIES, activity["id"], activity)


def new_activity(
    begin: Record,
    item: str,
    who: str,
    verb: str,
    comment: str,
    field: str | None = None,
    old: str | None = None,
    new: str | None = None,
    old_id: str | None = None,
    new_id: str | None = None,
) -> Record:
    """Return the record of an activity from what all records have and from what `record` takes."""
    activity = {
        **begin,
        "verb": verb,
        "field": field,
        "old_value": old,
        "new_value": new,
        "comment": comment,
        "attachments": [],
        "old_identifier": old_id,
        "new_identifier": new_id,
        "epoch": int(datetime.fromisoformat(begin["created_at"]).timestamp()),
        "issue": item,
        "issue_comment": None,
        "actor": who,
    }
    del activity["created_by"], activity["updated_by"]  # the actor stands for them, as in the API
    return activity


def record_creation(store: Store, item: Record) -> None:
    """Write that an item was created."""
    record(store, item, item["created_by"], item["created_at"], "created", "created the issue")


def record_changes(store: Store, before: Record, after: Record, who: str, now: str) -> None:
    """Write an activity for each field that differs, one for each label and assignee that came or went.

    Not recorded, as in Plane: the place in a list (``sort_order``), ids in other systems and whether it is a draft.
    """
    for name, (field, comment) in _PLAIN.items():
        if before[name] != after[name]:
            old, new = _written(before[name]), _written(after[name])
            record(store, after, who, now, "updated", comment, field, old, new)
    shown: Callable[[Store, str | None], str]
    for name, shown in (("state", _state), ("parent", _item)):
        old_id, new_id = before[name], after[name]
        if old_id != new_id:
            old, new = shown(store, old_id), shown(store, new_id)
            record(store, after, who, now, "updated", f"updated the {name} to", name, old, new, old_id, new_id)
    for name, one, shown in (("labels", "label", _label), ("assignees", "assignee", _user)):
        for came in _without(after[name], before[name]):
            value = shown(store, came)
            record(store, after, who, now, "updated", f"added {one}", name, "", value, None, came)
        for went in _without(before[name], after[name]):
            value = shown(store, went)
            record(store, after, who, now, "updated", f"removed {one}", name, value, "", went)


def _written(value: Any) -> str:
    return "" if value is None else str(value)


def _without(ids: list[str], others: list[str]) -> Iterator[str]:
    return (one for one in ids if one not in others)


def _state(store: Store, state: str | None) -> str:
    found = store.get(STATES, state) if state is not None else None
    return "" if found is None else found["name"]


def _label(store: Store, label: str | None) -> str:
    found = store.get(LABELS, label) if label is not None else None
    return "" if found is None else found["name"]


def _user(store: Store, who: str | None) -> str:
    found = lite(store, who) if who is not None else None
    return "" if found is None else found["display_name"]


def _item(store: Store, item: str | None) -> str:
    found = store.get(ITEMS, item) if item is not None else None
    if found is None:
        return ""
    project = store.get(PROJECTS, found["project"])
    return "" if project is None else f"{project['identifier']}-{found['sequence_id']}"
