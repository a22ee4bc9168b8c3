"""Ratios of the body, heart rate and drinking."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import refused
from teller_gym.scenarios.distractors.general.sport_and_health._types import Height, Minutes
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Weight = Annotated[float, Meta(ge=25, le=300)]
Girth = Annotated[float, Meta(ge=40, le=250)]
Sex = Literal["female", "male"]
HeartRate = Annotated[int, Meta(ge=25, le=230)]
Age = Annotated[int, Meta(ge=10, le=100)]
ZoneMethod = Literal["share_of_maximum", "share_of_reserve"]
Millilitres = Annotated[int, Meta(ge=0, le=10_000)]

_WEIGHT_CLASSES = ("underweight", "normal", "overweight", "obese")
_ZONE_LIMITS = (50, 60, 70, 80, 90, 100)


class BodyRatios(Result):
    """Body mass index with one decimal, ratios with two, and whether they lie above the WHO's limits."""

    body_mass_index: float
    weight_class: str
    waist_to_height: float
    waist_to_hip: float
    raised_risk: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def assess_body_ratios(
    bank: Bank, weight_kg: Weight, height_cm: Height, waist_cm: Girth, hip_cm: Girth, sex: Sex
) -> BodyRatios:
    """Work out an adult's body mass index, waist-to-height and waist-to-hip ratio. The risk counts as raised from a
    waist of half the height, or a waist-to-hip ratio of 0.85 for women and 0.90 for men.

    Args:
        weight_kg: Weight.
        height_cm: Height.
        waist_cm: Girth at the waist.
        hip_cm: Girth at the hips.
        sex: Sex of the person.
    """
    index, to_height, to_hip = round(weight_kg / (height_cm / 100) ** 2, 1), waist_cm / height_cm, waist_cm / hip_cm
    grade = sum(index >= limit for limit in (18.5, 25, 30))
    return BodyRatios(
        body_mass_index=index,
        weight_class=_WEIGHT_CLASSES[grade],
        waist_to_height=round(to_height, 2),
        waist_to_hip=round(to_hip, 2),
        raised_risk=to_height >= 0.5 or to_hip >= (0.85 if sex == "female" else 0.9),
    )


class HeartRateZones(Result):
    """The maximum, and the five zones from easy to hard, each as lower and upper beats a minute."""

    maximum: int
    zones: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_heart_rate_zones(
    bank: Bank, age: Age, resting_rate: HeartRate, method: ZoneMethod, measured_maximum: HeartRate | None = None
) -> HeartRateZones:
    """Work out five training zones, from 50 to 100 percent in steps of 10, in whole beats.

    Args:
        age: Age in years; without a measured maximum, 208 less 0.7 times the age is taken (Tanaka).
        resting_rate: Beats a minute at rest.
        method: Percent of the maximum, or of the reserve between rest and maximum (Karvonen).
        measured_maximum: Highest rate measured in a test.
    """
    maximum = measured_maximum if measured_maximum is not None else round(208 - 0.7 * age)
    if resting_rate >= maximum:
        raise refused("resting_rate", f"less than the maximum of {maximum}", resting_rate)
    base = resting_rate if method == "share_of_reserve" else 0
    beats = [round(base + (maximum - base) * percent / 100) for percent in _ZONE_LIMITS]
    zones = [f"{low}-{high}" for low, high in pairwise(beats)]
    return HeartRateZones(maximum=maximum, zones=zones)


class HydrationPlan(Result):
    """Whole millilitres, and bottles to take along."""

    sweat_ml_per_hour: int
    drink_ml: int
    bottles: int


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_hydration(
    bank: Bank,
    weight_before_kg: Weight,
    weight_after_kg: Weight,
    drunk_ml: Millilitres,
    urine_ml: Millilitres,
    minutes: Minutes,
    planned_minutes: Minutes,
    bottle_ml: Annotated[int, Meta(ge=200, le=3000)] = 750,
) -> HydrationPlan:
    """Work out a sweat rate by weighing, and the least to drink next time to lose no more than 2 percent of weight.

    Args:
        weight_before_kg: Weight before training.
        weight_after_kg: Weight after it.
        drunk_ml: What was drunk meanwhile.
        urine_ml: What was passed meanwhile.
        minutes: Length of the training.
        planned_minutes: Length of the session to come.
        bottle_ml: Size of a bottle.
    """
    sweat = (weight_before_kg - weight_after_kg) * 1000 + drunk_ml - urine_ml
    if sweat < 0 or sweat > 100 * weight_before_kg:
        raise refused("weight_after_kg", "a weight that leaves a sweat loss of 0 to 10 percent", weight_after_kg)
    needed = max(0, round(sweat * planned_minutes / minutes - weight_before_kg * 20))
    bottles = -(-needed // bottle_ml)
    return HydrationPlan(sweat_ml_per_hour=round(sweat * 60 / minutes), drink_ml=needed, bottles=bottles)
