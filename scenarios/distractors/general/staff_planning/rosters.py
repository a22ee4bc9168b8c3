"""Rosters and holidays."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from math import ceil
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

StaffNumbers = Annotated[list[Annotated[str, Meta(pattern="^E[0-9]{4}$", max_length=5)]], Meta(max_length=30)]
Shifts = Annotated[list[Annotated[int, Meta(ge=0, le=200)]], Meta(max_length=30)]
ContractPercents = Annotated[list[Annotated[int, Meta(ge=5, le=100)]], Meta(max_length=30)]
Percent = Annotated[float, Meta(ge=0, le=100)]
HolidayDays = Annotated[float, Meta(ge=0, le=100)]
WeekDays = Annotated[float, Meta(ge=0.5, le=7)]


class RosterFairness(Result):
    """Weighted shifts above (or, negative, below) each one's fair share, in the same order, with one decimal."""

    is_fair: bool
    above_fair_share: list[float]
    most_burdened: str
    least_burdened: str


@tool(category=Category.GENERAL_DISTRACTOR)
def measure_roster_fairness(
    bank: Bank,
    staff_numbers: StaffNumbers,
    night_shifts: Shifts,
    weekend_shifts: Shifts,
    contract_percents: ContractPercents,
    night_weight: Annotated[float, Meta(ge=0.1, le=5)] = 1,
    tolerance_percent: Percent = 10,
) -> RosterFairness:
    """Measure how fairly night and weekend shifts are shared out, given how much each one works.

    Args:
        staff_numbers: Staff numbers, such as E1042.
        night_shifts: Night shifts of each, in the same order.
        weekend_shifts: Weekend shifts of each.
        contract_percents: Contract of each in percent of full time.
        night_weight: How many weekend shifts a night shift counts for.
        tolerance_percent: How far from the fair share, in percent of it, still counts as fair.
    """
    count = len(staff_numbers)
    if count < 2 or len({*staff_numbers}) < count:
        raise invalid("staff_numbers", f"expected two or more different people, got {count} entries")
    lists = {"night_shifts": night_shifts, "weekend_shifts": weekend_shifts, "contract_percents": contract_percents}
    for field, values in lists.items():
        if len(values) != count:
            raise invalid(field, f"expected {count} numbers, one a person, got {len(values)}")
    weight = Fraction(repr(night_weight))
    loads = [nights * weight + weekends for nights, weekends in zip(night_shifts, weekend_shifts, strict=True)]
    if not sum(loads):
        raise invalid("night_shifts", "expected at least one night or weekend shift, got none")
    shares = [sum(loads) * Fraction(percent, sum(contract_percents)) for percent in contract_percents]
    above = [load - share for load, share in zip(loads, shares, strict=True)]
    allowed = Fraction(repr(tolerance_percent)) / 100
    # Compared with what their contract asks for, so that a part-timer's extra shift weighs more.
    burden = [extra / percent for extra, percent in zip(above, contract_percents, strict=True)]
    return RosterFairness(
        is_fair=all(abs(extra) <= allowed * share for extra, share in zip(above, shares, strict=True)),
        above_fair_share=[round(float(extra), 1) for extra in above],
        most_burdened=staff_numbers[burden.index(max(burden))],
        least_burdened=staff_numbers[burden.index(min(burden))],
    )


class HolidayAllowance(Result):
    """Days of holiday, to two decimals; share of the year employed in percent with one."""

    entitled_days: float
    left_days: float
    employed_percent: float
    overdrawn: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def prorate_holiday_allowance(
    bank: Bank,
    year: Annotated[int, Meta(ge=1950, le=2150)],
    full_time_days: HolidayDays,
    days_a_week: WeekDays = 5,
    full_time_days_a_week: WeekDays = 5,
    employed_from: date | None = None,
    employed_until: date | None = None,
    count_by: Literal["days", "whole_months"] = "days",
    rounding: Literal["none", "half_day_up", "whole_day_up"] = "none",
    carried_over_days: HolidayDays = 0,
    taken_days: HolidayDays = 0,
) -> HolidayAllowance:
    """Work out the holiday of a member of staff for a year pro rata: part-time, joined or left during the year.

    Args:
        year: The calendar year.
        full_time_days: Days of holiday for a full year at full time.
        days_a_week: Working days a week of the member of staff.
        full_time_days_a_week: Working days a week at full time.
        employed_from: First day of employment, if in this year.
        employed_until: Last day of employment, if in this year.
        count_by: Whether each day counts or only calendar months worked from first to last day.
        rounding: Whether the entitlement is rounded up to half or whole days.
        carried_over_days: Days left from the year before.
        taken_days: Days already taken.
    """
    first, last = date(year, 1, 1), date(year, 12, 31)
    begin, end = max(first, employed_from or first), min(last, employed_until or last)
    if end < begin:
        raise invalid("employed_until", f"expected some employment in {year}, got {employed_from} to {employed_until}")
    if days_a_week > full_time_days_a_week:
        raise invalid(
            "days_a_week", f"expected at most full_time_days_a_week, {full_time_days_a_week}, got {days_a_week}"
        )
    if count_by == "days":
        share = Fraction((end - begin).days + 1, (last - first).days + 1)
    else:
        months = (end + timedelta(days=1)).month - 1 if end < last else 12
        share = Fraction(max(0, months - (begin.month - 1) - (begin.day > 1)), 12)
    hours = _exact(days_a_week) / _exact(full_time_days_a_week)
    entitled = _exact(full_time_days) * hours * share
    step = {"none": 0, "half_day_up": 2, "whole_day_up": 1}[rounding]
    entitled = Fraction(ceil(entitled * step), step) if step else entitled
    left = entitled + _exact(carried_over_days) - _exact(taken_days)
    return HolidayAllowance(
        entitled_days=round(float(entitled), 2),
        left_days=round(float(left), 2),
        employed_percent=round(float(100 * share), 1),
        overdrawn=left < 0,
    )


def _exact(number: float) -> Fraction:
    return Fraction(repr(number))
