"""Activities of a work item: one record for each changed field, with the old and the new value and the actor."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import lite, member
from teller_gym.office.tracker.records import audit, in_project
from teller_gym.office.tracker.tables import ACTIVITIES, ITEMS, STATES, of_item

_PLAIN: Final = {
    "name": "name",
    "description_html": "description",
    "priority": "priority",
    "start_date": "start_date",
    "target_date": "target_date",
}
"""Fields whose values appear unchanged in the activity, with the activity's name for each."""


def list_activities(store: Store, user: str, project: str, item: str) -> list[Record]:
    """Return a work item's activities, oldest first; comments are not among them.

    Raises:
        TrackerError: 403 no member of the project, 404 no such item.
    """
    member(store, user, project)
    in_project(store, ITEMS, item, project)
    return of_item(store, ACTIVITIES, item)


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
        verb: created or updated.
        comment: the event in words.
        field: what changed; None for the item's creation.
        old: the value before.
        new: the value after.
        old_id: id of the record that was the value before.
        new_id: id of the record that is the value now.
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
    """Return the record of an activity from the fields that all records have and the arguments of `record`."""
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
    del activity["created_by"], activity["updated_by"]  # the API sends the actor instead
    return activity


def record_changes(store: Store, before: Record, after: Record, who: str, now: str) -> None:
    """Write an activity for each field that differs, and one for each assignee who was added or removed."""
    for name, field in _PLAIN.items():
        if before[name] != after[name]:
            comment = f"updated the {field.replace('_', ' ')} to"
            record(store, after, who, now, "updated", comment, field, _written(before[name]), _written(after[name]))
    old_id, new_id = before["state"], after["state"]
    if old_id != new_id:
        old, new = (_named(store.get(STATES, one), "name") for one in (old_id, new_id))
        record(store, after, who, now, "updated", "updated the state to", "state", old, new, old_id, new_id)
    for one in _without(after["assignees"], before["assignees"]):
        shown = _named(lite(store, one), "display_name")
        record(store, after, who, now, "updated", "added assignee", "assignees", "", shown, None, one)
    for one in _without(before["assignees"], after["assignees"]):
        shown = _named(lite(store, one), "display_name")
        record(store, after, who, now, "updated", "removed assignee", "assignees", shown, "", one)


def _written(value: Any) -> str:
    return "" if value is None else str(value)


def _named(found: Record | None, name: str) -> str:
    return "" if found is None else str(found[name])


def _without(ids: list[str], others: list[str]) -> Iterator[str]:
    return (one for one in ids if one not in others)
