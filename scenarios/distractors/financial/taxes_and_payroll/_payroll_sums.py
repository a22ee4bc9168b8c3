"""Exact sums behind taxes and payroll: amounts in cents, rates in percent as they were written."""

from __future__ import annotations

from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from fractions import Fraction
from math import ceil, floor

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, round_half_up

_SATURDAY = 5
_WEEKEND_MOVES = {"keep": (0, 0), "friday_before": (-1, -2), "monday_after": (2, 1)}
"""Days by which a Saturday and a Sunday are moved."""


def check_length(field: str, got: Sequence[object], expected: int, of_what: str) -> None:
    """Refuse a list that does not have one entry for each of something."""
    if len(got) != expected:
        raise invalid(field, f"expected one entry for each of the {expected} {of_what}, got {len(got)}")


def share(rate: float) -> Fraction:
    """Return a percentage as a factor."""
    return exact(rate) / 100


def rounded(value: Fraction, places: int) -> float:
    """Return the value to some decimal places, halves away from zero."""
    return float(Fraction(round_half_up(value * 10**places), 10**places))


def total(values: Iterable[Fraction]) -> Fraction:
    """Return the sum of fractions."""
    return sum(values, Fraction(0))


def tax_by_brackets(income: int, persons: int, limits: Sequence[int], rates: Sequence[float]) -> tuple[Fraction, int]:
    """Return the tax on an income that is divided among persons, not rounded, and the top bracket's position from 0."""
    taxed = Fraction(income, persons)
    top = sum(limit < taxed for limit in limits)
    tops = [Fraction(limit) for limit in limits[:top]] + [taxed]
    bottoms = [Fraction(0), *tops[:-1]]
    steps = zip(bottoms, tops, rates[: top + 1], strict=True)
    return persons * total((upper - lower) * share(rate) for lower, upper, rate in steps), top


def gross_for(wanted: int, tax: Fraction, social: Fraction, room: int | None) -> tuple[int, int]:
    """Return the least gross cents that leave ``wanted`` cents, and what is deducted; ``room`` bears ``social``."""

    def deducted(gross: int) -> int:
        return round_half_up(gross * tax + (gross if room is None else min(gross, room)) * social)

    low, high = 0, ceil(wanted / (1 - tax - social)) + 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if middle - deducted(middle) >= wanted else (middle + 1, high)
    return low, deducted(low)


def plan_pay_dates(frequency: str, first: date, count: int) -> list[date]:
    """Return pay dates as planned, weekends not looked at."""
    if frequency in ("weekly", "biweekly"):
        step = 7 if frequency == "weekly" else 14
        return [first + timedelta(days=step * number) for number in range(count)]
    months = [divmod(first.year * 12 + first.month - 1 + number, 12) for number in range(count + 1)]
    ends = [date(year, month + 1, monthrange(year, month + 1)[1]) for year, month in months]
    if frequency == "monthly":
        return [end.replace(day=min(first.day, end.day)) for end in ends][:count]
    return [day for end in ends for day in (end.replace(day=15), end) if day >= first][:count]


def extra_pay_months(planned: Iterable[date], frequency: str) -> list[str]:
    """Return the months, such as 2026-05, with more pay dates than usual."""
    usual = {"weekly": 4, "biweekly": 2, "semimonthly": 2, "monthly": 1}[frequency]
    by_month = Counter(f"{day.year:04d}-{day.month:02d}" for day in planned)
    return [month for month, times in by_month.items() if times > usual]


def off_weekend(day: date, rule: str) -> date:
    """Return the day, moved by the rule if it is on a weekend."""
    weekday = day.weekday() - _SATURDAY
    return day + timedelta(days=_WEEKEND_MOVES[rule][weekday]) if weekday >= 0 else day


def hand_out(pool: int, weights: Sequence[Fraction]) -> tuple[list[int], int]:
    """Share cents by weight, and return how many went to the largest fractions, too."""
    whole = total(weights)
    due = [pool * weight / whole for weight in weights]
    shares = [floor(part) for part in due]
    spread = pool - sum(shares)
    for person in sorted(range(len(due)), key=lambda i: (shares[i] - due[i], i))[:spread]:
        shares[person] += 1
    return shares, spread


def months_later(month: str, count: int) -> str:
    """Return the month, such as 2026-05, that comes some months later."""
    year, index = divmod(int(month[:4]) * 12 + int(month[5:7]) - 1 + count, 12)
    return f"{year:04d}-{index + 1:02d}"
