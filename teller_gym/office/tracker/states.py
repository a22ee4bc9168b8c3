"""States of a project's work items; the group of a state says what it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import reader, writer
from teller_gym.office.tracker.errors import NON_FIELD, invalid, not_found, refused
from teller_gym.office.tracker.fields import MAX_TEXT, Field, boolean, choice, number, read, text
from teller_gym.office.tracker.records import EXTERNAL, audit, changed, in_project, refuse_duplicate, tick
from teller_gym.office.tracker.tables import ITEMS, STATES, of_project

GROUPS: Final = ("backlog", "unstarted", "started", "completed", "cancelled", "triage")
"""In the order in which work goes through them; items of triage wait outside until they are taken in."""

DEFAULT_STATES: Final = (
    ("Backlog", "#60646C", 15000.0, "backlog"),
    ("Todo", "#60646C", 25000.0, "unstarted"),
    ("In Progress", "#F59E0B", 35000.0, "started"),
    ("Done", "#46A758", 45000.0, "completed"),
    ("Cancelled", "#9AA4BC", 55000.0, "cancelled"),
    ("Triage", "#4E5355", 65000.0, "triage"),
)
"""Name, colour, place and group of a new project's states; the first is the default."""

_FIELDS: Final[Mapping[str, Field]] = {
    "name": text(),
    "description": text(MAX_TEXT, blank=True),
    "color": text(),
    "sequence": number(),
    "group": choice(*GROUPS),
    "default": boolean(),
    **EXTERNAL,
}
_PLACES_APART: Final = 15000.0
_SLUG_LENGTH = 100


def list_states(store: Store, user: str, project: str) -> list[Record]:
    """Return a project's states in the order of work, without that of triage.

    Raises:
        TrackerError: 403 no member of the project.
    """
    reader(store, user, project)
    return _states(store, project)


def get_state(store: Store, user: str, project: str, state: str) -> Record:
    """Return a state.

    Raises:
        TrackerError: 403 no member of the project, 404 no such state.
    """
    reader(store, user, project)
    return _state(store, project, state)


def create_state(store: Store, user: str, project: str, data: Mapping[str, Any]) -> Record:
    """Create a state; ``name`` and ``color`` are required.

    Raises:
        TrackerError: 400 a field is wrong, 403 guests and strangers, 409 the name or the external id is taken.
    """
    who = writer(store, user, project)
    values = read(store, data, _FIELDS, required=("name", "color"))
    _refuse_triage(values)
    refuse_duplicate(store, STATES, "State", project, values)
    others = of_project(store, STATES, project)
    same = next((one for one in others if one["name"] == values["name"]), None)
    if same is not None:
        raise refused("State with the same name already exists in the project", 409, "conflict", id=same["id"])
    now = tick(store)
    if values.get("default"):
        _unset_default(store, others)
    places = [one["sequence"] for one in others if one["group"] != "triage"]
    state = new_state(audit(store, "state", who, now, project), **values)
    if places:
        state["sequence"] = max(places) + _PLACES_APART
    store.put(STATES, state["id"], state)
    return state


def update_state(store: Store, user: str, project: str, state: str, data: Mapping[str, Any]) -> Record:
    """Change some fields of a state. Items in it keep their ``completed_at``, whatever its new group is.

    Raises:
        TrackerError: 400 a field is wrong or the name is taken, 403 guests and strangers, 404 no such state, 409 the
            external id is taken.
    """
    who = writer(store, user, project)
    before = _state(store, project, state)
    values = read(store, data, _FIELDS)
    _refuse_triage(values)
    refuse_duplicate(store, STATES, "State", project, values, before)
    others = [one for one in of_project(store, STATES, project) if one["id"] != state]
    if any(one["name"] == values.get("name") for one in others):
        raise refused("The payload is not valid")
    now = tick(store)
    if values.get("default"):
        _unset_default(store, others)
    if "name" in values:
        values["slug"] = _slug(values["name"])
    after = changed(before, who, now, values)
    store.put(STATES, state, after)
    return after


def delete_state(store: Store, user: str, project: str, state: str) -> None:
    """Delete a state that no item is in.

    Raises:
        TrackerError: 400 it is the default or not empty, 403 guests and strangers, 404 no such state.
    """
    writer(store, user, project)
    if _state(store, project, state)["default"]:
        raise refused("Default state cannot be deleted")
    if any(item["state"] == state for _, item in store.rows(ITEMS)):
        raise refused("The state is not empty, only empty states can be deleted")
    tick(store)
    store.delete(STATES, state)


def default_state(store: Store, project: str) -> str | None:
    """Return the id of the state of new items: the default, else the first; None where there are no states."""
    states = _states(store, project)
    found = next((one for one in states if one["default"]), states[0] if states else None)
    return None if found is None else found["id"]


def new_state(begin: Record, **values: Any) -> Record:
    """Return the record of a new state from what all records have and from its fields."""
    return {
        **begin,
        "name": values["name"],
        "description": "",
        "color": "",
        "slug": _slug(values["name"]),
        "sequence": 65535.0,
        "group": "backlog",
        "is_triage": False,
        "default": False,
        "external_source": None,
        "external_id": None,
        **values,
    }


def _states(store: Store, project: str) -> list[Record]:
    found = [one for one in of_project(store, STATES, project) if one["group"] != "triage"]
    return sorted(found, key=lambda one: one["sequence"])


def _state(store: Store, project: str, state: str) -> Record:
    found = in_project(store, STATES, state, project)
    if found["group"] == "triage":
        raise not_found()
    return found


def _refuse_triage(values: Mapping[str, Any]) -> None:
    if values.get("group") == "triage":
        raise invalid(NON_FIELD, "Cannot create triage state")


def _unset_default(store: Store, states: list[Record]) -> None:
    for one in states:
        if one["default"]:
            store.put(STATES, one["id"], {**one, "default": False})


def _slug(name: str) -> str:
    """A name as it stands in addresses."""
    kept = "".join(letter for letter in name.lower() if letter.isascii() and (letter.isalnum() or letter in " -_"))
    return "-".join(kept.replace("-", " ").split())[:_SLUG_LENGTH]
