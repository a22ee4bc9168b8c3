"""The kitchen; expected values are worked out by hand."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.scenarios.distractors.general import kitchen
from tests.scenarios.distractors.desk import TODAY, call, empty_bank

Arguments = dict[str, Any]


def refusal(name: str, **arguments: Any) -> str | None:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert caught.value.kind is ErrorKind.VALIDATION
    return caught.value.field


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


@pytest.mark.parametrize("food", list(kitchen._tables().foods))
def test_energy_of_a_food_is_that_of_its_parts(food: str) -> None:
    """4, 9 and 4 kcal a gram are averages and fibre gives less: a rough check against slips of the pen."""
    found = call("calculate_meal_nutrition", foods=[food], grams=[100])
    estimate = 4 * found["protein_grams"] + 9 * found["fat_grams"] + 4 * found["carbohydrate_grams"]
    assert found["energy_kcal"] == pytest.approx(estimate, rel=0.2, abs=7)


@given(st.lists(st.sampled_from(list(kitchen._tables().foods)), min_size=1, max_size=10), st.integers(1, 500))
def test_the_order_of_foods_does_not_matter(foods: list[str], grams: int) -> None:
    there = call("calculate_meal_nutrition", foods=foods, grams=[grams] * len(foods))
    assert call("calculate_meal_nutrition", foods=foods[::-1], grams=[grams] * len(foods)) == pytest.approx(
        there, abs=0.11
    )


def test_a_shopping_list_is_kept() -> None:
    bank = empty_bank()
    friday = (TODAY + timedelta(days=2)).isoformat()

    def add(item: str, quantity: float, unit: str, **more: Any) -> dict[str, Any]:
        return call("add_shopping_item", bank, list_name="Weekend", item=item, quantity=quantity, unit=unit, **more)

    bread = add("Bread", 2, "piece")
    assert (bread["entry"], bread["replaced"]) == ("2 piece bread", False)
    add("Milk", 1.5, "l", needed_by=friday)
    again = add("bread", 1, "piece")
    assert (again["item_id"], again["replaced"]) == (bread["item_id"], True)
    read = call("read_shopping_list", bank, list_name="weekend")
    assert read == {"entries": ["1.5 l milk", "1 piece bread"], "entries_in_all": 2}
    due = call("read_shopping_list", bank, list_name="weekend", needed_until=friday)
    assert due["entries"] == ["1.5 l milk"]
    assert {change.table for change in bank.diff()} == {"misc_shopping_items"}
    assert {change.after["owner"] for change in bank.diff()} == {"misc"}


def test_what_no_shopping_list_can_be() -> None:
    item: Arguments = {"list_name": "weekend", "item": "bread"}
    assert refusal("read_shopping_list", list_name="weekend") == "list_name"
    assert refusal("add_shopping_item", **item, quantity=1.5, unit="piece") == "quantity"
    yesterday = (TODAY - timedelta(days=1)).isoformat()
    assert refusal("add_shopping_item", **item, quantity=1, unit="kg", needed_by=yesterday) == "needed_by"


def test_how_long_food_keeps() -> None:
    stored: Arguments = {"food": "leftovers", "stored_on": "2026-03-01"}
    fridge = call("check_food_storage", **stored, place="fridge")
    assert fridge == {"keeps_days": 4, "last_good_day": "2026-03-05", "days_left": 1}
    frozen = call("check_food_storage", **stored, place="freezer")
    assert (frozen["keeps_days"], frozen["last_good_day"]) == (90, "2026-05-30")
    old = call("check_food_storage", food="fish", place="fridge", stored_on="2026-02-27")
    assert old["days_left"] == -3
    assert refusal("check_food_storage", food="raw_eggs", place="freezer", stored_on="2026-03-01") == "place"
    assert refusal("check_food_storage", food="fish", place="fridge", stored_on="2026-03-05") == "stored_on"


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
