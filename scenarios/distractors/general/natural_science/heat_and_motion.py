"""Decay, felt temperature and flight."""

from __future__ import annotations

from math import sqrt
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general._numbers import shown
from teller_gym.scenarios.distractors.general.natural_science import _physics as physics
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class DecayState(Result):
    """What is left, in the unit of the amount, and how many half-lives have gone by; six significant figures."""

    remaining: float
    remaining_percent: float
    half_lives: float


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_radioactive_decay(
    bank: Bank,
    amount: Annotated[float, Meta(ge=0, le=1_000_000_000)],
    half_life: Annotated[float, Meta(ge=0.001, le=10_000_000_000)],
    half_life_unit: physics.TimeUnit,
    elapsed: Annotated[float, Meta(ge=0, le=10_000_000_000)],
    elapsed_unit: physics.TimeUnit,
) -> DecayState:
    """Calculate how much of a radioactive substance is left after some time, from its half-life.

    Args:
        amount: Amount at the start, in any unit.
        half_life: Time in which half of it decays.
        half_life_unit: Unit of the half-life; a year has 365.25 days.
        elapsed: Time gone by.
        elapsed_unit: Unit of the time gone by.
    """
    passed = elapsed * physics.SECONDS[elapsed_unit] / (half_life * physics.SECONDS[half_life_unit])
    left = 0.5**passed
    return DecayState(remaining=shown(amount * left), remaining_percent=shown(100 * left), half_lives=shown(passed))


class FeltTemperature(Result):
    """The temperature as it feels in the unit given, to one decimal, and which formula applied."""

    felt_temperature: float
    felt_by: physics.FeltBy


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_felt_temperature(
    bank: Bank,
    temperature: Annotated[float, Meta(ge=-60, le=125)],
    temperature_unit: Literal["celsius", "fahrenheit"],
    wind_speed: Annotated[float, Meta(ge=0, le=200)],
    wind_unit: physics.SpeedUnit,
    humidity_percent: Annotated[float, Meta(ge=0, le=100)] = 50,
) -> FeltTemperature:
    """Calculate how warm the air feels: wind chill in the cold, heat index in the heat, else the air temperature.

    Args:
        temperature: Air temperature.
        temperature_unit: Its unit, also of the answer.
        wind_speed: Wind speed; it matters at 10 degrees Celsius or less.
        wind_unit: Unit of the wind speed.
        humidity_percent: Relative humidity; it matters in the heat.
    """
    in_celsius = temperature_unit == "celsius"
    celsius = temperature if in_celsius else (temperature - 32) / 1.8
    felt, felt_by = physics.felt_celsius(celsius, wind_speed * physics.SPEEDS[wind_unit], humidity_percent)
    if celsius > 52 or felt > 65:
        raise invalid("temperature", f"expected weather that occurs on earth, got {celsius:.1f} C felt as {felt:.1f} C")
    shown_felt = round(felt if in_celsius else felt * 1.8 + 32, 1) + 0.0
    return FeltTemperature(felt_temperature=shown_felt, felt_by=felt_by)


class ProjectileFlight(Result):
    """A throw without air resistance, to three decimals; clearance is the height above the obstacle's top."""

    flight_time_s: float
    range_m: float
    highest_point_m: float
    impact_speed_m_s: float
    clearance_m: float | None


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_projectile_flight(
    bank: Bank,
    launch_speed: Annotated[float, Meta(ge=0.1, le=1000)],
    speed_unit: physics.SpeedUnit,
    elevation_degrees: Annotated[float, Meta(ge=0, le=90)],
    launch_height_m: Annotated[float, Meta(ge=0, le=10_000)] = 0,
    place: Literal["earth", "moon", "mars", "venus"] = "earth",
    obstacle_distance_m: Annotated[float, Meta(ge=0, le=1_000_000)] | None = None,
    obstacle_height_m: Annotated[float, Meta(ge=0, le=10_000)] = 0,
) -> ProjectileFlight:
    """Calculate the flight of something thrown over level ground, and whether it clears an obstacle on its way.

    Args:
        launch_speed: Speed at the start.
        speed_unit: Unit of the speed.
        elevation_degrees: Angle above the horizontal.
        launch_height_m: Height of the start above the ground.
        place: Whose gravity acts.
        obstacle_distance_m: How far from the start an obstacle stands.
        obstacle_height_m: How high the obstacle is.
    """
    speed, gravity = launch_speed * physics.SPEEDS[speed_unit], physics.GRAVITY[place]
    seconds, reach, top = physics.flight(speed, elevation_degrees, launch_height_m, gravity)
    clearance = None
    if obstacle_distance_m is not None:
        if obstacle_distance_m > reach:
            raise invalid("obstacle_distance_m", f"expected at most {reach:.3f} (landing), got {obstacle_distance_m}")
        height = physics.height_at(obstacle_distance_m, speed, elevation_degrees, launch_height_m, gravity)
        clearance = round(height - obstacle_height_m, 3) + 0.0
    return ProjectileFlight(
        flight_time_s=round(seconds, 3),
        range_m=round(reach, 3),
        highest_point_m=round(top, 3),
        impact_speed_m_s=round(sqrt(speed * speed + 2 * gravity * launch_height_m), 3),
        clearance_m=clearance,
    )
