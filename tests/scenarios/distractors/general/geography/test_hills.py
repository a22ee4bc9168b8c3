"""Tests of geography/hills: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.geography.values import refused


def test_air_pressure_of_the_standard_atmosphere() -> None:
    sea = call("estimate_air_pressure", altitude_m=0)
    assert sea["percent_of_sea_level"] == 100
    assert abs(sea["water_boils_at_c"] - 100) < 0.1
    assert abs(call("estimate_air_pressure", altitude_m=5_500, temperature_c=-20.75)["pressure_hpa"] - 505.1) < 0.5
    assert abs(call("estimate_air_pressure", altitude_m=1_000, temperature_c=8.5)["pressure_hpa"] - 898.8) < 0.3
    refused("estimate_air_pressure", "altitude_m", altitude_m=9_001)


@given(st.floats(-430, 9_000), st.floats(-430, 9_000), st.floats(-60, 50))
def test_air_gets_thinner_upwards(one: float, other: float, temperature: float) -> None:
    low, high = (
        call("estimate_air_pressure", altitude_m=height, temperature_c=temperature) for height in sorted((one, other))
    )
    assert low["pressure_hpa"] >= high["pressure_hpa"] > 200
    assert low["water_boils_at_c"] >= high["water_boils_at_c"]


def test_walks_by_hand() -> None:
    assert call("estimate_walking_time", distance_km=10, ascent_m=600) == {
        "walking_minutes": 180,
        "break_minutes": 0,
        "arrival_time": "11:00",
        "days_later": 0,
    }
    # 15 minutes a kilometre on rough ground at 5 km/h, 10 minutes for 300 m down, 10 of rest after each of 2 hours.
    rough: dict[str, Any] = {
        "distance_km": 10,
        "ascent_m": 0,
        "descent_m": 600,
        "terrain": "rough",
        "start_time": "22:00",
    }
    steep = call("estimate_walking_time", **rough, descent_kind="steep", break_minutes_an_hour=10)
    assert steep == {"walking_minutes": 170, "break_minutes": 20, "arrival_time": "01:10", "days_later": 1}
    assert call("estimate_walking_time", **rough, descent_kind="gentle")["walking_minutes"] == 130
    refused("estimate_walking_time", "distance_km", distance_km=1, ascent_m=600, descent_m=600)
    refused("estimate_walking_time", "descent_kind", distance_km=1, ascent_m=0, descent_m=300, descent_kind="gentle")


@given(st.floats(1, 100), st.floats(0, 500), st.floats(1, 8))
def test_climbing_takes_time(distance: float, ascent: float, speed: float) -> None:
    asked: dict[str, Any] = {"distance_km": distance, "flat_speed_kmh": speed}
    flat, up = (call("estimate_walking_time", **asked, ascent_m=height)["walking_minutes"] for height in (0, ascent))
    assert abs(up - flat - ascent / 10) <= 1
    assert abs(flat - 60 * distance / speed) <= 0.5
