"""Days of the calendar, feasts and other counts."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general._places_and_times import Weekday
from teller_gym.scenarios.distractors.general.world_clock import _almanac as almanac
from teller_gym.scenarios.distractors.general.world_clock._almanac import CountSystem, Feast
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

FeastYear = Annotated[int, Meta(ge=1600, le=4000)]


class CalendarDay(Result):
    """Where a day stands in the ISO calendar and in its year."""

    iso_year: int
    iso_week: int
    weekday: Weekday
    day_of_year: int
    days_left_in_year: int
    leap_year: bool
    next_leap_year: int


@tool(category=Category.GENERAL_DISTRACTOR)
def describe_calendar_day(bank: Bank, day: date) -> CalendarDay:
    """Tell a day's ISO week, weekday and number in its year, whether that is a leap year, and when the next one is.

    Args:
        day: The day to describe.
    """
    iso = day.isocalendar()
    number = day.timetuple().tm_yday
    return CalendarDay(
        iso_year=iso.year,
        iso_week=iso.week,
        weekday=shared.WEEKDAYS[day.weekday()],
        day_of_year=number,
        days_left_in_year=365 + almanac.is_leap(day.year) - number,
        leap_year=almanac.is_leap(day.year),
        next_leap_year=next(year for year in range(day.year + 1, day.year + 9) if almanac.is_leap(year)),
    )


class FeastDate(Result):
    """The feast in the Gregorian calendar."""

    feast_date: date
    weekday: Weekday
    easter_sunday: date


@tool(category=Category.GENERAL_DISTRACTOR)
def find_easter_date(
    bank: Bank, year: FeastYear, tradition: Literal["western", "orthodox"] = "western", feast: Feast = "easter_sunday"
) -> FeastDate:
    """Find the date of Easter, or of a feast that moves with it, in the Gregorian calendar.

    Args:
        year: The year.
        tradition: Western churches, or Orthodox churches, which reckon by the Julian calendar.
        feast: Which feast; Clean Monday is orthodox, Ash Wednesday western.
    """
    if feast == almanac.NOT_KEPT[tradition]:
        raise invalid("feast", f"expected a feast of the {tradition} calendar, got {feast}; try the other tradition")
    easter = almanac.western_easter(year) if tradition == "western" else almanac.orthodox_easter(year)
    found = easter + timedelta(days=almanac.DAYS_AFTER_EASTER[feast])
    return FeastDate(feast_date=found, weekday=shared.WEEKDAYS[found.weekday()], easter_sunday=easter)


class DayCount(Result):
    """``count`` in the system asked for; date and time in the zone given, rounded to the second."""

    count: float
    day: date
    clock_time: str
    weekday: Weekday


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_day_count(
    bank: Bank,
    system: CountSystem,
    count: Annotated[float, Meta(ge=-1e15, le=1e15)] | None = None,
    day: date | None = None,
    clock_time: Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$", max_length=8)] = "00:00:00",
    utc_offset_minutes: Annotated[int, Meta(ge=-720, le=840)] = 0,
) -> DayCount:
    """Turn a Unix timestamp or a Julian day number into date and time, or the other way round. Give a count or a day.

    Args:
        system: Unix seconds or milliseconds since 1970, or (modified) Julian days, which are shown to six decimals.
        count: The number to turn into a date.
        day: The day to turn into a number.
        clock_time: The time on that day, such as 18:05:00; with a day only.
        utc_offset_minutes: How many minutes the clock of the date is ahead of UTC.
    """
    if (count is None) == (day is None):
        raise invalid("count", f"expected either count or day, got {'neither' if count is None else 'both'}")
    ahead = timedelta(minutes=utc_offset_minutes)
    try:
        by_day = datetime.fromisoformat(f"{day}T{clock_time}") - ahead if count is None else None
        utc = by_day or almanac.time_of_count(system, count or 0)
        local = utc + ahead
    except OverflowError:
        raise invalid("count" if day is None else "day", "expected a time within the years 1 to 9999") from None
    return DayCount(
        count=almanac.count_of_time(system, utc),
        day=local.date(),
        clock_time=f"{local:%H:%M:%S}",
        weekday=shared.WEEKDAYS[local.weekday()],
    )
