"""Tests of kitchen/baking: expected values worked out by hand, or anew in another way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.kitchen.values import Arguments, refusal


def test_a_recipe_for_four_cooked_for_six() -> None:
    amounts = ["250 g flour", "3 pc egg", "0.5 tsp salt", "1 cup oat milk", "5 ml oil"]
    assert call("scale_recipe", ingredients=amounts, recipe_servings=4, wanted_servings=6) == {
        "factor": 1.5,
        "ingredients": ["375 g flour", "5 pc egg", "0.75 tsp salt", "1.5 cup oat milk", "8 ml oil"],
    }
    broken = call("scale_recipe", ingredients=["3 pc egg"], recipe_servings=4, wanted_servings=6, whole_pieces=False)
    assert broken["ingredients"] == ["4.5 pc egg"]
    many = call("scale_recipe", ingredients=["99999 g rice"], recipe_servings=1, wanted_servings=200)
    assert many["ingredients"] == ["19999800 g rice"]
    assert refusal("scale_recipe", ingredients=["some flour"], recipe_servings=1, wanted_servings=2) == "ingredients"


@given(st.integers(1, 99_999), st.integers(1, 200), st.integers(1, 50))
def test_scaling_up_by_whole_numbers_is_exact(grams: int, servings: int, times: int) -> None:
    wanted = min(200, servings * times) // servings * servings
    scaled = call("scale_recipe", ingredients=[f"{grams} g flour"], recipe_servings=servings, wanted_servings=wanted)
    assert scaled["ingredients"] == [f"{grams * (wanted // servings)} g flour"]


DOUGH: Arguments = {"pieces": 2, "baked_weight_grams": 765, "hydration_percent": 68, "salt_percent": 2}


def test_dough_by_bakers_percentages() -> None:
    # Two loaves of 765 g lose 10 % in the oven: 1700 g of dough, 10 g for each of its 170 parts.
    loss: Arguments = {"baking_loss_percent": 10}
    plain = call("plan_dough", **DOUGH, **loss)
    assert plain == {"flour_grams": 1000, "water_grams": 680, "salt_grams": 20, "starter_grams": 0}
    sour = call("plan_dough", **DOUGH, **loss, starter_flour_percent=20)
    assert (sour["flour_grams"], sour["water_grams"], sour["starter_grams"]) == (800, 480, 400)
    assert refusal("plan_dough", **DOUGH, starter_flour_percent=50, starter_hydration_percent=150) == (
        "starter_hydration_percent"
    )


@given(st.floats(70, 120), st.floats(0, 5), st.floats(0, 60), st.integers(1, 20))
def test_a_dough_weighs_the_sum_of_its_parts(water: float, salt: float, starter: float, pieces: int) -> None:
    plan = call(
        "plan_dough",
        pieces=pieces,
        baked_weight_grams=500,
        hydration_percent=water,
        salt_percent=salt,
        starter_flour_percent=starter,
    )
    assert sum(plan.values()) == pytest.approx(500 * pieces, abs=0.21)


def test_oven_settings() -> None:
    four: Arguments = {"celsius": 177, "fahrenheit": 350, "fan_celsius": 157, "nearest_gas_mark": 4}
    assert call("convert_oven_setting", setting=4, scale="gas_mark") == four
    assert call("convert_oven_setting", setting=350, scale="fahrenheit") == four
    assert call("convert_oven_setting", setting=200, scale="celsius")["nearest_gas_mark"] == 6
    fan = call("convert_oven_setting", setting=180, scale="celsius", fan_oven=True)
    assert (fan["celsius"], fan["fan_celsius"]) == (200, 180)
    assert call("convert_oven_setting", setting=300, scale="celsius")["nearest_gas_mark"] is None
    assert refusal("convert_oven_setting", setting=2.5, scale="gas_mark") == "setting"
    assert refusal("convert_oven_setting", setting=2, scale="gas_mark", fan_oven=True) == "setting"
    assert refusal("convert_oven_setting", setting=20, scale="celsius") == "setting"


@given(st.integers(50, 298))
def test_degrees_there_and_back(celsius: int) -> None:
    there = call("convert_oven_setting", setting=celsius, scale="celsius")["fahrenheit"]
    assert call("convert_oven_setting", setting=there, scale="fahrenheit")["celsius"] == celsius


def pan_factor(from_pan: str, to_pan: str, from_depth: float = 5, to_depth: float = 5) -> float:
    pans: Arguments = {"from_pan": from_pan, "from_depth_cm": from_depth, "to_pan": to_pan, "to_depth_cm": to_depth}
    factor: float = call("convert_baking_pan", **pans)["factor"]
    return factor


def test_pans() -> None:
    assert pan_factor("square 20", "rectangle 20x30") == 1.5
    assert pan_factor("round 20", "round 26") == 1.69
    assert pan_factor("round 20", "square 20") == 1.27  # 4 / pi
    assert pan_factor("square 20", "square 20", 4, 6) == 1.5
    pans: Arguments = {"from_depth_cm": 5, "to_pan": "round 20", "to_depth_cm": 5}
    assert refusal("convert_baking_pan", from_pan="heart 20", **pans) == "from_pan"


@given(st.integers(10, 99), st.integers(10, 99))
def test_larger_pans_take_more(one: int, other: int) -> None:
    assert (pan_factor(f"round {one}", f"round {other}") >= 1) == (other >= one)
