"""Date filters: `today`, `lastMonth`, `nextXDays` and the others as comparisons, seen from the office's clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from teller_gym.office.crm.checks import Invalid
from teller_gym.office.crm.errors import bad_request
from teller_gym.office.crm.values import date_text, datetime_text

Comparison = tuple[str, str]
"""A where type that compares (`greaterThan`, `lessThanOrEquals`, ...) and what with."""

MAX_DAYS: Final = 36_500
"""Days of `lastXDays` and its like: a century, so that no date leaves the calendar."""

_SECOND: Final = timedelta(seconds=1)
_DAY: Final = timedelta(days=1)
COUNTED: Final = frozenset({"lastXDays", "nextXDays", "olderThanXDays", "afterXDays"})
"""Types whose value is a number of days."""


def _month(year: int, month: int) -> date:
    """The first day of a month that may lie outside the year."""
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


def _months(back: int, length: int) -> Callable[[date, int], tuple[date, date]]:
    def run(today: date, _: int) -> tuple[date, date]:
        first = today.month - (today.month - 1) % length - back * length
        return _month(today.year, first), _month(today.year, first + length)

    return run


def _fiscal(back: int, length: int) -> Callable[[date, int], tuple[date, date]]:
    def run(today: date, shift: int) -> tuple[date, date]:
        since = (today.month - 1 - shift) % length  # months since the fiscal quarter or year began
        first = today.month - since - back * length
        return _month(today.year, first), _month(today.year, first + length)

    return run


PERIODS: Final[Mapping[str, Callable[[date, int], tuple[date, date]]]] = MappingProxyType(
    {
        "currentMonth": _months(0, 1),
        "lastMonth": _months(1, 1),
        "nextMonth": _months(-1, 1),
        "currentQuarter": _months(0, 3),
        "lastQuarter": _months(1, 3),
        "currentYear": _months(0, 12),
        "lastYear": _months(1, 12),
        "currentFiscalYear": _fiscal(0, 12),
        "lastFiscalYear": _fiscal(1, 12),
        "currentFiscalQuarter": _fiscal(0, 3),
        "lastFiscalQuarter": _fiscal(1, 3),
    }
)
"""The first day of a period and of the next, from today and by how many months the fiscal year is late."""

MOMENTS: Final = frozenset({"today", "past", "future", "lastSevenDays"}) | COUNTED
DATE_TYPES: Final = MOMENTS | PERIODS.keys()
"""The where types of this module."""

GIVEN: Final = frozenset({"on", "before", "after", "between"})
"""Types that compare with dates that are given; with ``dateTime`` a date means its whole day."""


def days(value: Any) -> int:
    """Return a number of days.

    Raises:
        CrmError: 400, it is no whole number from 0 to `MAX_DAYS`.
    """
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 5:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_DAYS:
        raise bad_request(f"Bad where item. Expected a number of days from 0 to {MAX_DAYS}.")
    return value


def dated(kind: str, value: Any, today: date, shift: int) -> list[Comparison]:
    """Return what a date type means for dates: all of the comparisons hold.

    Args:
        kind: one of `DATE_TYPES`.
        value: a number of days for `COUNTED`.
        today: the office's day.
        shift: months by which the fiscal year begins after January.
    """
    if kind in PERIODS:
        first, after = PERIODS[kind](today, shift)
        return [("greaterThanOrEquals", str(first)), ("lessThan", str(after))]
    if kind == "today":
        return [("equals", str(today))]
    if kind == "past":
        return [("lessThan", str(today))]
    if kind == "future":
        return [("greaterThan", str(today))]
    count = timedelta(days=7 if kind == "lastSevenDays" else days(value))
    if kind in ("lastSevenDays", "lastXDays"):
        return [("greaterThanOrEquals", str(today - count)), ("lessThanOrEquals", str(today))]
    if kind == "nextXDays":
        return [("greaterThanOrEquals", str(today)), ("lessThanOrEquals", str(today + count))]
    if kind == "olderThanXDays":
        return [("lessThan", str(today - count))]
    return [("greaterThan", str(today + count))]


def timed(kind: str, value: Any, now: datetime, shift: int) -> list[Comparison]:
    """Return what a date type with ``dateTime`` means for date-times: all of the comparisons hold.

    Args:
        kind: one of `DATE_TYPES` or `GIVEN`.
        value: a number of days, a date or date-time, or two of them.
        now: the office's time.
        shift: months by which the fiscal year begins after January.
    """
    midnight = datetime(now.year, now.month, now.day)
    if kind in GIVEN:
        return _given(kind, value)
    if kind in PERIODS:
        first, after = PERIODS[kind](now.date(), shift)
        return [("greaterThanOrEquals", f"{first} 00:00:00"), ("lessThan", f"{after} 00:00:00")]
    if kind == "today":
        return _from_to(midnight, midnight + _DAY - _SECOND)
    if kind == "past":
        return [("lessThanOrEquals", str(now))]
    if kind == "future":
        return [("greaterThan", str(now))]
    count = timedelta(days=7 if kind == "lastSevenDays" else days(value))
    if kind in ("lastSevenDays", "lastXDays"):
        return _from_to(midnight - count, now)
    if kind == "nextXDays":
        # EspoCRM sets the time of the last day to 24:59:59, which is the first hour of the day after.
        return _from_to(now, midnight + count + timedelta(hours=24, minutes=59, seconds=59))
    if kind == "olderThanXDays":
        return [("lessThan", str(midnight - count))]
    return [("greaterThanOrEquals", str(midnight + count))]


def _given(kind: str, value: Any) -> list[Comparison]:
    if kind == "between":
        if not isinstance(value, list) or len(value) < 2:
            raise bad_request("Bad where item. Bad value.")
        return [("greaterThanOrEquals", _moment(value[0])[0]), ("lessThanOrEquals", _moment(value[1])[1])]
    first, last = _moment(value)
    if kind == "on":
        return [("greaterThanOrEquals", first), ("lessThanOrEquals", last)]
    return [("lessThan", first)] if kind == "before" else [("greaterThan", last)]


def _moment(value: Any) -> tuple[str, str]:
    """The first and the last second of what is given."""
    try:
        if isinstance(value, str) and len(value) <= 10:
            day = date_text(value)
            return f"{day} 00:00:00", f"{day} 23:59:59"
        moment = datetime_text(value)
    except Invalid:
        raise bad_request("Bad date value or timezone.") from None
    return moment, moment


def _from_to(first: datetime, last: datetime) -> list[Comparison]:
    return [("greaterThanOrEquals", str(first)), ("lessThanOrEquals", str(last))]
