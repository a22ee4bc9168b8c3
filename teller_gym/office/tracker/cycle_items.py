"""Which work items are in which cycle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker import activities
from teller_gym.office.tracker.access import reader, writer
from teller_gym.office.tracker.errors import TrackerError, not_found
from teller_gym.office.tracker.groupings import parts_of, read_items
from teller_gym.office.tracker.items import visible
from teller_gym.office.tracker.records import audit, changed, in_project, stamp, tick
from teller_gym.office.tracker.tables import CYCLE_ITEMS, CYCLES, ITEMS


def list_cycle_items(store: Store, user: str, project: str, cycle: str) -> list[Record]:
    """Return the work items of a cycle, oldest first.

    Raises:
        TrackerError: 403 no member of the project, 404 no such cycle.
    """
    reader(store, user, project)
    in_project(store, CYCLES, cycle, project)
    held = frozenset(items_of(store, cycle))
    return [item for key, item in store.rows(ITEMS) if key in held and visible(item)]


def get_cycle_item(store: Store, user: str, project: str, cycle: str, item: str) -> Record:
    """Return the record that says that a work item is in a cycle.

    Raises:
        TrackerError: 403 no member of the project, 404 no such cycle, or the item is not in it.
    """
    reader(store, user, project)
    in_project(store, CYCLES, cycle, project)
    return _shown(store, _place(store, cycle, item))


def add_cycle_items(store: Store, user: str, project: str, cycle: str, data: Mapping[str, Any]) -> list[Record]:
    """Put work items (``issues``: ids) into a cycle; those in another one are moved.

    Returns:
        The records of all items of the cycle.

    Raises:
        TrackerError: 400 no items or the cycle has ended, 403 guests and strangers, 404 no such cycle or item.
    """
    who = writer(store, user, project)
    found = in_project(store, CYCLES, cycle, project)
    missing = TrackerError(400, "invalid", {"error": "Work items are required", "code": "MISSING_WORK_ITEMS"})
    items = read_items(store, project, data, missing)
    if has_ended(found, stamp(store.clock())):
        message = "The Cycle has already been completed so no new issues can be added"
        raise TrackerError(400, "invalid", {"code": "CYCLE_COMPLETED", "message": message})
    now = tick(store)
    for key in items:
        _put_in(store, found, key, who, now)
    return [_shown(store, record) for _, record in store.rows(CYCLE_ITEMS) if record["cycle"] == cycle]


def remove_cycle_item(store: Store, user: str, project: str, cycle: str, item: str) -> None:
    """Take a work item out of a cycle.

    Raises:
        TrackerError: 403 guests and strangers, 404 no such cycle, or the item is not in it.
    """
    who = writer(store, user, project)
    found = in_project(store, CYCLES, cycle, project)
    _place(store, cycle, item)
    take_out(store, found, item, who, tick(store))


def items_of(store: Store, cycle: str) -> list[str]:
    """Return the ids of a cycle's work items."""
    return [item for item, record in store.rows(CYCLE_ITEMS) if record["cycle"] == cycle]


def take_out(store: Store, cycle: Record, item: str, who: str, now: str) -> None:
    """Take a work item out of its cycle and record it."""
    store.delete(CYCLE_ITEMS, item)
    name = cycle["name"]
    comment = f"removed this issue from {name}"
    found = in_project(store, ITEMS, item, cycle["project"])
    activities.record(store, found, who, now, "deleted", comment, "cycles", name, "", cycle["id"])


def has_ended(cycle: Record, now: str) -> bool:
    """Whether a cycle's last day is over."""
    return cycle["end_date"] is not None and cycle["end_date"] < now


def _place(store: Store, cycle: str, item: str) -> Record:
    found = store.get(CYCLE_ITEMS, item)
    if found is None or found["cycle"] != cycle:
        raise not_found()
    return found


def _put_in(store: Store, cycle: Record, item: str, who: str, now: str) -> None:
    key, name = cycle["id"], cycle["name"]
    place = store.get(CYCLE_ITEMS, item)
    if place is not None and place["cycle"] == key:
        return
    found = in_project(store, ITEMS, item, cycle["project"])
    if place is None:
        begin = audit(store, "cycle_item", who, now, cycle["project"])
        store.put(CYCLE_ITEMS, item, {**begin, "issue": item, "cycle": key})
        activities.record(store, found, who, now, "created", f"added cycle {name}", "cycles", "", name, None, key)
        return
    store.put(CYCLE_ITEMS, item, changed(place, who, now, {"cycle": key}))
    before = store.get(CYCLES, place["cycle"])
    old = "" if before is None else before["name"]
    comment = f"updated cycle from {old} to {name}"
    activities.record(store, found, who, now, "updated", comment, "cycles", old, name, place["cycle"], key)


def _shown(store: Store, place: Record) -> Record:
    return {**place, "sub_issues_count": parts_of(store, place["issue"])}
