"""Stars, sun and tides."""

from __future__ import annotations

from datetime import date
from math import ceil
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general._places_and_times import ClockTime, Latitude, Longitude
from teller_gym.scenarios.distractors.general.weather_and_sky import _sky_rules as sky
from teller_gym.scenarios.distractors.general.weather_and_sky._sky_rules import Ground, Star
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class StarSighting(Result):
    """Degrees with one decimal; azimuth is counted from north over east."""

    altitude: float
    azimuth: float
    highest_altitude: float
    course: Literal["rises_and_sets", "always_up", "never_up"]
    high_enough: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def find_star_position(
    bank: Bank,
    star: Star,
    latitude: Latitude,
    longitude: Longitude,
    day: date,
    utc_time: ClockTime,
    lowest_degrees: Annotated[float, Meta(ge=0, le=89)] = 10,
) -> StarSighting:
    """Tell where a bright star stands in the sky, how high it gets at that latitude, and whether it ever sets.
    Daylight, refraction and precession are left out.

    Args:
        star: The star.
        latitude: Degrees north of the place.
        longitude: Degrees east of the place.
        day: The day in UTC.
        utc_time: The time in UTC.
        lowest_degrees: From which altitude on the star can be seen over houses and haze.
    """
    place = sky.star_place(star, latitude, longitude, day, shared.minutes_of(utc_time))
    return StarSighting(
        altitude=shared.rounded(place.altitude, 1),
        azimuth=round(place.azimuth, 1) % 360,
        highest_altitude=shared.rounded(place.highest, 1),
        course="never_up" if place.highest <= 0 else "always_up" if place.lowest > 0 else "rises_and_sets",
        high_enough=round(place.altitude, 1) >= lowest_degrees,
    )


class SunAdvice(Result):
    """Index with one decimal; minutes are null if skin does not redden within a day."""

    effective_uv_index: float
    level: sky.UvLevel
    minutes_until_red: int | None
    safe: bool
    factor_needed: int


@tool(category=Category.GENERAL_DISTRACTOR)
def advise_uv_protection(
    bank: Bank,
    uv_index: Annotated[float, Meta(ge=0, le=20)],
    skin_type: Annotated[int, Meta(ge=1, le=6)],
    minutes_outdoors: Annotated[int, Meta(ge=1, le=720)],
    sun_cream_factor: Annotated[int, Meta(ge=1, le=100)] = 1,
    ground: Ground = "grass",
    altitude_m: Annotated[float, Meta(ge=0, le=6000)] = 0,
    in_shade: bool = False,
) -> SunAdvice:
    """Estimate by a rule of thumb how soon skin reddens in the sun, and which sun cream a stay outdoors needs.

    Args:
        uv_index: UV index of the forecast, for sea level.
        skin_type: Fitzpatrick skin type, from 1 (very fair) to 6 (very dark).
        minutes_outdoors: How long to stay outdoors.
        sun_cream_factor: Protection factor of the cream; 1 for none.
        ground: What lies around and reflects.
        altitude_m: Height above the sea; 10 % more for every 1000 m.
        in_shade: Whether one stays in the shade, which halves the index.
    """
    index = uv_index * (1 + sky.REFLECTED[ground]) * (1 + altitude_m / 10_000) * (0.5 if in_shade else 1)
    covered = (bare := sky.minutes_until_red(index, skin_type)) * sun_cream_factor
    return SunAdvice(
        effective_uv_index=round(index, 1),
        level=sky.uv_level(index),
        minutes_until_red=None if covered > shared.DAY_MINUTES else int(covered),
        safe=covered >= minutes_outdoors,
        factor_needed=max(1, ceil(minutes_outdoors / bare)),
    )


class TideHeight(Result):
    """Height in metres with two decimals; share of the tide's range in percent with one."""

    height_m: float
    direction: Literal["rising", "falling"]
    percent_of_range: float
    minutes_left: int


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_tide_height(
    bank: Bank, from_time: ClockTime, from_height_m: sky.Tide, to_time: ClockTime, to_height_m: sky.Tide, at: ClockTime
) -> TideHeight:
    """Estimate the height of the tide between low and high water, or high and low, by the rule of twelfths.

    Args:
        from_time: Time of the low or high water before.
        from_height_m: Its height in metres.
        to_time: Time of the following high or low water, 4 to 9 hours later, if need be after midnight.
        to_height_m: Its height in metres.
        at: The time for which to tell the height, between the two.
    """
    start = shared.minutes_of(from_time)
    span, passed = ((shared.minutes_of(time) - start) % shared.DAY_MINUTES for time in (to_time, at))
    if not 240 <= span <= 540:
        raise invalid("to_time", f"expected 4 to 9 hours after {from_time}, got {to_time}")
    if passed > span:
        raise invalid("at", f"expected a time from {from_time} to {to_time}, got {at}")
    if from_height_m == to_height_m:
        raise invalid("to_height_m", f"expected another height than {from_height_m}, got the same")
    share = sky.tide_share(passed, span)
    return TideHeight(
        height_m=shared.rounded(from_height_m + share * (to_height_m - from_height_m), 2),
        direction="rising" if to_height_m > from_height_m else "falling",
        percent_of_range=round(100 * share, 1),
        minutes_left=span - passed,
    )
