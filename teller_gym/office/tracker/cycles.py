"""Cycles: spans of time in which work items are to be done. An item is in one cycle at most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import ADMIN, project_role, reader, writer
from teller_gym.office.tracker.cycle_items import has_ended, items_of, take_out
from teller_gym.office.tracker.errors import NON_FIELD, invalid, refused
from teller_gym.office.tracker.fields import MAX_TEXT, Field, choice, day_of_moment, number, read, reference, text
from teller_gym.office.tracker.groupings import item_counts
from teller_gym.office.tracker.records import EXTERNAL, audit, changed, in_project, refuse_duplicate, stamp, tick
from teller_gym.office.tracker.tables import CYCLES, PROJECTS, USERS, newest_first, of_project

VIEWS: Final = ("all", "current", "upcoming", "completed", "draft", "incomplete")
"""Which cycles are listed: by whether they have begun and ended; a draft has no dates."""

_FIELDS: Final[Mapping[str, Field]] = {
    "name": text(),
    "description": text(MAX_TEXT, blank=True),
    "start_date": day_of_moment(),
    "end_date": day_of_moment(),
    "owned_by": reference(USERS),
    **EXTERNAL,
    "timezone": choice("UTC"),
    "project_id": reference(PROJECTS),
}
_UPDATE_FIELDS: Final[Mapping[str, Field]] = {**_FIELDS, "sort_order": number()}
_PLACES_APART: Final = 10000.0


def list_cycles(store: Store, user: str, project: str, view: str = "all") -> list[Record]:
    """Return a project's cycles, newest first.

    Args:
        store: the office.
        user: who asks.
        project: the project's id.
        view: one of `VIEWS`; of any other word Plane thinks as of ``all``.

    Raises:
        TrackerError: 403 no member of the project.
    """
    reader(store, user, project)
    now = stamp(store.clock())
    found = [one for one in of_project(store, CYCLES, project) if _in_view(one, view, now)]
    return [_shown(store, one) for one in newest_first(found)]


def get_cycle(store: Store, user: str, project: str, cycle: str) -> Record:
    """Return a cycle.

    Raises:
        TrackerError: 403 no member of the project, 404 no such cycle.
    """
    reader(store, user, project)
    return _shown(store, in_project(store, CYCLES, cycle, project))


def create_cycle(store: Store, user: str, project: str, data: Mapping[str, Any]) -> Record:
    """Create a cycle; ``name`` and ``project_id`` are required, and both dates or neither.

    Raises:
        TrackerError: 400 a field is wrong or the project has no cycles, 403 guests and strangers, 409 the external
            id is taken.
    """
    who = writer(store, user, project)
    values = read(store, data, _FIELDS, required=("name",))
    if (values.get("start_date") is None) != (values.get("end_date") is None):
        raise refused("Both start date and end date are either required or are to be null")
    if values.get("project_id") is None:
        raise invalid(NON_FIELD, "Project ID is required")
    _check(store, project, values, {})
    refuse_duplicate(store, CYCLES, "Cycle", project, values)
    now = tick(store)
    cycle = new_cycle(audit(store, "cycle", who, now, project), **values)
    places = [one["sort_order"] for one in of_project(store, CYCLES, project)]
    if places:
        cycle["sort_order"] = min(places) - _PLACES_APART
    store.put(CYCLES, cycle["id"], cycle)
    return _shown(store, cycle)


def update_cycle(store: Store, user: str, project: str, cycle: str, data: Mapping[str, Any]) -> Record:
    """Change some fields of a cycle; of one that has ended only ``sort_order``.

    Raises:
        TrackerError: 400 a field is wrong or the cycle has ended, 403 guests and strangers, 404 no such cycle, 409
            the external id is taken.
    """
    who = writer(store, user, project)
    before = in_project(store, CYCLES, cycle, project)
    values = read(store, data, _UPDATE_FIELDS)
    if has_ended(before, stamp(store.clock())):
        if "sort_order" not in values:
            raise refused("The Cycle has already been completed so it cannot be edited")
        values = {"sort_order": values["sort_order"]}
    _check(store, project, values, before)
    refuse_duplicate(store, CYCLES, "Cycle", project, values, before)
    values.pop("project_id", None)
    if "owned_by" in values:
        values["owned_by"] = values["owned_by"] or who
    after = changed(before, who, tick(store), values)
    store.put(CYCLES, cycle, after)
    return _shown(store, after)


def delete_cycle(store: Store, user: str, project: str, cycle: str) -> None:
    """Delete a cycle; its work items stay.

    Raises:
        TrackerError: 403 neither an admin of the project nor the cycle's owner, 404 no such cycle.
    """
    who = writer(store, user, project)
    found = in_project(store, CYCLES, cycle, project)
    if found["owned_by"] != who and project_role(store, who, project) != ADMIN:
        raise refused("Only admin or creator can delete the cycle", 403, "permission_denied")
    now = tick(store)
    for item in items_of(store, cycle):
        take_out(store, found, item, who, now)
    store.delete(CYCLES, cycle)


def new_cycle(begin: Record, **values: Any) -> Record:
    """Return the record of a new cycle from what all records have and from its fields."""
    return {
        **begin,
        "name": values["name"],
        "description": "",
        "start_date": None,
        "end_date": None,
        "view_props": {},
        "sort_order": 65535.0,
        "external_source": None,
        "external_id": None,
        "progress_snapshot": {},
        "archived_at": None,
        "logo_props": {},
        "timezone": "UTC",
        "version": 1,
        **{name: value for name, value in values.items() if name != "project_id"},
        "owned_by": values.get("owned_by") or begin["created_by"],
    }


def _shown(store: Store, cycle: Record) -> Record:
    """A cycle as the API shows it; estimates belong to paid plans."""
    estimates = {"total_estimates": None, "completed_estimates": None, "started_estimates": None}
    return {**cycle, **item_counts(store, items_of(store, cycle["id"])), **estimates}


def _in_view(cycle: Record, view: str, now: str) -> bool:
    start, end = cycle["start_date"], cycle["end_date"]
    match view:
        case "current":
            return start is not None and end is not None and start <= now <= end
        case "upcoming":
            return start is not None and start > now
        case "completed":
            return has_ended(cycle, now)
        case "draft":
            return start is None and end is None
        case "incomplete":
            return not has_ended(cycle, now)
    return True


def _check(store: Store, project: str, values: dict[str, Any], before: Mapping[str, Any]) -> None:
    """See to what `read` cannot know, and make the dates the beginning and the end of their days."""
    settings = store.get(PROJECTS, project)
    if settings is None or not settings["cycle_view"]:
        raise invalid(NON_FIELD, "Cycles are not enabled for this project")
    if values.get("start_date") is not None:
        values["start_date"] += "T00:00:01Z"
    if values.get("end_date") is not None:
        values["end_date"] += "T23:59:00Z"
    both = {**before, **values}
    start, end = both.get("start_date"), both.get("end_date")
    if start is not None and end is not None and start > end:
        raise invalid(NON_FIELD, "Start date cannot exceed end date")
