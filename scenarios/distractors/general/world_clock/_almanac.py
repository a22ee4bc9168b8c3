"""Reckoning of feasts, yearly events, moon, sun and day counts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from math import acos, cos, degrees, pi, radians, sin
from typing import Literal, NamedTuple

from teller_gym.scenarios.distractors.general._places_and_times import (
    DAY_MINUTES,
    SATURDAY,
    clock_of,
    known_name,
    table,
)
from teller_gym.tools.bank import Record

Feast = Literal[
    "clean_monday", "ash_wednesday", "palm_sunday", "good_friday", "easter_sunday", "ascension", "pentecost"
]
DAYS_AFTER_EASTER: dict[Feast, int] = {
    "clean_monday": -48,
    "ash_wednesday": -46,
    "palm_sunday": -7,
    "good_friday": -2,
    "easter_sunday": 0,
    "ascension": 39,
    "pentecost": 49,
}
NOT_KEPT = {"western": "clean_monday", "orthodox": "ash_wednesday"}

Planet = Literal["Mercury", "Venus", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"]
ORBIT_DAYS: dict[Planet, float] = {
    "Mercury": 87.969,
    "Venus": 224.701,
    "Mars": 686.980,
    "Jupiter": 4332.589,
    "Saturn": 10759.22,
    "Uranus": 30685.4,
    "Neptune": 60189.0,
}

SYNODIC_MONTH = 29.530588853
NEW_MOON = datetime(2000, 1, 6, 18, 14)
# Each with the side that is lit when seen from the north; the south sees it mirrored.
MOON_PHASES = (
    ("new moon", "none"),
    ("waxing crescent", "right"),
    ("first quarter", "right"),
    ("waxing gibbous", "right"),
    ("full moon", "whole"),
    ("waning gibbous", "left"),
    ("last quarter", "left"),
    ("waning crescent", "left"),
)
MIRRORED = {"left": "right", "right": "left"}

EVENTS = "misc_yearly_events"

SUN_HEIGHT = {"sunrise": -0.833, "civil": -6.0, "nautical": -12.0, "astronomical": -18.0}

CountSystem = Literal["unix_seconds", "unix_milliseconds", "julian_day", "modified_julian_day"]
UNIX_START = datetime(1970, 1, 1)
# Count at the start of 1970 UTC, milliseconds a unit, decimals shown.
COUNT_SYSTEMS: dict[CountSystem, tuple[float, int, int]] = {
    "unix_seconds": (0, 1000, 0),
    "unix_milliseconds": (0, 1, 0),
    "julian_day": (2_440_587.5, 86_400_000, 6),
    "modified_julian_day": (40_587, 86_400_000, 6),
}


def is_leap(year: int) -> bool:
    """Whether a year of the Gregorian calendar has a 29 February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def western_easter(year: int) -> date:
    """Return Easter by the Gregorian epact, after the anonymous algorithm of 1876."""
    century, rest = divmod(year, 100)
    golden = year % 19
    moon = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - century // 4 - moon + 15) % 30
    to_sunday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    late = (golden + 11 * epact + 22 * to_sunday) // 451
    return date(year, 3, 22) + timedelta(days=epact + to_sunday - 7 * late)


def orthodox_easter(year: int) -> date:
    """Return Easter of the Julian calendar as a Gregorian date, after Meeus."""
    full_moon = (19 * (year % 19) + 15) % 30
    to_sunday = (2 * (year % 4) + 4 * (year % 7) - full_moon + 34) % 7
    behind = year // 100 - year // 400 - 2
    return date(year, 3, 22) + timedelta(days=full_moon + to_sunday + behind)


