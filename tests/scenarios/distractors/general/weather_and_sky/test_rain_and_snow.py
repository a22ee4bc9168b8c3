"""Tests of weather_and_sky/rain_and_snow: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call, empty_bank
from tests.scenarios.distractors.general.weather_and_sky.values import refused


def test_a_rain_gauge_feeds_the_roof() -> None:
    bank = empty_bank()  # on 2026-03-04
    first = call("log_rain_gauge", bank, gauge="Roof  garden", day="2026-02-28", depth_mm=4)
    assert first["month_total_mm"] == 4
    call("log_rain_gauge", bank, gauge="roof garden", day="2026-03-01", depth_mm=60, kind="fresh_snow")
    again = call("log_rain_gauge", bank, gauge="roof garden", day="2026-03-01", depth_mm=6)
    assert (again["rain_mm"], again["month_total_mm"], again["replaced"]) == (6, 6, True)
    call("log_rain_gauge", bank, gauge="yard", day="2026-03-02", depth_mm=50)
    roof: dict[str, Any] = {"roof_area_m2": 100, "roof": "metal", "tank_litres": 1000, "gauge": "Roof garden"}
    assert call("estimate_roof_rain", bank, **roof, first_flush_mm=1, tank_filled_litres=300) == {
        "rain_mm": 10,
        "collected_litres": 855,
        "overflow_litres": 155,
        "tank_litres_after": 1000,
        "tank_percent": 100,
    }
    assert call("estimate_roof_rain", bank, **roof, since="2026-03-01")["collected_litres"] == 570
    with pytest.raises(ToolError, match="log one first"):
        call("estimate_roof_rain", bank, **roof, since="2026-03-02")
    assert {record["owner"] for _, record in bank.rows("misc_rain_gauges")} == {"misc"}


def test_rain_that_cannot_be() -> None:
    refused("log_rain_gauge", "day", gauge="yard", day="2026-03-05", depth_mm=1)
    refused("log_rain_gauge", "gauge", gauge="  ", day="2026-03-04", depth_mm=1)
    roof: dict[str, Any] = {"roof_area_m2": 100, "roof": "tiles", "tank_litres": 1000}
    refused("estimate_roof_rain", "rain_mm", **roof)
    refused("estimate_roof_rain", "rain_mm", **roof, rain_mm=1, gauge="yard")
    refused("estimate_roof_rain", "rain_mm", **roof, rain_mm=1, since="2026-03-01")
    refused("estimate_roof_rain", "tank_filled_litres", **roof, rain_mm=1, tank_filled_litres=1001)


@given(st.floats(0, 500), st.floats(1, 500), st.floats(0, 1), st.sampled_from(["metal", "tiles", "gravel", "green"]))
def test_no_water_is_lost(rain: float, area: float, filled: float, roof: str) -> None:
    before = filled * 5000
    asked: dict[str, Any] = {
        "roof_area_m2": area,
        "roof": roof,
        "tank_litres": 5000,
        "tank_filled_litres": before,
        "rain_mm": rain,
    }
    found = call("estimate_roof_rain", **asked)
    kept = found["tank_litres_after"] + found["overflow_litres"]
    assert abs(before + found["collected_litres"] - kept) <= 1.5
    assert found["collected_litres"] <= rain * area + 0.5
    assert 0 <= found["tank_percent"] <= 100


ROOF: dict[str, Any] = {
    "ground_depth_cm": 50,
    "snow": "settled",
    "roof_area_m2": 40,
    "roof_slope_degrees": 30,
    "rated_load_kg_m2": 100,
}


def test_snow_by_hand() -> None:
    assert call("estimate_snow_load", **ROOF) == {
        "load_kg_m2": 80,
        "total_kg": 3200,
        "percent_of_rated": 80,
        "advice": "watch",
    }
    assert call("estimate_snow_load", **ROOF | {"roof_slope_degrees": 45})["load_kg_m2"] == 40
    assert call("estimate_snow_load", **ROOF | {"roof_slope_degrees": 60})["advice"] == "fine"
    guarded = call("estimate_snow_load", **ROOF | {"roof_slope_degrees": 60}, snow_guards=True, rain_on_snow_mm=25)
    assert (guarded["load_kg_m2"], guarded["advice"]) == (100, "clear_the_roof")
    refused("estimate_snow_load", "rain_on_snow_mm", **ROOF | {"ground_depth_cm": 0}, rain_on_snow_mm=1)


@given(st.floats(0, 500), st.floats(0, 85), st.floats(0, 85))
def test_a_steeper_roof_carries_no_more(depth: float, one: float, other: float) -> None:
    flat, steep = (
        call("estimate_snow_load", **ROOF | {"ground_depth_cm": depth, "roof_slope_degrees": slope})["load_kg_m2"]
        for slope in sorted((one, other))
    )
    assert depth * 2 * 0.8 + 0.1 >= flat >= steep >= 0


DAYS: dict[str, Any] = {"daily_highs_c": [12, 20, 34], "daily_lows_c": [2, 10, 20]}


def test_degree_days_by_hand() -> None:
    # Means are 7, 15 and 27.
    assert call("sum_degree_days", **DAYS, kind="heating", base_c=18) == {
        "degree_days": 14,
        "mean_temperature_c": 16.3,
        "days_above_zero": 2,
        "largest_day": 1,
    }
    assert call("sum_degree_days", **DAYS, kind="cooling", base_c=18)["degree_days"] == 9
    assert call("sum_degree_days", **DAYS, kind="growing", base_c=10, upper_limit_c=30)["degree_days"] == 20
    refused("sum_degree_days", "daily_lows_c", **DAYS | {"daily_lows_c": [1]}, kind="heating", base_c=18)
    refused("sum_degree_days", "daily_lows_c", **DAYS | {"daily_lows_c": [13, 1, 1]}, kind="heating", base_c=18)
    refused("sum_degree_days", "upper_limit_c", **DAYS, kind="cooling", base_c=18, upper_limit_c=30)


TEMPERATURES = st.tuples(st.floats(-60, 60), st.floats(-60, 60))


@given(st.lists(TEMPERATURES, min_size=1, max_size=20), st.floats(-10, 40))
def test_heating_and_cooling_differ_by_the_means(days: list[tuple[float, float]], base: float) -> None:
    asked: dict[str, Any] = {
        "daily_highs_c": [max(day) for day in days],
        "daily_lows_c": [min(day) for day in days],
        "base_c": base,
    }
    heating, cooling = (call("sum_degree_days", **asked, kind=kind)["degree_days"] for kind in ("heating", "cooling"))
    assert heating >= 0
    assert cooling >= 0
    assert abs(cooling - heating - sum(sum(day) / 2 - base for day in days)) < 0.2
