"""Roasts, nutrition and alcohol."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.text import did_you_mean
from teller_gym.scenarios.distractors.general._daily import (
    MINUTES_A_DAY,
    TimeOfDay,
    minutes_of,
    refused,
    round_up,
    time_of,
)
from teller_gym.scenarios.distractors.general.kitchen._kitchen_tables import People, tables
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

FoodName = Annotated[str, Meta(pattern="^[a-z_]{2,30}$", max_length=30)]
FoodNames = Annotated[list[FoodName], Meta(min_length=1, max_length=20)]
Weights = Annotated[list[Annotated[float, Meta(ge=0, le=5000)]], Meta(min_length=1, max_length=20)]


class RoastPlan(Result):
    """When the roast goes in; ``day_before`` tells that it is on the day before it is served."""

    roasting_minutes: int
    core_celsius: int
    put_in_at: str
    day_before: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_roast(
    bank: Bank,
    meat: Literal["beef", "lamb", "pork", "chicken"],
    doneness: Literal["rare", "medium", "well_done"],
    weight_kg: Annotated[float, Meta(ge=0.3, le=10)],
    serve_at: TimeOfDay,
    resting_minutes: Annotated[int, Meta(ge=0, le=90)] = 15,
    fan_oven: bool = False,
) -> RoastPlan:
    """Estimate how many minutes a roast needs, so many for each 500 g and some on top, and when to put it in.

    Args:
        meat: Kind of meat; pork and chicken are cooked well done only.
        doneness: How it should be.
        weight_kg: Weight of the raw joint.
        serve_at: Time at which it is carved, such as 19:30.
        resting_minutes: Rest between oven and carving.
        fan_oven: Whether a fan oven is used; it takes a tenth off the time.
    """
    rules = tables().roasting[meat]
    if doneness not in rules:
        raise refused("doneness", f"{' or '.join(rules)} for {meat}", doneness)
    per_half_kilo, extra, core = rules[doneness]
    roasting = round_up((per_half_kilo * weight_kg * 2 + extra) * (0.9 if fan_oven else 1))
    day, start = divmod(minutes_of(serve_at) - roasting - resting_minutes, MINUTES_A_DAY)
    return RoastPlan(roasting_minutes=roasting, core_celsius=core, put_in_at=time_of(start), day_before=day < 0)


class MealNutrition(Result):
    """One person's share; one decimal."""

    energy_kcal: float
    protein_grams: float
    fat_grams: float
    carbohydrate_grams: float


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_meal_nutrition(bank: Bank, foods: FoodNames, grams: Weights, people: People = 1) -> MealNutrition:
    """Work out energy, protein, fat and carbohydrate of a meal from a table of common foods.

    Args:
        foods: Foods, such as apple, egg, olive_oil, cooked_pasta or roasted_chicken_breast.
        grams: Weight of each food, in the same order.
        people: How many share the meal.
    """
    if len(grams) != len(foods):
        raise refused("grams", f"a weight for each of the {len(foods)} foods", len(grams))
    table = tables().foods
    for food in foods:
        if food.strip() not in table:
            hint = did_you_mean(food, table) or f"; known are {', '.join(table)}"
            raise refused("foods", "foods of the table", f"{food.strip()!r}{hint}")
    rows = [[value * weight for value in table[food.strip()]] for food, weight in zip(foods, grams, strict=True)]
    energy, protein, fat, carbohydrate = (round(sum(column) / 100 / people, 1) for column in zip(*rows, strict=True))
    return MealNutrition(energy_kcal=energy, protein_grams=protein, fat_grams=fat, carbohydrate_grams=carbohydrate)


class AlcoholEstimate(Result):
    """Drinks and hours with one decimal, the level in per mille with two; 0.15 per mille an hour are broken down."""

    standard_drinks: float
    per_mille: float
    hours_to_zero: float


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_alcohol_level(
    bank: Bank,
    glass_ml: Annotated[float, Meta(ge=10, le=1000)],
    strength_percent: Annotated[float, Meta(ge=0, le=80)],
    glasses: Annotated[int, Meta(ge=1, le=20)],
    body_weight_kg: Annotated[float, Meta(ge=30, le=250)],
    sex: Literal["female", "male"],
    hours_since_first: Annotated[float, Meta(ge=0, le=48)],
    standard: Literal["uk", "us", "australia"] = "us",
) -> AlcoholEstimate:
    """Count standard drinks and estimate the blood alcohol level after some hours by Widmark's formula.

    Args:
        glass_ml: Size of a glass.
        strength_percent: Alcohol by volume.
        glasses: Glasses drunk.
        body_weight_kg: Weight of the person.
        sex: Sex of the person; the body's share that takes up alcohol is 0.55 or 0.68.
        hours_since_first: Hours since the first glass.
        standard: Whose standard drink counts: 8 g (UK), 14 g (US) or 10 g (Australia) of alcohol.
    """
    grams = glass_ml * glasses * strength_percent / 100 * 0.789
    level = max(0.0, grams / (body_weight_kg * (0.55 if sex == "female" else 0.68)) - 0.15 * hours_since_first)
    drinks = grams / {"uk": 8, "us": 14, "australia": 10}[standard]
    return AlcoholEstimate(
        standard_drinks=round(drinks, 1), per_mille=round(level, 2), hours_to_zero=round(level / 0.15, 1)
    )
