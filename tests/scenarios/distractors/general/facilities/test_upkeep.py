"""Tests of facilities/upkeep: expected values worked out by hand, or anew in another way."""

from collections import Counter
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import TODAY, call


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
