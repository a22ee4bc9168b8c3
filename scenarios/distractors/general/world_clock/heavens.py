"""Ages on planets, and the moon."""

from __future__ import annotations

from datetime import date, timedelta
from math import ceil, cos, pi
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general.world_clock import _almanac as almanac
from teller_gym.scenarios.distractors.general.world_clock._almanac import Planet
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Hour = Annotated[int, Meta(ge=0, le=23)]


class PlanetAge(Result):
    """Age in years of the planet; the birthday is the first day on which one year more is complete."""

    planet_years: float
    completed_years: int
    next_birthday: date


@tool(category=Category.GENERAL_DISTRACTOR)
def get_planet_age(bank: Bank, born_on: date, planet: Planet, on_day: date | None = None) -> PlanetAge:
    """Tell how old somebody or something is in years of another planet, to two decimals, and the next birthday there.

    Args:
        born_on: Day of birth.
        planet: Whose years to count.
        on_day: The day for which to tell the age; today if left out.
    """
    day = on_day or bank.today
    lived = (day - born_on).days
    if lived < 0:
        raise invalid("on_day", f"expected {born_on} or later, got {day}; give a day after the birth")
    completed = int(lived / (orbit := almanac.ORBIT_DAYS[planet]))
    try:
        birthday = born_on + timedelta(days=ceil((completed + 1) * orbit))
    except OverflowError:
        raise invalid("born_on", f"expected a next birthday before the year 10000, got a birth on {born_on}") from None
    return PlanetAge(planet_years=round(lived / orbit, 2), completed_years=completed, next_birthday=birthday)


class MoonPhase(Result):
    """Days and percent have one decimal."""

    phase: str
    age_days: float
    illuminated_percent: float
    days_to_full_moon: float
    lit_side: str


@tool(category=Category.GENERAL_DISTRACTOR)
def get_moon_phase(
    bank: Bank, day: date, hour_utc: Hour = 12, seen_from: Literal["north", "south"] = "north"
) -> MoonPhase:
    """Tell the phase of the moon by its mean cycle, which may be off by some hours. Figures have one decimal.

    Args:
        day: The day.
        hour_utc: The hour in UTC.
        seen_from: Northern or southern half of the Earth; the lit side is mirrored.
    """
    age = almanac.moon_age(day, hour_utc)
    phase, side = almanac.MOON_PHASES[int(age / almanac.SYNODIC_MONTH * 8 + 0.5) % 8]
    return MoonPhase(
        phase=phase,
        age_days=round(age, 1),
        illuminated_percent=shared.rounded(50 * (1 - cos(2 * pi * age / almanac.SYNODIC_MONTH)), 1),
        days_to_full_moon=round((almanac.SYNODIC_MONTH / 2 - age) % almanac.SYNODIC_MONTH, 1),
        lit_side=side if seen_from == "north" else almanac.MIRRORED.get(side, side),
    )
