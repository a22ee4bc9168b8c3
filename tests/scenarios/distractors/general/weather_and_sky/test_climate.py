"""Tests of weather_and_sky/climate: expected values worked out by hand, or anew in another way."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.weather_and_sky.values import refused


def test_climate_by_hand() -> None:
    # Harborgate has 818 mm a year, 80 in January; January and February share the last rank.
    assert call("get_monthly_climate", town="harborgate", month=1, unit="fahrenheit") == {
        "mean_high": 46.4,
        "mean_low": 32,
        "rain_mm": 80,
        "percent_of_yearly_rain": 9.8,
        "warmth_rank": 11,
    }
    assert "Snowdrop" in refused("get_monthly_climate", "town", town="Atlantis", month=1)


def test_every_town_has_a_whole_year() -> None:
    names = refused("get_monthly_climate", "town", town="?!", month=1).partition("known are ")[2].split(", ")
    assert len(names) == 15
    for town in names:
        months = [call("get_monthly_climate", town=town, month=month) for month in range(1, 13)]
        assert abs(sum(month["percent_of_yearly_rain"] for month in months) - 100) < 0.7
        assert min(month["warmth_rank"] for month in months) == 1
        assert all(month["mean_low"] < month["mean_high"] for month in months)


@pytest.mark.parametrize(
    ("speed", "unit", "force", "name"),
    [
        (0.2, "m_s", 0, "calm"),
        (0.3, "m_s", 1, "light air"),
        (50, "km_h", 7, "near gale"),
        (10, "knots", 3, "gentle breeze"),
        (64, "knots", 12, "hurricane force"),
        (63, "knots", 11, "violent storm"),
    ],
)
def test_winds(speed: float, unit: str, force: int, name: str) -> None:
    found = call("classify_wind_speed", speed=speed, unit=unit)
    assert (found["beaufort"], found["name"]) == (force, name)


@given(st.floats(0, 60), st.floats(0, 60))
def test_more_wind_is_no_lower_force(one: float, other: float) -> None:
    weak, strong = (call("classify_wind_speed", speed=speed, unit="m_s") for speed in sorted((one, other)))
    assert 0 <= weak["beaufort"] <= strong["beaufort"] <= 12
    assert weak["wave_height_m"] <= strong["wave_height_m"]
    refused("classify_wind_speed", "speed", speed=-1, unit="m_s")


def test_dew_points_by_hand() -> None:
    # Air of 20 degrees holds 17.3 g a cubic metre when it is full.
    assert call("calculate_dew_point", temperature=20, relative_humidity_percent=50) == {
        "dew_point": 9.3,
        "water_g_m3": 8.6,
        "cloud_base_m": 1343,
        "feels": "dry",
    }
    warm = call("calculate_dew_point", temperature=86, relative_humidity_percent=80, unit="fahrenheit")
    assert (warm["dew_point"], warm["feels"]) == (79.1, "oppressive")
    refused("calculate_dew_point", "temperature", temperature=61, relative_humidity_percent=50)


@given(st.floats(-60, 60), st.floats(1, 100), st.floats(1, 100))
def test_damper_air_has_a_higher_dew_point(temperature: float, one: float, other: float) -> None:
    dry, damp = (
        call("calculate_dew_point", temperature=temperature, relative_humidity_percent=humidity)
        for humidity in sorted((one, other))
    )
    assert dry["dew_point"] <= damp["dew_point"] <= round(temperature, 1)
    assert dry["cloud_base_m"] >= damp["cloud_base_m"] >= 0
    # Another way: relative humidity is the ratio of saturation pressures at dew point and temperature.
    dew, air = (17.62 * value / (243.12 + value) for value in (damp["dew_point"], temperature))
    assert abs(dew - air - log(max(one, other) / 100)) < 0.01
