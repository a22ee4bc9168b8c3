"""Running the tower: expected values are worked out by hand from the house tables; today is Wednesday 2026-03-04."""

from collections import Counter
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import TODAY, call


def test_canteen_menu() -> None:
    expected: dict[str, Any] = {"weekday": "Wednesday", "menu_week": "A", "left_out": 0}
    dishes = ["Bean chilli", "Mushroom risotto", "Turkey noodles"]
    assert call("get_canteen_menu", day="2026-03-04") == {**expected, "dishes": dishes}
    chosen = call("get_canteen_menu", day="2026-03-04", diet="vegetarian", without_allergens=["milk"])
    assert (chosen["dishes"], chosen["left_out"]) == (["Bean chilli"], 2)
    assert call("get_canteen_menu", day="2026-03-11", diet="vegan")["dishes"] == ["Rice with black beans"]
    with pytest.raises(ToolError, match="Saturday"):
        call("get_canteen_menu", day="2026-03-07")


@given(st.dates(date(1, 1, 1), date(9999, 12, 1)))
@settings(deadline=None, max_examples=40)
def test_the_menu_repeats_every_two_weeks(day: date) -> None:
    day -= timedelta(days=max(0, day.weekday() - 4)) if day.toordinal() > 7 else timedelta()
    week, fortnight = day + timedelta(days=7), day + timedelta(days=14)
    menus = [call("get_canteen_menu", day=str(d)) for d in (day, week, fortnight)]
    assert menus[0] == menus[2]
    assert menus[0]["menu_week"] != menus[1]["menu_week"]


def test_cleaning_rota_by_hand() -> None:
    asked: dict[str, Any] = {"crew": ["Ana", "Ben", "Cleo"], "areas": ["kitchen", "lobby"], "first_day": "2026-03-06"}
    assert call("plan_cleaning_rota", **asked, days=4) == {
        "rota": [{"day": "2026-03-06", "crew": ["Ana", "Ben"]}, {"day": "2026-03-09", "crew": ["Cleo", "Ana"]}],
        "fewest_turns": 1,
        "most_turns": 2,
    }
    assert len(call("plan_cleaning_rota", **asked, days=4, weekends_too=True)["rota"]) == 4
    wrongs: list[dict[str, Any]] = [{"crew": []}, {"crew": ["Ana", "Ana"]}]
    for wrong in (*wrongs, {"first_day": "2026-03-07"}, {"first_day": "9999-12-31"}):
        with pytest.raises(ToolError):
            call("plan_cleaning_rota", **asked | wrong, days=2)


@given(st.integers(1, 12), st.integers(1, 6), st.integers(3, 14))
@settings(deadline=None, max_examples=40)
def test_turns_differ_by_one_at_most(crew: int, areas: int, days: int) -> None:
    names = [chr(65 + i) for i in range(crew)]
    places = ["kitchen", "lobby", "meeting_rooms", "offices", "stairs", "washrooms"][:areas]
    made = call("plan_cleaning_rota", crew=names, areas=places, first_day="2026-03-04", days=days)
    turns = Counter(name for day in made["rota"] for name in day["crew"])
    assert {made["fewest_turns"], made["most_turns"]} == {min(turns[n] for n in names), max(turns.values())}
    assert made["most_turns"] - made["fewest_turns"] <= 1


PLANT: dict[str, Any] = {"plant": "monstera", "pot_diameter_cm": 20, "pot_height_cm": 20, "room_temperature_c": 22}


def test_watering_by_hand() -> None:
    assert call("plan_plant_watering", **PLANT, light="sunny", last_watered="2026-02-25") == {
        "interval_days": 5,  # 7 days by 0.75
        "water_ml": 1380,  # 22 % of 6.283 litres
        "watering_days": ["2026-03-04", "2026-03-09", "2026-03-14"],
        "overdue_days": 2,
    }
    cool = call("plan_plant_watering", **PLANT | {"room_temperature_c": 14}, light="indirect", last_watered=str(TODAY))
    assert (cool["interval_days"], cool["watering_days"], cool["overdue_days"]) == (9, ["2026-03-13"], 0)
    hot: dict[str, Any] = PLANT | {"room_temperature_c": 26, "horizon_days": 6}
    assert call("plan_plant_watering", **hot, light="indirect", last_watered="2026-03-01")["watering_days"] == [
        "2026-03-07"
    ]
    with pytest.raises(ToolError, match="or earlier"):
        call("plan_plant_watering", **PLANT, light="shade", last_watered="2026-03-05")


