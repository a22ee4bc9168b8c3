"""Arithmetic with business days. Callers pass the holidays, since the calendar is one of the bank's documents."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta

_DAY = timedelta(days=1)
_SATURDAY = 5


def is_business_day(day: date, holidays: Collection[date]) -> bool:
    """Return True if ``day`` is neither a Saturday, a Sunday nor one of the holidays."""
    return day.weekday() < _SATURDAY and day not in holidays


def add_business_days(day: date, count: int, holidays: Collection[date]) -> date:
    """Return the ``count``-th business day after ``day``; for a count of 0, ``day`` itself."""
    while count > 0:
        day += _DAY
        if is_business_day(day, holidays):
            count -= 1
    return day


def on_or_before_business_day(day: date, holidays: Collection[date]) -> date:
    """Return ``day`` if it is a business day, else the last business day before it."""
    while not is_business_day(day, holidays):
        day -= _DAY
    return day


def whole_years(born: date, today: date) -> int:
    """Return a person's age in completed years (a birthday on 29 February is reached on 1 March)."""
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))
