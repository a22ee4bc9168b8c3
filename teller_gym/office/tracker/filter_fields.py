"""The fields of work items that filters know, and how a value that was sent is compared with an item's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Final

from teller_gym.office.store import Record, Store
from teller_gym.office.tracker.errors import shortened
from teller_gym.office.tracker.fields import FieldError, canonical
from teller_gym.office.tracker.item_fields import PRIORITIES
from teller_gym.office.tracker.records import stamp
from teller_gym.office.tracker.tables import CYCLE_ITEMS, MODULE_ITEMS, STATES

Matches = Callable[[Store, Record], bool]
"""Whether an item meets a condition."""

Values = Callable[[Store, Record], list[str]]
"""An item's values of a field; a condition holds if it holds for one of them."""


class FilterField:
    """A field of filters.

    Attributes:
        values: an item's values of it.
        read: turns a sent text into such a value, or raises `FieldError`.
        lookups: ``in`` or ``range``, besides ``exact``.
    """

    __slots__ = ("lookups", "read", "values")

    def __init__(self, values: Values, read: Callable[[str], str], lookups: tuple[str, ...]) -> None:
        self.values = values
        self.read = read
        self.lookups = lookups

    def test(self, lookup: str, sent: list[str]) -> Matches:
        """Return the test of one condition.

        Raises:
            FieldError: a value cannot be read, or a range does not have two.
        """
        wanted = [self.read(one) for one in sent]
        values = self.values
        if lookup == "range":
            if len(wanted) != 2:
                raise FieldError("Range query expects two values.")
            least, most = wanted
            return lambda store, item: any(least <= value <= most for value in values(store, item))
        if lookup == "exact":
            wanted = wanted[-1:]  # of a repeated parameter the last value counts
        return lambda store, item: any(value in wanted for value in values(store, item))


def _uuid(value: str) -> str:
    found = canonical(value)
    if found is None:
        raise FieldError("Enter a valid UUID.")
    return found


def _text(value: str) -> str:
    return value


def _priority(value: str) -> str:
    if value not in PRIORITIES:
        raise FieldError(f"Select a valid choice. {shortened(value)} is not one of the available choices.")
    return value


def _day(value: str) -> str:
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        raise FieldError("Enter a valid date.") from None


def _moment(value: str) -> str:
    """A time as items have it; a date is the beginning of its day, and sorts before all its times."""
    try:
        moment = datetime.fromisoformat(value)
        moment = (moment if moment.tzinfo is None else moment.astimezone(UTC)).replace(tzinfo=None, microsecond=0)
        return stamp(moment) if len(value) > len("2026-03-02") else moment.date().isoformat()
    except (ValueError, OverflowError):
        raise FieldError("Enter a valid date/time.") from None


def _column(name: str) -> Values:
    return lambda store, item: [] if item[name] is None else [item[name]]


def _list(name: str) -> Values:
    def values(_: Store, item: Record) -> list[str]:
        found: list[str] = item[name]
        return found

    return values


def _group(store: Store, item: Record) -> list[str]:
    state = store.get(STATES, item["state"]) if item["state"] is not None else None
    return [] if state is None else [state["group"]]


def _cycle(store: Store, item: Record) -> list[str]:
    place = store.get(CYCLE_ITEMS, item["id"])
    return [] if place is None else [place["cycle"]]


def _modules(store: Store, item: Record) -> list[str]:
    return [place["module"] for _, place in store.rows(MODULE_ITEMS) if place["issue"] == item["id"]]


FILTERS: Final[Mapping[str, FilterField]] = {
    "assignee_id": FilterField(_list("assignees"), _uuid, ("in",)),
    "label_id": FilterField(_list("labels"), _uuid, ("in",)),
    "cycle_id": FilterField(_cycle, _uuid, ("in",)),
    "module_id": FilterField(_modules, _uuid, ("in",)),
    "created_by_id": FilterField(_column("created_by"), _uuid, ("in",)),
    "state_id": FilterField(_column("state"), _uuid, ("in",)),
    "state_group": FilterField(_group, _text, ("in",)),
    "project_id": FilterField(_column("project"), _uuid, ("in",)),
    "priority": FilterField(_column("priority"), _priority, ("in",)),
    "start_date": FilterField(_column("start_date"), _day, ("range",)),
    "target_date": FilterField(_column("target_date"), _day, ("range",)),
    "created_at": FilterField(_column("created_at"), _moment, ("range",)),
    "updated_at": FilterField(_column("updated_at"), _moment, ("range",)),
}
"""By name, without the lookup."""