def sun_hours(day: date, latitude: float, altitude: float) -> tuple[float, float]:
    """Return solar noon at longitude 0 in UTC minutes, and for how many minutes before it the sun stands higher.

    After NOAA's low accuracy equations: the second number is 0 if the sun stays below ``altitude`` (degrees) all day
    and 720 if it stays above.
    """
    angle = 2 * pi / (365 + is_leap(day.year)) * (day.timetuple().tm_yday - 1)
    ahead = 229.18 * (
        0.000075 + 0.001868 * cos(angle) - 0.032077 * sin(angle) - 0.014615 * cos(2 * angle) - 0.040849 * sin(2 * angle)
    )
    declination = (
        0.006918
        - 0.399912 * cos(angle)
        + 0.070257 * sin(angle)
        - 0.006758 * cos(2 * angle)
        + 0.000907 * sin(2 * angle)
        - 0.002697 * cos(3 * angle)
        + 0.00148 * sin(3 * angle)
    )
    # The bound keeps the poles from dividing by nothing.
    phi = radians(max(-89.99, min(89.99, latitude)))
    reach = (sin(radians(altitude)) - sin(phi) * sin(declination)) / (cos(phi) * cos(declination))
    return 720 - ahead, 4 * degrees(acos(max(-1.0, min(1.0, reach))))


def yearly_returns(event: Record, start: date) -> Iterator[date]:
    """Yield the dates of an event from a day on."""
    for year in range(max(start.year, event["first_year"] or 1), 10_000):
        month, day = event["month"], event["day"]
        if (month, day) == (2, 29) and not is_leap(year):
            if event["leap_rule"] == "leap_years_only":
                continue
            month, day = (2, 28) if event["leap_rule"] == "february_28" else (3, 1)
        if (found := date(year, month, day)) >= start:
            yield found


def times_kept(event: Record, first_year: int, before: date) -> int:
    """Return how often an event came round from its first year on, before a date."""
    years = range(first_year, before.year)
    if (event["month"], event["day"], event["leap_rule"]) == (2, 29, "leap_years_only"):
        return sum(is_leap(year) for year in years)
    return len(years)


def moon_age(day: date, hour_utc: int) -> float:
    """Return the days since the last new moon by the mean cycle."""
    elapsed = datetime(day.year, day.month, day.day, hour_utc) - NEW_MOON
    return (elapsed / timedelta(days=1)) % SYNODIC_MONTH


def time_of_count(system: CountSystem, count: float) -> datetime:
    """Return the UTC time, to the second, of a count; raises OverflowError outside the years 1 to 9999."""
    start, unit, _ = COUNT_SYSTEMS[system]
    return UNIX_START + timedelta(seconds=(round((count - start) * unit) + 500) // 1000)


def count_of_time(system: CountSystem, time: datetime) -> float:
    """Return the count of a UTC time."""
    start, unit, places = COUNT_SYSTEMS[system]
    return round(start + (time - UNIX_START) // timedelta(seconds=1) * 1000 / unit, places)


class Window(NamedTuple):
    """When people can meet, in minutes of the day; ``weekday`` (of the first day) is None if any day will do."""

    earliest: int
    latest: int
    duration: int
    keep_lunch_free: bool
    weekday: int | None

    def suits(self, local: int) -> bool:
        """Whether a meeting can start at a local minute, counted from midnight of the first day."""
        day, start = divmod(local, DAY_MINUTES)
        end = start + self.duration
        lunch = self.keep_lunch_free and start < 13 * 60 and end > 12 * 60
        weekend = self.weekday is not None and (self.weekday + day) % 7 >= SATURDAY
        return self.earliest <= start and end <= self.latest and not lunch and not weekend


def with_day(minutes: int) -> str:
    """Return a local time, and how many days off it is."""
    days = minutes // DAY_MINUTES
    return clock_of(minutes) + (f" ({days:+} day)" if days else "")


def city_offset(city: str, field: str) -> int:
    """Return how many minutes a city is ahead of UTC in standard time; an unknown one is refused."""
    cities: dict[str, int] = table("world_clock")["cities"]
    return cities[known_name(city, cities, field)]
