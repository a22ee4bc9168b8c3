"""Lists of work items: the conditions and the order."""

from __future__ import annotations

from typing import Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.access import member
from teller_gym.office.tracker.errors import refused, shortened
from teller_gym.office.tracker.item_fields import PRIORITIES
from teller_gym.office.tracker.tables import ITEMS, STATES, USERS, newest_first, of_project

NEWEST_FIRST: Final = "-created_at"
"""The order of work items by default."""

ORDERS: Final = (
    *("created_at", "updated_at", "completed_at", "start_date", "target_date", "name", "sequence_id"),
    *("sort_order", "priority"),
)
"""Fields by which items are ordered, with a minus for the reverse."""


def list_items(
    store: Store,
    user: str,
    project: str,
    *,
    state: str | None = None,
    assignee: str | None = None,
    order_by: str = NEWEST_FIRST,
) -> list[Record]:
    """Return a project's work items.

    Args:
        store: the office.
        user: user name of the reader.
        project: the project's id.
        state: name of a state, in any case of its letters.
        assignee: id, display name, name or e-mail address of a user.
        order_by: one of `ORDERS`, with a minus for the reverse. Missing dates come last, or first in reverse, as in
            PostgreSQL.

    Raises:
        TrackerError: 400 there is no such order; 403 no member of the project.
    """
    member(store, user, project)
    found = of_project(store, ITEMS, project)
    if state is not None:
        states = {key for key, one in store.rows(STATES) if one["name"].casefold() == state.casefold()}
        found = [item for item in found if item["state"] in states]
    if assignee is not None:
        users = {key for key, one in store.rows(USERS) if _is_user(one["lite"], assignee)}
        found = [item for item in found if not users.isdisjoint(item["assignees"])]
    return _ordered(found, order_by)


def _ordered(items: list[Record], order_by: str) -> list[Record]:
    field = order_by.removeprefix("-")
    if field not in ORDERS:
        known = ", ".join(ORDERS)
        raise refused(f"Cannot order by {shortened(field)}: expected one of {known}, with a minus for the reverse.")
    if order_by == NEWEST_FIRST:
        return newest_first(items)

    def place(item: Record) -> tuple[bool, str | float]:
        value = PRIORITIES.index(item[field]) if field == "priority" else item[field]
        return value is None, value or 0

    return sorted(items, key=place, reverse=order_by.startswith("-"))


def _is_user(user: Record, wanted: str) -> bool:
    full_name = f"{user['first_name']} {user['last_name']}".strip()
    return wanted in (user["id"], user["display_name"], user["email"], full_name)
