"""Cleaning rota, watering of plants and sorting of waste."""

from __future__ import annotations

from datetime import date, timedelta
from math import pi
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.text import did_you_mean
from teller_gym.scenarios.distractors.general.facilities._house import SATURDAY, Plant, read_house
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Crew = Annotated[list[Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z .'-]*$", max_length=16)]], Meta(max_length=12)]
Area = Literal["kitchen", "lobby", "meeting_rooms", "offices", "stairs", "washrooms"]
_LIGHT = {"shade": 1.25, "indirect": 1.0, "sunny": 0.75}


class RotaDay(Result):
    """Who cleans on a day, in the order of the areas."""

    day: date
    crew: list[str]


class CleaningRota(Result):
    """The rota, and how many turns the least and the most charged have."""

    rota: list[RotaDay]
    fewest_turns: int
    most_turns: int


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_cleaning_rota(
    bank: Bank,
    crew: Crew,
    areas: Annotated[list[Area], Meta(min_length=1, max_length=6)],
    first_day: date,
    days: Annotated[int, Meta(ge=1, le=14)],
    weekends_too: bool = False,
) -> CleaningRota:
    """Plan who cleans which area of the tower on which day; turns go round the crew in order.

    Args:
        crew: Names of the cleaners.
        areas: Areas to be cleaned each day.
        first_day: First day of the rota.
        days: How many calendar days it covers.
        weekends_too: Whether Saturdays and Sundays are cleaned too.
    """
    if not crew or len({*crew}) < len(crew) or len({*areas}) < len(areas):
        raise invalid("crew", "expected at least one cleaner, and no cleaner or area twice")
    if first_day > date.max - timedelta(days=days):
        raise invalid("first_day", f"expected a day whose rota ends in the year 9999, got {first_day}")
    covered = [first_day + timedelta(days=i) for i in range(days)]
    covered = [day for day in covered if weekends_too or day.weekday() < SATURDAY]
    if not covered:
        raise invalid("days", "expected a day from Monday to Friday among them, got a weekend; add days")
    rota = [
        RotaDay(day=day, crew=[crew[(i * len(areas) + j) % len(crew)] for j in range(len(areas))])
        for i, day in enumerate(covered)
    ]
    turns = len(covered) * len(areas)
    return CleaningRota(rota=rota, fewest_turns=turns // len(crew), most_turns=-(-turns // len(crew)))


class WateringPlan(Result):
    """Days to water within the horizon; water in ml, to the next 10; days overdue today."""

    interval_days: int
    water_ml: int
    watering_days: list[date]
    overdue_days: int


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_plant_watering(
    bank: Bank,
    plant: Plant,
    pot_diameter_cm: Annotated[float, Meta(ge=5, le=80)],
    pot_height_cm: Annotated[float, Meta(ge=5, le=80)],
    light: Literal["shade", "indirect", "sunny"],
    room_temperature_c: Annotated[float, Meta(ge=5, le=40)],
    last_watered: date,
    horizon_days: Annotated[int, Meta(ge=1, le=60)] = 14,
) -> WateringPlan:
    """Plan when and how much to water an office plant. Above 25 degrees it needs water sooner, below 15 later.

    Args:
        plant: Kind of plant.
        pot_diameter_cm: Diameter of the pot.
        pot_height_cm: Height of the pot.
        light: Where it stands.
        room_temperature_c: Temperature of the room in degrees Celsius.
        last_watered: When it was watered last, today at the latest.
        horizon_days: How many days ahead to plan, from today.
    """
    late = (bank.today - last_watered).days
    if late < 0:
        raise invalid("last_watered", f"expected {bank.today} or earlier, got {last_watered}")
    care, warmth = read_house().plants[plant], 0.8 if room_temperature_c > 25 else 1.3 if room_temperature_c < 15 else 1
    interval = max(1, int(care.days * _LIGHT[light] * warmth + 0.5))
    volume = pi * (pot_diameter_cm / 2) ** 2 * pot_height_cm
    first = max(0, interval - late)
    return WateringPlan(
        interval_days=interval,
        water_ml=max(10, round(volume * care.water_percent / 1000) * 10),
        watering_days=[bank.today + timedelta(days=i) for i in range(first, horizon_days + 1, interval)],
        overdue_days=max(0, late - interval),
    )


class WasteSorted(Result):
    """Where it goes, and whether the waste team fetches it."""

    container: str
    fetched: bool
    pieces_until_fetched: int


@tool(category=Category.GENERAL_DISTRACTOR)
def sort_office_waste(
    bank: Bank,
    item: Annotated[str, Meta(min_length=1, max_length=30)],
    soiled: bool = False,
    pieces: Annotated[int, Meta(ge=1, le=10_000)] = 1,
) -> WasteSorted:
    """Say into which container of the waste room a thing goes by the house's recycling rules.

    Args:
        item: The thing in the singular, such as glass bottle.
        soiled: Whether food, grease or ink sticks to it.
        pieces: How many there are; large amounts are fetched.
    """
    rule = read_house().waste.get(item.strip().lower())
    if rule is None:
        known = did_you_mean(item, read_house().waste) or f"; the rules know: {', '.join(read_house().waste)}"
        raise invalid("item", f"there is no rule for {item!r}{known}")
    left = max(0, rule.fetched_from - pieces)
    return WasteSorted(container=rule.soiled if soiled else rule.clean, fetched=not left, pieces_until_fetched=left)
