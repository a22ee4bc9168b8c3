"""Work items: reading, creating, changing and deleting one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker import activities
from teller_gym.office.tracker.access import ADMIN, project_role, reader, user_id, writer
from teller_gym.office.tracker.errors import forbidden, not_found, refused
from teller_gym.office.tracker.item_fields import NEW, assignable, read_item
from teller_gym.office.tracker.records import audit, changed, in_project, refuse_duplicate, tick, with_external_id
from teller_gym.office.tracker.states import default_state
from teller_gym.office.tracker.tables import (
    ATTACHMENTS,
    COMMENTS,
    CYCLE_ITEMS,
    ITEMS,
    LINKS,
    MODULE_ITEMS,
    PROJECTS,
    SEQUENCES,
    STATES,
    of_project,
)

_FIRST_PLACE: Final[float] = NEW["sort_order"]
_PLACES_APART: Final = 10000.0
"""Of Plane: how far a new item stands in lists behind the last one of its state."""


def get_item(store: Store, user: str, project: str, item: str) -> Record:
    """Return a work item.

    Raises:
        TrackerError: 403 no member of the project; 404 no such item, or one that is archived or a draft.
    """
    reader(store, user, project)
    found = in_project(store, ITEMS, item, project)
    if not visible(found):
        raise not_found()
    return found


def get_item_by_key(store: Store, user: str, key: str) -> Record:
    """Return the work item with a key such as ``WM-12``.

    Raises:
        TrackerError: 403 no member of the project with this identifier, or there is none; 404 no such item.
    """
    who = user_id(store, user)
    identifier, _, sequence = key.rpartition("-")
    project = next((one for one, record in store.rows(PROJECTS) if record["identifier"] == identifier), None)
    if project is None or not project_role(store, who, project):
        raise forbidden()
    for item in of_project(store, ITEMS, project):
        if str(item["sequence_id"]) == sequence and visible(item):
            return item
    raise not_found()


def get_item_by_external_id(store: Store, user: str, project: str, source: str, external_id: str) -> Record:
    """Return the work item that another system knows by this id.

    Raises:
        TrackerError: 403 no member of the project, 404 no such item.
    """
    reader(store, user, project)
    found = with_external_id(store, ITEMS, project, source, external_id)
    if found is None:
        raise not_found()
    return found


def create_item(store: Store, user: str, project: str, data: Mapping[str, Any]) -> Record:
    """Create a work item.

    Args:
        store: the office.
        user: who creates it.
        project: the project's id.
        data: fields as the API has them: ``name`` (required), ``description_html``, ``state`` (an id; by default the
            project's default state), ``priority``, ``start_date``, ``target_date``, ``assignees``, ``labels`` (ids),
            ``parent``, ``point``, ``external_id``, ``external_source`` and so on. Users who cannot be given items of
            the project and labels of other projects are left out without a word, as in Plane.

    Returns:
        The new item.

    Raises:
        TrackerError: 400 a field is wrong, 403 guests and strangers, 409 the external id is taken.
    """
    who = writer(store, user, project)
    values = read_item(store, project, data, None)
    refuse_duplicate(store, ITEMS, "Issue", project, values)
    values["state"] = values.get("state") or default_state(store, project)
    values["sort_order"] = _last_place(store, project, values["state"])
    if not values.get("assignees"):
        values["assignees"] = assignable(store, project, _default_assignees(store, project))
    now = tick(store)
    item = {
        **audit(store, "item", who, now, project),
        **NEW,
        **values,
        "sequence_id": _next_number(store, project),
        "completed_at": _completed_at(store, values["state"], now),
    }
    store.put(ITEMS, item["id"], item)
    activities.record_creation(store, item)
    return item


def update_item(store: Store, user: str, project: str, item: str, data: Mapping[str, Any]) -> Record:
    """Change some fields of a work item; ``state`` takes the id of a state of the project.

    A state of the group ``completed`` sets ``completed_at``, any other state takes it away.

    Args:
        store: the office.
        user: who changes it.
        project: the project's id.
        item: the item's id.
        data: the fields to change, as for `create_item`.

    Returns:
        The changed item.

    Raises:
        TrackerError: 400 a field is wrong, 403 guests and strangers, 404 no such item, 409 the external id is taken.
    """
    who = writer(store, user, project)
    before = in_project(store, ITEMS, item, project)
    values = read_item(store, project, data, before)
    refuse_duplicate(store, ITEMS, "Issue", project, values, before)
    now = tick(store)
    if "state" in values:
        values["state"] = values["state"] or default_state(store, project)
        if values["state"] != before["state"]:
            values["completed_at"] = _completed_at(store, values["state"], now)
    after = changed(before, who, now, values)
    store.put(ITEMS, item, after)
    activities.record_changes(store, before, after, who, now)
    return after


def delete_item(store: Store, user: str, project: str, item: str) -> None:
    """Delete a work item, and with it its comments, links and files and the items below it; its activities stay.

    Raises:
        TrackerError: 403 neither an admin of the project nor who created the item, 404 no such item.
    """
    who = writer(store, user, project)
    found = in_project(store, ITEMS, item, project)
    if found["created_by"] != who and project_role(store, who, project) != ADMIN:
        raise refused("Only admin or creator can delete the work item", 403, "permission_denied")
    now = tick(store)
    for one in _with_those_below(store, found):
        for table in (COMMENTS, LINKS, ATTACHMENTS, CYCLE_ITEMS, MODULE_ITEMS):
            for key in [key for key, record in store.rows(table) if record["issue"] == one["id"]]:
                store.delete(table, key)
        store.delete(ITEMS, one["id"])
        activities.record(store, one, who, now, "deleted", "deleted the issue", "issue")


def visible(item: Record) -> bool:
    """Whether an item stands in lists: it is neither archived nor a draft."""
    return item["archived_at"] is None and not item["is_draft"]


def _completed_at(store: Store, state: str | None, now: str) -> str | None:
    """When an item that comes into a state is completed."""
    found = store.get(STATES, state) if state is not None else None
    return now if found is not None and found["group"] == "completed" else None


def _default_assignees(store: Store, project: str) -> list[str]:
    found = store.get(PROJECTS, project)
    return [] if found is None or found["default_assignee"] is None else [found["default_assignee"]]


def _last_place(store: Store, project: str, state: str | None) -> float:
    """The place in lists behind all items of a state."""
    places: list[float] = [one["sort_order"] for one in of_project(store, ITEMS, project) if one["state"] == state]
    return max(places) + _PLACES_APART if places else _FIRST_PLACE


def _next_number(store: Store, project: str) -> int:
    """The next number of a project's items; numbers of deleted ones are not given again."""
    given = store.get(SEQUENCES, project)
    return (0 if given is None else given["last"]) + store.count(f"tracker.sequence.{project}")


def _with_those_below(store: Store, item: Record) -> list[Record]:
    """An item, its parts, their parts and so on; each once, though a snapshot might hold a circle."""
    found = {item["id"]: item}
    todo = [item["id"]]
    while todo:
        above = todo.pop()
        for key, record in store.rows(ITEMS):
            if record["parent"] == above and key not in found:
                found[key] = record
                todo.append(key)
    return list(found.values())
