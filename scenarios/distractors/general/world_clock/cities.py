"""Times of cities, and slots that suit several."""

from __future__ import annotations

from datetime import date, timedelta
from math import sqrt
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general._places_and_times import ClockTime, Latitude, Longitude, Weekday
from teller_gym.scenarios.distractors.general.world_clock import _almanac as almanac
from teller_gym.scenarios.distractors.general.world_clock._types import Few
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

City = Annotated[str, Meta(min_length=2, max_length=30)]
SummerTime = Literal["neither", "from_city", "to_city", "both"]


class CityTime(Result):
    """``day_shift`` is 1 if it is already the next day there, -1 if still the day before."""

    local_date: date
    local_time: str
    weekday: Weekday
    day_shift: int
    hours_ahead: float


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_city_time(
    bank: Bank, day: date, clock_time: ClockTime, from_city: City, to_city: City, summer_time: SummerTime = "neither"
) -> CityTime:
    """Tell what time it is in another city. The table holds standard time; say where clocks are put forward an hour.

    Args:
        day: The day in the first city.
        clock_time: The time in the first city, such as 09:30.
        from_city: The city whose time is given, such as Chicago.
        to_city: The city whose time is wanted.
        summer_time: Which of the two cities keeps daylight saving time on that day.
    """
    start = almanac.city_offset(from_city, "from_city") + 60 * (summer_time in ("from_city", "both"))
    end = almanac.city_offset(to_city, "to_city") + 60 * (summer_time in ("to_city", "both"))
    there = shared.minutes_of(clock_time) + end - start
    shift = there // shared.DAY_MINUTES
    try:
        local = day + timedelta(days=shift)
    except OverflowError:
        raise invalid("day", f"expected a day that stays within the years 1 to 9999, got {day}") from None
    return CityTime(
        local_date=local,
        local_time=shared.clock_of(there),
        weekday=shared.WEEKDAYS[local.weekday()],
        day_shift=shift,
        hours_ahead=shared.rounded((end - start) / 60, 2),
    )


class MeetingSlots(Result):
    """``slots`` holds the start in every city, in the order given; ``slots_found`` counts also those not shown."""

    slots: list[list[str]]
    slots_found: int


@tool(category=Category.GENERAL_DISTRACTOR)
def find_meeting_slots(
    bank: Bank,
    meeting_date: date,
    cities: Annotated[list[City], Meta(min_length=2, max_length=8)],
    duration_minutes: Annotated[int, Meta(ge=15, le=480)],
    earliest_start: ClockTime = "09:00",
    latest_end: ClockTime = "17:00",
    step_minutes: Literal[15, 30, 60] = 30,
    keep_lunch_free: bool = False,
    allow_weekends: bool = False,
    max_slots: Few = 5,
) -> MeetingSlots:
    """Find starts of a meeting at which it is working time in every city, in standard time without daylight saving.

    Args:
        meeting_date: The day in the first city.
        cities: Where people take part; the first one sets the day.
        duration_minutes: Length of the meeting in minutes.
        earliest_start: From when people are at work, local time.
        latest_end: Until when people are at work, local time.
        step_minutes: Distance between possible starts in minutes.
        keep_lunch_free: Whether 12:00 to 13:00 must stay free in every city.
        allow_weekends: Whether a Saturday or Sunday will do.
        max_slots: How many slots to show at most.
    """
    earliest, latest = shared.minutes_of(earliest_start), shared.minutes_of(latest_end)
    if latest - earliest < duration_minutes:
        raise invalid(
            "latest_end", f"expected {duration_minutes} minutes or more after {earliest_start}, got {latest_end}"
        )
    if len({shared.folded(city) for city in cities}) < len(cities):
        raise invalid("cities", "expected every city once, got one of them twice; leave it out")
    offsets = [almanac.city_offset(city, "cities") for city in cities]
    shifts = [offset - offsets[0] for offset in offsets]
    weekday = None if allow_weekends else meeting_date.weekday()
    wanted = almanac.Window(earliest, latest, duration_minutes, keep_lunch_free, weekday)
    minutes = range(0, shared.DAY_MINUTES, step_minutes)
    starts = [minute for minute in minutes if all(wanted.suits(minute + shift) for shift in shifts)]
    slots = [[almanac.with_day(start + shift) for shift in shifts] for start in starts[:max_slots]]
    return MeetingSlots(slots=slots, slots_found=len(starts))


class SunTimes(Result):
    """Local times, null where the sun does not cross the wanted height that day."""

    morning: str | None
    solar_noon: str
    evening: str | None
    minutes_above: int
    course: Literal["rises_and_sets", "above_all_day", "below_all_day"]


@tool(category=Category.GENERAL_DISTRACTOR)
def get_sunrise_times(
    bank: Bank,
    day: date,
    latitude: Latitude,
    longitude: Longitude,
    utc_offset_hours: Annotated[float, Meta(ge=-12, le=14)],
    limit: Literal["sunrise", "civil", "nautical", "astronomical"] = "sunrise",
    eye_height_m: Annotated[float, Meta(ge=0, le=9000)] = 0,
    hills_degrees: Annotated[float, Meta(ge=0, le=45)] = 0,
) -> SunTimes:
    """Tell sunrise, solar noon and sunset, or the ends of twilight, anywhere on Earth, within some minutes.

    Args:
        day: The day.
        latitude: Degrees north, negative for south.
        longitude: Degrees east, negative for west.
        utc_offset_hours: How many hours local clocks are ahead of UTC on that day.
        limit: Sunrise and sunset, or begin and end of civil, nautical or astronomical twilight.
        eye_height_m: Height of the place above the land or sea around, in metres; for sunrise only.
        hills_degrees: By how many degrees hills or houses raise the horizon; for sunrise only.
    """
    height = almanac.SUN_HEIGHT[limit]
    if limit == "sunrise":
        height += hills_degrees - 1.76 / 60 * sqrt(eye_height_m)
    elif eye_height_m or hills_degrees:
        raise invalid("limit", f"expected sunrise with eye_height_m or hills_degrees, got {limit}; set both to 0")
    noon, half = almanac.sun_hours(day, latitude, height)
    noon += 60 * utc_offset_hours - 4 * longitude
    crosses = 0 < half < shared.DAY_MINUTES / 2
    return SunTimes(
        morning=shared.clock_of(noon - half) if crosses else None,
        solar_noon=shared.clock_of(noon),
        evening=shared.clock_of(noon + half) if crosses else None,
        minutes_above=round(2 * half),
        course="rises_and_sets" if crosses else "above_all_day" if half else "below_all_day",
    )
