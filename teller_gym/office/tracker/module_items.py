"""Which work items are in which modules; an item may be in several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker import activities
from teller_gym.office.tracker.access import reader, writer
from teller_gym.office.tracker.errors import not_found, refused
from teller_gym.office.tracker.groupings import parts_of, read_items
from teller_gym.office.tracker.items import visible
from teller_gym.office.tracker.records import audit, in_project, tick
from teller_gym.office.tracker.tables import ITEMS, MODULE_ITEMS, MODULES


def list_module_items(store: Store, user: str, project: str, module: str) -> list[Record]:
    """Return the work items of a module, oldest first.

    Raises:
        TrackerError: 403 no member of the project, 404 no such module.
    """
    reader(store, user, project)
    in_project(store, MODULES, module, project)
    held = frozenset(items_of(store, module))
    return [item for key, item in store.rows(ITEMS) if key in held and visible(item)]


def add_module_items(store: Store, user: str, project: str, module: str, data: Mapping[str, Any]) -> list[Record]:
    """Put work items (``issues``: ids) into a module.

    Returns:
        The records of all items of the module.

    Raises:
        TrackerError: 400 no items, 403 guests and strangers, 404 no such module or item.
    """
    who = writer(store, user, project)
    found = in_project(store, MODULES, module, project)
    items = read_items(store, project, data, refused("Issues are required"))
    now, name = tick(store), found["name"]
    for key in items:
        place = f"{module}:{key}"
        if store.get(MODULE_ITEMS, place) is not None:
            continue
        begin = audit(store, "module_item", who, now, project)
        store.put(MODULE_ITEMS, place, {**begin, "module": module, "issue": key})
        item = in_project(store, ITEMS, key, project)
        activities.record(store, item, who, now, "created", f"added module {name}", "modules", "", name, None, module)
    held = [record for _, record in store.rows(MODULE_ITEMS) if record["module"] == module]
    return [{**record, "sub_issues_count": parts_of(store, record["issue"])} for record in held]


def remove_module_item(store: Store, user: str, project: str, module: str, item: str) -> None:
    """Take a work item out of a module.

    Raises:
        TrackerError: 403 guests and strangers, 404 no such module, or the item is not in it.
    """
    who = writer(store, user, project)
    found = in_project(store, MODULES, module, project)
    if store.get(MODULE_ITEMS, f"{module}:{item}") is None:
        raise not_found()
    take_out(store, found, item, who, tick(store))


def items_of(store: Store, module: str) -> list[str]:
    """Return the ids of a module's work items."""
    return [record["issue"] for _, record in store.rows(MODULE_ITEMS) if record["module"] == module]


def take_out(store: Store, module: Record, item: str, who: str, now: str) -> None:
    """Take a work item out of a module and record it."""
    store.delete(MODULE_ITEMS, f"{module['id']}:{item}")
    name = module["name"]
    comment = f"removed this issue from {name}"
    found = in_project(store, ITEMS, item, module["project"])
    activities.record(store, found, who, now, "deleted", comment, "modules", name, "", module["id"])
