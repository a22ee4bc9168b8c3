"""Lists, reads, creates and changes work items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker import activities
from teller_gym.office.tracker.errors import NON_FIELD, forbidden, invalid, not_found
from teller_gym.office.tracker.fields import MAX_TEXT, Field, choice, day, read, reference, references, text
from teller_gym.office.tracker.html import strip_tags
from teller_gym.office.tracker.projects import default_state, is_member, member, user_id
from teller_gym.office.tracker.tables import (
    ITEMS,
    PROJECTS,
    SEQUENCES,
    STATES,
    USERS,
    audit,
    changed,
    in_project,
    new_records,
    newest_first,
    of_project,
    tick,
)

PRIORITIES: Final = ("urgent", "high", "medium", "low", "none")
"""Priorities, most urgent first."""

_FIELDS: Final[Mapping[str, Field]] = {
    "name": text(),
    "description_html": text(MAX_TEXT, blank=True),
    "priority": choice(*PRIORITIES),
    "start_date": day(),
    "target_date": day(),
    "state": reference(STATES),
    "assignees": references(USERS),
}
"""Fields that a client may send. The tracker sets the creator, times, number and completion itself."""

NEW: Final[Mapping[str, Any]] = new_records()["item"]
"""Default values of a new item, apart from its id, times, users, project and workspace."""


def list_items(
    store: Store, user: str, project: str, *, state: str | None = None, assignee: str | None = None
) -> list[Record]:
    """Return a project's work items, newest first.

    ``state`` is the name of a state, in any case; ``assignee`` a user's id, display name, full name or e-mail address.
    """
    member(store, user, project)
    found = of_project(store, ITEMS, project)
    if state is not None:
        states = {key for key, one in store.rows(STATES) if one["name"].casefold() == state.casefold()}
        found = [item for item in found if item["state"] in states]
    if assignee is not None:
        users = {key for key, one in store.rows(USERS) if _is_user(one["lite"], assignee)}
        found = [item for item in found if not users.isdisjoint(item["assignees"])]
    return newest_first(found)


def get_item(store: Store, user: str, project: str, item: str) -> Record:
    """Return a work item of a project."""
    member(store, user, project)
    return in_project(store, ITEMS, item, project)


def get_item_by_key(store: Store, user: str, key: str) -> Record:
    """Return the work item with a key such as ``WM-12``.

    An unknown project raises 403, like one that the user is not a member of.
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

    Fields are those of the API: ``name`` (required), ``description_html``, ``state`` (an id; by default the project's
    default state), ``priority``, ``start_date``, ``target_date`` and ``assignees`` (ids). As in Plane, assignees who
    are not members of the project are silently left out.
    """
    who = member(store, user, project)
    values = _read(store, project, data, None)
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
    activities.record(store, item, who, now, "created the issue")
    return item


def update_item(store: Store, user: str, project: str, item: str, data: Mapping[str, Any]) -> Record:
    """Change the given fields of a work item (see `create_item`) and return the item.

    A state of the group ``completed`` sets ``completed_at``; any other state clears it.
    """
    who = member(store, user, project)
    before = in_project(store, ITEMS, item, project)
    values = _read(store, project, data, before)
    now = tick(store)
    if "state" in values:
        values["state"] = values["state"] or default_state(store, project)
        if values["state"] != before["state"]:
            values["completed_at"] = _completed_at(store, values["state"], now)
    after = changed(before, who, now, values)
    store.put(ITEMS, item, after)
    activities.record_changes(store, before, after, who, now)
    return after


def _read(store: Store, project: str, data: Any, before: Record | None) -> dict[str, Any]:
    """Validate the fields sent to create an item, or to change the item ``before``, and return their stored forms."""
    values = read(store, data, _FIELDS, required=("name",) if before is None else ())
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


def _completed_at(store: Store, state: str, now: str) -> str | None:
    """Return the completion time of an item that enters a state now, or None unless the state completes it."""
    found = store.get(STATES, state)
    return now if found is not None and found["group"] == "completed" else None


def _next_number(store: Store, project: str) -> int:
    given = store.get(SEQUENCES, project)
    return (0 if given is None else given["last"]) + store.count(f"tracker.sequence.{project}")


def _is_user(user: Record, wanted: str) -> bool:
    full_name = f"{user['first_name']} {user['last_name']}".strip()
    return wanted in (user["id"], user["display_name"], user["email"], full_name)
