"""Activities of a work item: one record per changed field, with the old and the new value and the actor."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.projects import lite, member
from teller_gym.office.tracker.tables import ACTIVITIES, ITEMS, STATES, audit, in_project, of_item

_PLAIN: Final = {
    "name": "name",
    "description_html": "description",
    "priority": "priority",
    "start_date": "start_date",
    "target_date": "target_date",
}
"""Fields whose values are recorded unchanged, with their names in activities."""


def list_activities(store: Store, user: str, project: str, item: str) -> list[Record]:
    """Return a work item's activities, oldest first, without its comments."""
    member(store, user, project)
    in_project(store, ITEMS, item, project)
    return of_item(store, ACTIVITIES, item)


def record(store: Store, item: Record, who: str, now: str, comment: str, **values: str | None) -> None:
    """Store an activity with the values of `new_activity`."""
    begin = audit(store, "activity", who, now, item["project"])
    activity = new_activity(begin, item["id"], who, comment, **values)
    store.put(ACTIVITIES, activity["id"], activity)


def new_activity(begin: Record, item: str, who: str, comment: str, **values: str | None) -> Record:
    """Return an activity, with the common record fields, a description of the event, and the change.

    ``values`` has the ``field``, its old and new value and, for records, their ids; a new item has none.
    """
    activity = {
        **begin,
        "verb": "updated" if values else "created",
        "field": None,
        "old_value": None,
        "new_value": None,
        "comment": comment,
        "attachments": [],
        "old_identifier": None,
        "new_identifier": None,
        "epoch": int(datetime.fromisoformat(begin["created_at"]).timestamp()),
        "issue": item,
        "issue_comment": None,
        "actor": who,
        **values,
    }
    del activity["created_by"], activity["updated_by"]  # the API sends the actor instead
    return activity


def record_changes(store: Store, before: Record, after: Record, who: str, now: str) -> None:
    """Store an activity for each changed field, and for each assignee who was added or removed."""

    def write(comment: str, field: str, old: str, new: str, **ids: str) -> None:
        record(store, after, who, now, comment, field=field, old_value=old, new_value=new, **ids)

    for name, field in _PLAIN.items():
        if before[name] != after[name]:
            write(f"updated the {field.replace('_', ' ')} to", field, _written(before[name]), _written(after[name]))
    old, new = before["state"], after["state"]
    if old != new:
        names = [_named(store.get(STATES, one), "name") for one in (old, new)]
        write("updated the state to", "state", *names, old_identifier=old, new_identifier=new)
    for one in after["assignees"]:
        if one not in before["assignees"]:
            write("added assignee", "assignees", "", _named(lite(store, one), "display_name"), new_identifier=one)
    for one in before["assignees"]:
        if one not in after["assignees"]:
            write("removed assignee", "assignees", _named(lite(store, one), "display_name"), "", old_identifier=one)


def _written(value: Any) -> str:
    return "" if value is None else str(value)


def _named(found: Record | None, name: str) -> str:
    return "" if found is None else str(found[name])
