"""Tests of kitchen/meals: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.scenarios.distractors.general.kitchen._kitchen_tables import tables
from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.kitchen.values import Arguments, refusal


def roast(**arguments: Any) -> dict[str, Any]:
    usual: Arguments = {"meat": "beef", "doneness": "medium", "weight_kg": 1.5, "serve_at": "13:00"}
    return call("plan_roast", **usual | arguments)


def test_a_sunday_roast() -> None:
    # 25 minutes for each of three times 500 g, 25 on top, 15 of rest.
    beef: Arguments = {"roasting_minutes": 100, "core_celsius": 60, "put_in_at": "11:05", "day_before": False}
    assert roast() == beef
    assert roast(fan_oven=True)["roasting_minutes"] == 90
    early = roast(serve_at="01:00", resting_minutes=0)
    assert (early["put_in_at"], early["day_before"]) == ("23:20", True)
    assert roast(meat="chicken", doneness="well_done", weight_kg=2)["roasting_minutes"] == 110
    arguments: Arguments = {"meat": "pork", "doneness": "rare", "weight_kg": 1, "serve_at": "13:00"}
    assert refusal("plan_roast", **arguments) == "doneness"


@given(st.floats(0.3, 10), st.floats(0.3, 10))
def test_heavier_roasts_take_longer(one: float, other: float) -> None:
    light, heavy = sorted((one, other))
    assert roast(weight_kg=light)["roasting_minutes"] <= roast(weight_kg=heavy)["roasting_minutes"]


def test_a_breakfast() -> None:
    meal = call("calculate_meal_nutrition", foods=["egg", "whole_wheat_bread"], grams=[120, 80], people=2)
    # (1.2 * 143 + 0.8 * 247) / 2, and so on
    assert meal == {"energy_kcal": 184.6, "protein_grams": 12.8, "fat_grams": 7.1, "carbohydrate_grams": 16.9}
    assert refusal("calculate_meal_nutrition", foods=["eggs"], grams=[1]) == "foods"
    assert refusal("calculate_meal_nutrition", foods=["egg"], grams=[1, 2]) == "grams"


@pytest.mark.parametrize("food", list(tables().foods))
def test_energy_of_a_food_is_that_of_its_parts(food: str) -> None:
    """4, 9 and 4 kcal a gram are averages and fibre gives less: a rough check against slips of the pen."""
    found = call("calculate_meal_nutrition", foods=[food], grams=[100])
    estimate = 4 * found["protein_grams"] + 9 * found["fat_grams"] + 4 * found["carbohydrate_grams"]
    assert found["energy_kcal"] == pytest.approx(estimate, rel=0.2, abs=7)


@given(st.lists(st.sampled_from(list(tables().foods)), min_size=1, max_size=10), st.integers(1, 500))
def test_the_order_of_foods_does_not_matter(foods: list[str], grams: int) -> None:
    there = call("calculate_meal_nutrition", foods=foods, grams=[grams] * len(foods))
    assert call("calculate_meal_nutrition", foods=foods[::-1], grams=[grams] * len(foods)) == pytest.approx(
        there, abs=0.11
    )


DRINKS: Arguments = {"glass_ml": 500, "strength_percent": 5, "glasses": 2, "body_weight_kg": 80, "sex": "male"}


def test_two_beers() -> None:
    # 1 l at 5 % holds 39.45 g of alcohol: 39.45 / (0.68 * 80) = 0.725 per mille, less 0.15 for an hour.
    found = call("estimate_alcohol_level", **DRINKS, hours_since_first=1)
    assert found == {"standard_drinks": 2.8, "per_mille": 0.58, "hours_to_zero": 3.8}
    assert call("estimate_alcohol_level", **DRINKS, hours_since_first=1, standard="uk")["standard_drinks"] == 4.9
    assert call("estimate_alcohol_level", **DRINKS, hours_since_first=10)["per_mille"] == 0
    assert refusal("estimate_alcohol_level", **DRINKS | {"glasses": 0}, hours_since_first=1) == "glasses"


@given(st.floats(0, 48), st.floats(0, 48))
def test_the_level_falls_with_time(one: float, other: float) -> None:
    early, late = sorted((one, other))
    levels = [call("estimate_alcohol_level", **DRINKS, hours_since_first=hours)["per_mille"] for hours in (early, late)]
    assert levels[0] >= levels[1] >= 0