@given(st.floats(5, 79), st.dates(date(1, 1, 1), TODAY), st.integers(1, 60))
@settings(deadline=None, max_examples=40)
def test_watering_stays_in_the_horizon_and_grows_with_the_pot(diameter: float, last: date, horizon: int) -> None:
    asked: dict[str, Any] = {"light": "shade", "last_watered": str(last), "horizon_days": horizon}
    small = call("plan_plant_watering", **PLANT | {"pot_diameter_cm": diameter}, **asked)
    large = call("plan_plant_watering", **PLANT | {"pot_diameter_cm": diameter + 1}, **asked)
    assert small["water_ml"] <= large["water_ml"]
    assert all(str(TODAY) <= day <= str(TODAY + timedelta(days=horizon)) for day in small["watering_days"])


def test_stairs_and_lift_by_hand() -> None:
    way: dict[str, Any] = {"lift_wait_seconds": 40, "stops_on_the_way": 1}
    assert call("compare_stairs_and_lift", from_floor=0, to_floor=6, **way) == {
        "stairs_seconds": 96.0,
        "lift_seconds": 64.0,  # 40 + 12 + 6 * 2
        "quicker": "lift",
        "lift_from_floors": 4,  # 52 / (16 - 2) = 3.7
    }
    down = call("compare_stairs_and_lift", from_floor=6, to_floor=0, **way)
    assert (down["stairs_seconds"], down["lift_from_floors"]) == (72.0, 6)
    slow = call("compare_stairs_and_lift", from_floor=0, to_floor=6, **way, lift_seconds_per_floor=16)
    assert (slow["quicker"], slow["lift_from_floors"]) == ("stairs", None)
    with pytest.raises(ToolError, match="0 floors in between"):
        call("compare_stairs_and_lift", from_floor=2, to_floor=3, **way)


@given(st.integers(0, 600), st.integers(0, 30), st.integers(1, 60))
@settings(deadline=None, max_examples=50)
def test_from_the_floor_named_on_the_lift_is_quicker(wait: int, lift: int, stair: int) -> None:
    asked: dict[str, Any] = {
        "lift_wait_seconds": wait,
        "lift_seconds_per_floor": lift,
        "stair_seconds_per_floor": stair,
    }
    first = call("compare_stairs_and_lift", from_floor=0, to_floor=1, **asked)["lift_from_floors"]
    for floors in range(1, 41):
        quicker = call("compare_stairs_and_lift", from_floor=0, to_floor=floors, **asked)["quicker"]
        assert (quicker == "lift") == (first is not None and floors >= first)


ENERGY: dict[str, Any] = {"devices": 10, "active_watts": 60, "standby_watts": 2, "active_hours_a_day": 8}


def test_energy_by_hand() -> None:
    expected: dict[str, Any] = {
        "active_kwh": 1248.0,
        "standby_kwh": 133.12,
        "total_kwh": 1381.12,
        "standby_percent": 9.6,
    }
    assert call("estimate_device_energy", **ENERGY) == expected  # 2080 hours of 8736
    off = call("estimate_device_energy", **ENERGY, switched_off=True)
    assert (off["total_kwh"], off["standby_percent"]) == (1248.0, 0)
    with pytest.raises(ToolError, match="at most active_watts"):
        call("estimate_device_energy", **ENERGY | {"standby_watts": 61})


@given(st.floats(0, 24), st.integers(1, 7), st.integers(1, 520))
@settings(deadline=None, max_examples=50)
def test_energy_lies_between_standby_and_full_use(hours: float, days: int, weeks: int) -> None:
    asked: dict[str, Any] = ENERGY | {"active_hours_a_day": hours, "days_a_week": days, "weeks": weeks}
    total = call("estimate_device_energy", **asked)["total_kwh"]
    assert 3.36 * weeks - 0.01 <= total <= 100.8 * weeks + 0.01


def test_waste() -> None:
    asked: dict[str, Any] = {"item": "Glass Bottle", "pieces": 12}
    assert call("sort_office_waste", **asked) == {"container": "glass", "fetched": True, "pieces_until_fetched": 0}
    assert call("sort_office_waste", item="cardboard box")["container"] == "paper"
    soiled = call("sort_office_waste", item="cardboard box", soiled=True, pieces=2)
    assert soiled == {"container": "residual", "fetched": False, "pieces_until_fetched": 3}
    with pytest.raises(ToolError, match="did you mean 'battery'"):
        call("sort_office_waste", item="batteri")
    with pytest.raises(ToolError, match="the rules know: banana peel"):
        call("sort_office_waste", item="\u0000")
