"""Air pressure by height, and the time of a walk uphill."""

from __future__ import annotations

from math import log10
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general._places_and_times import ClockTime
from teller_gym.scenarios.distractors.general.geography import _maps as maps
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Altitude = Annotated[float, Meta(ge=-430, le=9000)]
Metres = Annotated[float, Meta(ge=0, le=9000)]


class AirPressure(Result):
    """All with one decimal."""

    pressure_hpa: float
    percent_of_sea_level: float
    water_boils_at_c: float


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_air_pressure(
    bank: Bank,
    altitude_m: Altitude,
    temperature_c: Annotated[float, Meta(ge=-60, le=50)] = 15,
    sea_level_hpa: Annotated[float, Meta(ge=870, le=1085)] = 1013.25,
) -> AirPressure:
    """Estimate air pressure at an altitude by the barometric formula, and the boiling point of water, to one decimal.

    Args:
        altitude_m: Height above the sea in metres.
        temperature_c: Air temperature there in degrees Celsius.
        sea_level_hpa: Pressure at sea level in hectopascals.
    """
    warmth = temperature_c + 273.15
    pressure = sea_level_hpa * (warmth / (warmth + 0.0065 * altitude_m)) ** 5.257
    # Antoine's equation for water, which wants millimetres of mercury.
    boiling = 1730.63 / (8.07131 - log10(pressure * 0.750062)) - 233.426
    return AirPressure(
        pressure_hpa=round(pressure, 1),
        percent_of_sea_level=round(100 * pressure / sea_level_hpa, 1),
        water_boils_at_c=round(boiling, 1),
    )


class WalkingTime(Result):
    """Whole minutes; ``days_later`` counts midnights until arrival."""

    walking_minutes: int
    break_minutes: int
    arrival_time: str
    days_later: int


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_walking_time(
    bank: Bank,
    distance_km: Annotated[float, Meta(ge=0.1, le=100)],
    ascent_m: Metres,
    descent_m: Metres = 0,
    descent_kind: Literal["even", "gentle", "steep"] = "even",
    flat_speed_kmh: Annotated[float, Meta(ge=1, le=8)] = 5,
    terrain: Literal["path", "rough", "trackless"] = "path",
    break_minutes_an_hour: Annotated[int, Meta(ge=0, le=60)] = 0,
    start_time: ClockTime = "08:00",
) -> WalkingTime:
    """Estimate the time of a walk by Naismith's rule (an hour for 600 m of ascent) with Langmuir's for descents.

    Args:
        distance_km: Length of the walk.
        ascent_m: Metres up in all.
        descent_m: Metres down in all.
        descent_kind: Gentle descents save 10 minutes for 300 m, steep ones cost 10, even ones change nothing.
        flat_speed_kmh: Speed on the flat.
        terrain: A rough path takes a quarter longer on the flat, trackless ground 60 %.
        break_minutes_an_hour: Minutes of rest after every full hour of walking.
        start_time: When the walk begins.
    """
    if ascent_m + descent_m > 1000 * distance_km:
        raise invalid(
            "distance_km", f"expected a way longer than {ascent_m + descent_m} m up and down, got {distance_km} km"
        )
    if descent_kind == "gentle" and descent_m > 212 * distance_km:
        raise invalid("descent_kind", "expected steep for more than 12 degrees down, got gentle")
    pace = 60 / flat_speed_kmh * maps.TERRAIN[terrain]
    down = {"even": 0, "gentle": -10, "steep": 10}[descent_kind] * descent_m / 300
    walking = round(distance_km * pace + ascent_m / 10 + down)
    rest = walking // 60 * break_minutes_an_hour
    arrival = shared.minutes_of(start_time) + walking + rest
    return WalkingTime(
        walking_minutes=walking,
        break_minutes=rest,
        arrival_time=shared.clock_of(arrival),
        days_later=arrival // shared.DAY_MINUTES,
    )
