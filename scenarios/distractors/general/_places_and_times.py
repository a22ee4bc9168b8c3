"""What the tools about times, travel, places and weather share: types, refusals, clock times, tables, distances."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import resources
from math import asin, cos, radians, sin, sqrt
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid

ClockTime = Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$", max_length=5)]
Latitude = Annotated[float, Meta(ge=-90, le=90)]
Longitude = Annotated[float, Meta(ge=-180, le=180)]
Weekday = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

WEEKDAYS: tuple[Weekday, ...] = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SATURDAY, SUNDAY = 5, 6
DAY_MINUTES = 1440
EARTH_RADIUS_KM = 6371.0088
"""Mean radius of the Earth."""


@cache
def table(name: str) -> dict[str, Any]:
    """Return the table ``<name>.yaml`` of the subject of that name; callers never change it."""
    folder = resources.files("teller_gym.scenarios.distractors.general")
    found: dict[str, Any] = msgspec.yaml.decode(folder.joinpath(name, f"{name}.yaml").read_bytes())
    return found


def folded(text: str) -> str:
    """Return a name in the form in which names are compared."""
    return " ".join(text.split()).casefold()


def known_name(given: str, names: Iterable[str], field: str) -> str:
    """Return the name of a table that was meant, whatever its case and spaces; an unknown one is refused."""
    wanted = folded(given)
    for name in names:
        if folded(name) == wanted:
            return name
    raise invalid(field, f"expected a name of the table, got {given!r}; known are {', '.join(names)}")


def clean_name(given: str, field: str) -> str:
    """Return a free name without needless spaces; a blank one is refused."""
    name = " ".join(given.split())
    if not name:
        raise invalid(field, "expected a name, got only spaces")
    return name


def minutes_of(clock_time: str) -> int:
    """Return the minutes since midnight of a time such as 09:30."""
    return int(clock_time[:2]) * 60 + int(clock_time[3:5])


def clock_of(minutes: float) -> str:
    """Return minutes since midnight as a time of day, rounded to the minute; days beyond the first are dropped."""
    whole = int(minutes // 1 + (minutes % 1 >= 0.5)) % DAY_MINUTES
    return f"{whole // 60:02}:{whole % 60:02}"


def rounded(value: float, places: int) -> float:
    """Round a number that is shown; never minus zero."""
    return round(value, places) + 0.0


def great_circle_km(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the distance over the globe between two (latitude, longitude) in degrees."""
    (lat1, lon1), (lat2, lon2) = one, other
    north = sin(radians(lat2 - lat1) / 2) ** 2
    east = sin(radians(lon2 - lon1) / 2) ** 2
    return 2 * EARTH_RADIUS_KM * asin(min(1.0, sqrt(north + cos(radians(lat1)) * cos(radians(lat2)) * east)))
