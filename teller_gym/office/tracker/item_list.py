"""Lists of work items: which ones, and in what order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import lite, project_role, reader, user_id
from teller_gym.office.tracker.errors import refused, shortened
from teller_gym.office.tracker.filters import read_filters
from teller_gym.office.tracker.item_fields import PRIORITIES
from teller_gym.office.tracker.states import GROUPS
from teller_gym.office.tracker.tables import ITEMS, LABELS, PROJECTS, STATES, USERS, newest_first

NEWEST_FIRST: Final = "-created_at"
"""The order of work items where none is asked for."""

_COLUMNS: Final = (
    "created_at",
    "updated_at",
    "completed_at",
    "start_date",
    "target_date",
    "name",
    "sequence_id",
    "sort_order",
    "point",
)


def list_items(
    store: Store,
    user: str,
    project: str,
    *,
    state: str | None = None,
    assignee: str | None = None,
    label: str | None = None,
    filters: Any = None,
    order_by: str = NEWEST_FIRST,
) -> list[Record]:
    """Return a project's work items, without archived ones and drafts.

    Args:
        store: the office.
        user: who asks.
        project: the project's id.
        state: name of a state, whatever the case of its letters.
        assignee: id, display name, name or e-mail address of a user.
        label: name of a label.
        filters: conditions as `read_filters` takes them.
        order_by: ``created_at``, ``updated_at``, ``completed_at``, ``start_date``, ``target_date``, ``name``,
            ``sequence_id``, ``sort_order``, ``point``, ``priority``, ``state__name``, ``state__group``,
            ``labels__name`` or ``assignees__first_name``, with a minus for the other way round.

    Raises:
        TrackerError: 400 the order or the filters cannot be read; 403 no member of the project.
    """
    reader(store, user, project)
    matches = None if filters is None else read_filters(filters)
    found = [
        item
        for _, item in store.rows(ITEMS)
        if item["project"] == project and item["archived_at"] is None and not item["is_draft"]
    ]
    if state is not None:
        states = {key for key, one in store.rows(STATES) if one["name"].casefold() == state.casefold()}
        found = [item for item in found if item["state"] in states]
    if assignee is not None:
        users = {key for key, one in store.rows(USERS) if _is_user(one["lite"], assignee)}
        found = [item for item in found if not users.isdisjoint(item["assignees"])]
    if label is not None:
        labels = {key for key, one in store.rows(LABELS) if one["name"] == label}
        found = [item for item in found if not labels.isdisjoint(item["labels"])]
    if matches is not None:
        found = [item for item in found if matches(store, item)]
    return ordered(store, found, order_by)


def list_archived(store: Store, user: str, project: str) -> list[Record]:
    """Return a project's archived work items, newest first.

    Raises:
        TrackerError: 403 no member of the project.
    """
    reader(store, user, project)
    found = [one for _, one in store.rows(ITEMS) if one["project"] == project and one["archived_at"] is not None]
    return newest_first(found)


def list_everywhere(store: Store, user: str, *, filters: Any = None, order_by: str = NEWEST_FIRST) -> list[Record]:
    """Return the work items of all projects that the user is a member of, without archived ones and drafts.

    Args:
        store: the office.
        user: who asks.
        filters: as for `list_items`.
        order_by: as for `list_items`.

    Raises:
        TrackerError: 400 the order or the filters cannot be read; 403 not in the workspace.
    """
    who = user_id(store, user)
    mine = [key for key, _ in store.rows(PROJECTS) if project_role(store, who, key)]
    found = [item for key in mine for item in list_items(store, user, key, filters=filters)]
    return ordered(store, found, order_by)


def ordered(store: Store, items: list[Record], order_by: str) -> list[Record]:
    """Return items in an order that `list_items` describes.

    Dates that are missing come last, or first in the other direction, as PostgreSQL has it. By state, the order is
    that of the groups, for names too, as in Plane.

    Raises:
        TrackerError: 400 there is no such order.
    """
    if order_by == NEWEST_FIRST:
        return newest_first(items)
    backwards = order_by.startswith("-")
    field = order_by.removeprefix("-")
    if field in _COLUMNS:
        return sorted(items, key=lambda item: (item[field] is None, item[field] or 0), reverse=backwards)
    if field not in _ORDERS:
        known = ", ".join((*_COLUMNS, *_ORDERS))
        raise refused(f"Cannot order by {shortened(field)}: expected one of {known}, with a minus for the reverse.")
    key = _ORDERS[field]
    return sorted(items, key=lambda item: key(store, item), reverse=backwards)


def _priority(_: Store, item: Record) -> int:
    return PRIORITIES.index(item["priority"])


def _group(store: Store, item: Record) -> int:
    state = store.get(STATES, item["state"]) if item["state"] is not None else None
    return len(GROUPS) if state is None else GROUPS.index(state["group"])


def _label(store: Store, item: Record) -> tuple[bool, str]:
    labels = [store.get(LABELS, one) for one in item["labels"]]
    names = [label["name"] for label in labels if label is not None]
    return (not names, max(names, default=""))


def _assignee(store: Store, item: Record) -> tuple[bool, str]:
    users = [lite(store, one) for one in item["assignees"]]
    names = [user["first_name"] for user in users if user is not None]
    return (not names, max(names, default=""))


_ORDERS: Final[dict[str, Callable[[Store, Record], Any]]] = {
    "priority": _priority,
    "state__name": _group,
    "state__group": _group,
    "labels__name": _label,
    "assignees__first_name": _assignee,
}


def _is_user(user: Record, wanted: str) -> bool:
    full_name = f"{user['first_name']} {user['last_name']}".strip()
    return wanted in (user["id"], user["display_name"], user["email"], full_name)
