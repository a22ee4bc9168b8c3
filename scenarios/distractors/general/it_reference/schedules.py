"""Runs of a cron schedule."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date
from typing import Annotated

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general._clock_times import Clock
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_CRON_FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
_LONGEST_GAP_MONTHS = 12 * 41
"""29 February falls on a given weekday at least once in 40 years, also over the year 2100."""


class CronRuns(Result):
    """Next runs such as 2026-03-04 09:30, what the expression means, and runs on a day on which it runs at all."""

    next_runs: list[str]
    meaning: str
    runs_a_day: int


@tool(category=Category.GENERAL_DISTRACTOR)
def preview_cron_runs(
    bank: Bank,
    expression: Annotated[str, Meta(min_length=9, max_length=60)],
    after_date: date,
    after_time: Clock = "00:00",
    runs: Annotated[int, Meta(ge=1, le=12)] = 3,
) -> CronRuns:
    """Explain a cron expression of five fields and list its next runs after a moment.

    Args:
        expression: Minute, hour, day of month, month, weekday, such as 30 9 * * MON-FRI.
        after_date: Day of the moment.
        after_time: Time of the moment, such as 09:30; a run at that very minute is not listed.
        runs: How many runs to list.
    """
    fields = expression.split()
    if len(fields) != len(_CRON_FIELDS):
        raise invalid("expression", f"expected five fields parted by blanks, got {len(fields)}")
    minutes, hours, days, months, weekdays = (
        _cron_values(text, *field) for text, field in zip(fields, _CRON_FIELDS, strict=True)
    )
    # As cron has it: if both days are restricted, either is enough.
    either = not fields[2].startswith("*") and not fields[4].startswith("*")
    moments = [f"{hour:02d}:{minute:02d}" for hour in sorted(hours) for minute in sorted(minutes)]
    found: list[str] = []
    for day in _cron_days(after_date, runs + 1, days, months, {day % 7 for day in weekdays}, either=either):
        later = moments if day > after_date else [moment for moment in moments if moment > after_time]
        found += [f"{day} {moment}" for moment in later]
        if len(found) >= runs:
            break
    if not found:
        raise invalid("expression", f"expected an expression that ever runs after {after_date}, got {expression!r}")
    parts = [
        f"{name} {'any' if len(values) > high - low else ','.join(map(str, sorted(values)))}"
        for (name, low, high), values in zip(_CRON_FIELDS, (minutes, hours, days, months, weekdays), strict=True)
        if name not in ("minute", "hour")
    ]
    times = f"{len(moments)} times from {moments[0]} to {moments[-1]}" if len(moments) > 1 else f"at {moments[0]}"
    meaning = f"{times}; {'; '.join(parts)}{'; day or weekday is enough' if either else ''}"
    return CronRuns(next_runs=found[:runs], meaning=meaning, runs_a_day=len(moments))


def _cron_values(text: str, name: str, low: int, high: int) -> set[int]:
    """Read one field: stars, numbers, names, ranges, steps, and lists of them."""
    names = {month: i + 1 for i, month in enumerate(_MONTHS)} if name == "month" else {}
    if name == "weekday":
        names = {day: i for i, day in enumerate(_DAYS)}
    values: set[int] = set()
    for part in text.upper().split(","):
        span, slash, step = part.partition("/")
        first, dash, last = ("*", "", "") if span == "*" else span.partition("-")
        start = low if first == "*" else _cron_number(first, names)
        open_end = first == "*" or (slash and not dash)
        end = high if open_end else _cron_number(last, names) if dash else start
        width = _cron_number(step, {}) if slash else 1
        if not low <= start <= end <= high or width < 1:
            raise invalid("expression", f"expected {low} to {high}, a range, a list or a step as {name}, got {text!r}")
        values |= set(range(start, end + 1, width))
    return values


def _cron_number(text: str, names: dict[str, int]) -> int:
    """Read a number or a name; anything else gives -1, which no field allows."""
    return names.get(text, int(text) if text.isascii() and text.isdigit() else -1)


def _cron_days(
    start: date, count: int, days: set[int], months: set[int], weekdays: set[int], *, either: bool
) -> Iterator[date]:
    """Yield up to ``count`` days from ``start`` on that fit; ends when no more can come."""
    first, waited = start.year * 12 + start.month - 1, 0
    for number in range(first, 9999 * 12 + 12):
        year, month = number // 12, number % 12 + 1
        waited += 1
        if waited > _LONGEST_GAP_MONTHS or not count:
            return
        if month not in months:
            continue
        weekday, length = monthrange(year, month)
        for day in range(start.day if number == first else 1, length + 1) if either else sorted(days):
            on_weekday, on_day = (weekday + day) % 7 in weekdays, day in days
            fits = on_weekday or on_day if either else on_weekday and on_day
            if fits and day <= length and (number > first or day >= start.day) and count:
                waited, count = 0, count - 1
                yield date(year, month, day)
