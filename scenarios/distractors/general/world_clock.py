"""Yearly dates for the world clock tools."""

from __future__ import annotations

from calendar import isleap
from datetime import date


def yearly_dates(month: int, day: int, leap_rule: str, first_year: int | None, start: date, count: int) -> list[date]:
    """Return the next dates of a yearly event from ``start``, fewer if the calendar ends.

    Args:
        month: Month of the event.
        day: Day of the month.
        leap_rule: Rule for 29 February: ``february_28``, ``march_1`` or ``leap_years_only``.
        first_year: First year of the event, if known.
        start: Earliest date to return.
        count: Number of dates.
    """
    found: list[date] = []
    for year in range(max(start.year, first_year or 1), 10_000):
        if len(found) == count:
            break
        kept = (month, day)
        if kept == (2, 29) and not isleap(year):
            if leap_rule == "leap_years_only":
                continue
            kept = (2, 28) if leap_rule == "february_28" else (3, 1)
        if date(year, *kept) >= start:
            found.append(date(year, *kept))
    return found
