"""Work items: reading, creating and changing one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker import activities
from teller_gym.office.tracker.access import is_member, member, user_id
from teller_gym.office.tracker.errors import forbidden, not_found
from teller_gym.office.tracker.item_fields import NEW, read_item
from teller_gym.office.tracker.records import audit, changed, in_project, tick
from teller_gym.office.tracker.states import default_state
from teller_gym.office.tracker.tables import ITEMS, PROJECTS, SEQUENCES, STATES, of_project


def get_item(store: Store, user: str, project: str, item: str) -> Record:
    """Return a work item.

    Raises:
        TrackerError: 403 no member of the project, 404 no such item.
    """
    member(store, user, project)
    return in_project(store, ITEMS, item, project)


def get_item_by_key(store: Store, user: str, key: str) -> Record:
    """Return the work item with a key such as ``WM-12``.

    Raises:
        TrackerError: 403 no member of the project with this identifier, or there is none; 404 no such item.
    """
    who = user_id(store, user)
    identifier, _, sequence = key.rpartition("-")
    project = next((one for one, record in store.rows(PROJECTS) if record["identifier"] == identifier), None)
    if project is None or not is_member(store, who, project):
        raise forbidden()
    for item in of_project(store, ITEMS, project):
        if str(item["sequence_id"]) == sequence:
            return item
    raise not_found()


def create_item(store: Store, user: str, project: str, data: Mapping[str, Any]) -> Record:
    """Create a work item and return it.

    Args:
        store: the office.
        user: user name of the creator.
        project: the project's id.
        data: fields as the API has them: ``name`` (required), ``description_html``, ``state`` (an id; by default the
            project's default state), ``priority``, ``start_date``, ``target_date`` and ``assignees`` (ids). Users who
            are no members of the project are left out silently, as in Plane.

    Raises:
        TrackerError: 400 a field is wrong, 403 no member of the project.
    """
    who = member(store, user, project)
    values = read_item(store, project, data, None)
    values["state"] = values.get("state") or default_state(store, project)
    now = tick(store)
    item = {
        **audit(store, "item", who, now, project),
        **NEW,
        **values,
        "sequence_id": _next_number(store, project),
        "completed_at": _completed_at(store, values["state"], now),
    }
    store.put(ITEMS, item["id"], item)
    activities.record(store, item, who, now, "created", "created the issue")
    return item


def update_item(store: Store, user: str, project: str, item: str, data: Mapping[str, Any]) -> Record:
    """Change some fields of a work item and return it; ``state`` takes the id of a state of the project.

    A state of the group ``completed`` sets ``completed_at``, any other state clears it.

    Args:
        store: the office.
        user: user name of the person who changes it.
        project: the project's id.
        item: the item's id.
        data: the fields to change, as for `create_item`.

    Raises:
        TrackerError: 400 a field is wrong, 403 no member of the project, 404 no such item.
    """
    who = member(store, user, project)
    before = in_project(store, ITEMS, item, project)
    values = read_item(store, project, data, before)
    now = tick(store)
    if "state" in values:
        values["state"] = values["state"] or default_state(store, project)
        if values["state"] != before["state"]:
            values["completed_at"] = _completed_at(store, values["state"], now)
    after = changed(before, who, now, values)
    store.put(ITEMS, item, after)
    activities.record_changes(store, before, after, who, now)
    return after


def _completed_at(store: Store, state: str, now: str) -> str | None:
    """Return the time at which an item is completed that moves into a state now; None if the state is another one."""
    found = store.get(STATES, state)
    return now if found is not None and found["group"] == "completed" else None


def _next_number(store: Store, project: str) -> int:
    """Return the next number of a project's items."""
    given = store.get(SEQUENCES, project)
    return (0 if given is None else given["last"]) + store.count(f"tracker.sequence.{project}")
