"""Functions of the references of IT."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date

_LONGEST_GAP_MONTHS = 12 * 41
"""29 February falls on a given weekday at least once in 40 years, also over the year 2100."""


def cron_values(field: str, low: int, high: int, names: list[str]) -> list[int]:
    """Return the numbers of a field such as ``1-5`` or ``*/20``, in order; none if it is not understood.

    Args:
        field: The field in capitals.
        low: Lowest number.
        high: Highest number.
        names: Names of the numbers from ``low`` on, such as JAN.
    """
    for number, name in enumerate(names, low):
        field = re.sub(rf"\b{name}\b", str(number), field)
    values: set[int] = set()
    for part in field.split(","):
        match = re.fullmatch(r"(\*|[0-9]{1,2})(?:-([0-9]{1,2}))?(?:/([0-9]{1,2}))?", part, re.ASCII)
        if match is None or (match[1] == "*" and match[2]):
            return []
        start = low if match[1] == "*" else int(match[1])
        open_end = match[1] == "*" or (match[3] and not match[2])
        end = high if open_end else int(match[2] or start)
        step = int(match[3] or 1)
        if not low <= start <= end <= high or step == 0:
            return []
        values |= set(range(start, end + 1, step))
    return sorted(values)


def cron_days(
    start: date, count: int, days: list[int], months: list[int], weekdays: list[int], either: bool
) -> list[date]:
    """Return the first days from ``start`` on with a day and a weekday (or ``either``) of these; Sunday is 0."""
    found: list[date] = []
    first = start.year * 12 + start.month - 1
    for number in range(first, min(first + _LONGEST_GAP_MONTHS + 12 * count, 9999 * 12 + 12)):
        year, month = number // 12, number % 12 + 1
        if month not in months or len(found) >= count:
            continue
        for day in range(start.day if number == first else 1, monthrange(year, month)[1] + 1):
            fits = day in days, date(year, month, day).isoweekday() % 7 in weekdays
            if (any(fits) if either else all(fits)) and len(found) < count:
                found.append(date(year, month, day))
    return found
