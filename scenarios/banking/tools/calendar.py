"""Dates: the bank's calendar, days added and days between."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.dates import is_business_day, whole_years
from teller_gym.base.errors import invalid
from teller_gym.scenarios.banking.business_days import known_span, require_known
from teller_gym.scenarios.banking.lookup import policy_of
from teller_gym.scenarios.banking.ranges import check_order
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Weekday = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
DayUnit = Literal["calendar", "business"]
_WEEKDAYS: tuple[Weekday, ...] = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAY = timedelta(days=1)
_SATURDAY = 5


class MovedDate(Result):
    """The day arrived at. ``is_business_day`` is null if the bank's calendar does not reach to it."""

    result_date: date
    weekday: Weekday
    is_business_day: bool | None


@tool(category=Category.AUXILIARY)
def add_days(
    bank: Bank,
    start_date: date,
    days: Annotated[int, Meta(ge=-1000, le=1000)],
    unit: DayUnit,
    roll: Literal["none", "previous", "next"] = "none",
) -> MovedDate:
    """Add calendar or business days to a date; the start date itself is not counted. Negative days go back.

    Args:
        start_date: The day from which to count.
        days: How many days.
        unit: Whether every day counts or only business days (no weekends, no bank holidays).
        roll: What to do if the result is no business day: leave it, or move it to the previous or next business day.
    """
    holidays = policy_of(bank).holidays
    try:
        if unit == "calendar":
            result = start_date + timedelta(days=days)
        else:
            result = _add_business_days(start_date, days, holidays)
        if roll != "none":
            step = -_DAY if roll == "previous" else _DAY
            while not _is_open(result, holidays):
                result += step
    except OverflowError:
        raise invalid("start_date", f"{start_date} moved by {days} days leaves the years 1 to 9999") from None
    first, last = known_span(holidays)
    return MovedDate(
        result_date=result,
        weekday=_WEEKDAYS[result.weekday()],
        is_business_day=is_business_day(result, holidays) if first <= result <= last else None,
    )


def _add_business_days(start: date, days: int, holidays: frozenset[date]) -> date:
    step = -_DAY if days < 0 else _DAY
    left = abs(days)
    while left:
        start += step
        left -= _is_open(start, holidays)
    return start


def _is_open(day: date, holidays: frozenset[date], field: str = "start_date") -> bool:
    """Return True if the bank is open; raise an error for a weekday outside the bank's calendar."""
    if day.weekday() < _SATURDAY:
        require_known(day, holidays, field)
    return is_business_day(day, holidays)


class DateSpan(Result):
    """Length of the span; the first day is not counted, the last one is."""

    days: int
    whole_years: int


@tool(category=Category.AUXILIARY)
def days_between(bank: Bank, start_date: date, end_date: date, unit: DayUnit) -> DateSpan:
    """Count the days, and the completed years, from one date to a later one, such as the age of a report or a person.

    Args:
        start_date: The earlier day; it is not counted.
        end_date: The later day; it is counted.
        unit: Whether every day counts or only business days.
    """
    check_order(start_date, end_date, "start_date", "end_date")
    days = (end_date - start_date).days
    if unit == "business":
        holidays = policy_of(bank).holidays
        require_known(start_date, holidays, "start_date")
        require_known(end_date, holidays, "end_date")
        days = sum(is_business_day(start_date + timedelta(days=i), holidays) for i in range(1, days + 1))
    return DateSpan(days=days, whole_years=whole_years(start_date, end_date))


class CalendarMonth(Result):
    """A month of the bank's calendar."""

    business_days: int
    first_business_day: date
    last_business_day: date
    bank_holidays: list[date]


@tool(category=Category.AUXILIARY)
def get_business_calendar(
    bank: Bank, year: Annotated[int, Meta(ge=2000, le=2100)], month: Annotated[int, Meta(ge=1, le=12)]
) -> CalendarMonth:
    """Read a month of the bank's calendar: bank holidays, number of business days, the first and the last of them.

    Args:
        year: The year.
        month: The month, 1 to 12.
    """
    holidays = policy_of(bank).holidays
    days = [date(year, month, number) for number in range(1, monthrange(year, month)[1] + 1)]
    first, last = known_span(holidays)
    if not first <= days[0] <= last:
        raise invalid("year", f"expected a month from {first:%Y-%m} to {last:%Y-%m}, got {days[0]:%Y-%m}")
    open_days = [day for day in days if is_business_day(day, holidays)]
    return CalendarMonth(
        business_days=len(open_days),
        first_business_day=open_days[0],
        last_business_day=open_days[-1],
        bank_holidays=[day for day in days if day in holidays],
    )
