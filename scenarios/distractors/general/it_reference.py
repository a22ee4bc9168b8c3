"""Cron schedules: the numbers that a field allows, and the days on which an expression runs."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import islice
from typing import Final

from teller_gym.base.errors import invalid

_MONTHS: Final = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_WEEKDAYS: Final = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_FIELDS: Final = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
_DAYS_AHEAD: Final = 41 * 366
"""Search limit in days; 29 February falls on each weekday at least once in 40 years, even across the year 2100."""


def cron_numbers(text: str, place: int) -> list[int]:
    """Parse a cron field into sorted numbers, with stars, names, ranges, steps and lists."""
    name, low, high = _FIELDS[min(place, len(_FIELDS) - 1)]
    names = {
        "month": dict(zip(_MONTHS, range(1, 13), strict=True)),
        "weekday": dict(zip(_WEEKDAYS, range(7), strict=True)),
    }

    def number(written: str) -> int:
        return names.get(name, {}).get(written, int(written) if written.isascii() and written.isdigit() else -1)

    found: set[int] = set()
    for part in text.split(","):
        span, slash, step = part.partition("/")
        first, dash, last = (str(low), "-", str(high)) if span == "*" else span.partition("-")
        start, end = number(first), number(last) if dash else high if slash else number(first)
        width = number(step) if slash else 1
        if not low <= start <= end <= high or width < 1:
            raise invalid("expression", f"expected {low} to {high}, a range, a list or a step as {name}, got {text}")
        found |= set(range(start, end + 1, width))
    return sorted(found)


def cron_days(
    start: date, count: int, days: list[int], months: list[int], weekdays: list[int], either: bool
) -> list[date]:
    """Return the first ``count`` days, from ``start`` on, on which an expression runs."""
    ahead = (start + timedelta(days=number) for number in range(min(_DAYS_AHEAD, (date.max - start).days + 1)))
    fits = any if either else all
    return list(
        islice(
            (
                day
                for day in ahead
                if day.month in months
                and fits((day.day in days, not {day.isoweekday() % 7, day.isoweekday()}.isdisjoint(weekdays)))
            ),
            count,
        )
    )
