"""Tests of natural_science/heat_and_motion: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.natural_science.values import refusal


def test_decay() -> None:
    carbon: dict[str, Any] = {"amount": 80, "half_life": 5730, "half_life_unit": "years"}
    assert call("calculate_radioactive_decay", **carbon, elapsed=11_460, elapsed_unit="years") == {
        "remaining": 20,
        "remaining_percent": 25,
        "half_lives": 2,
    }
    iodine: dict[str, Any] = {
        "amount": 10,
        "half_life": 8,
        "half_life_unit": "days",
        "elapsed": 96,
        "elapsed_unit": "hours",
    }
    assert call("calculate_radioactive_decay", **iodine)["remaining"] == 7.07107
    assert refusal("calculate_radioactive_decay", **iodine | {"half_life": 0}) == "half_life"


@given(st.floats(0, 1000), st.floats(0, 1000))
def test_decay_goes_on(first: float, second: float) -> None:
    def left(amount: float, days: float) -> float:
        fixed: dict[str, Any] = {"half_life": 100, "half_life_unit": "days", "elapsed_unit": "days"}
        found: float = call("calculate_radioactive_decay", amount=amount, elapsed=days, **fixed)["remaining"]
        return found

    assert left(left(1000, first), second) == pytest.approx(left(1000, first + second), rel=1e-4)


def felt(temperature: float, unit: str, wind: float, wind_unit: str, humidity: float = 50) -> tuple[float, str]:
    found = call(
        "calculate_felt_temperature",
        temperature=temperature,
        temperature_unit=unit,
        wind_speed=wind,
        wind_unit=wind_unit,
        humidity_percent=humidity,
    )
    return found["felt_temperature"], found["felt_by"]


def test_felt_temperatures() -> None:
    # The charts of the US weather service: 30 F in a wind of 10 mph, 90 F at 70 %, 100 F at 40 %.
    assert round(felt(30, "fahrenheit", 10, "mph")[0]) == 21
    assert round(felt(90, "fahrenheit", 5, "mph", 70)[0]) == 106
    assert round(felt(100, "fahrenheit", 5, "mph", 40)[0]) == 109
    assert felt(-10, "celsius", 30, "km_per_h") == (-19.5, "wind_chill")
    assert felt(20, "celsius", 30, "km_per_h") == (20, "air_temperature")
    assert felt(5, "celsius", 1, "m_per_s") == (5, "air_temperature")
    with pytest.raises(ToolError, match="temperature: expected weather"):
        felt(125, "celsius", 0, "mph")
    with pytest.raises(ToolError, match="temperature: expected weather"):
        felt(48, "celsius", 0, "mph", 100)


@given(st.integers(-40, 5), st.integers(6, 90))
def test_more_wind_feels_colder(celsius: int, wind: int) -> None:
    assert felt(celsius, "celsius", wind + 10, "km_per_h")[0] <= felt(celsius, "celsius", wind, "km_per_h")[0]


def test_throws() -> None:
    ball: dict[str, Any] = {"launch_speed": 20, "speed_unit": "m_per_s", "elevation_degrees": 30}
    # 10 m/s upward: 2 x 10 / 9.80665 s in the air, 17.3205 m/s forward, up to 100 / 19.6133 m.
    assert call("calculate_projectile_flight", **ball, obstacle_distance_m=17.66, obstacle_height_m=5) == {
        "flight_time_s": 2.039,
        "range_m": 35.324,
        "highest_point_m": 5.099,
        "impact_speed_m_s": 20,
        "clearance_m": 0.099,
    }
    # Level from 81 m on the moon: 10 s of falling at 1.62 m/s^2, 16.2 m/s at the end.
    flat: dict[str, Any] = {"launch_speed": 36, "speed_unit": "km_per_h", "elevation_degrees": 0, "launch_height_m": 81}
    moon = call("calculate_projectile_flight", **flat, place="moon")
    assert (moon["flight_time_s"], moon["range_m"], moon["impact_speed_m_s"]) == (10, 100, 19.038)
    assert moon["clearance_m"] is None
    assert refusal("calculate_projectile_flight", **ball, obstacle_distance_m=36) == "obstacle_distance_m"


@given(st.integers(1, 44), st.floats(1, 100))
def test_steep_and_flat_throws_go_as_far(angle: int, speed: float) -> None:
    low, high = (
        call("calculate_projectile_flight", launch_speed=speed, speed_unit="m_per_s", elevation_degrees=degrees)
        for degrees in (angle, 90 - angle)
    )
    assert low["range_m"] == pytest.approx(high["range_m"], abs=0.002)
    assert low["highest_point_m"] <= high["highest_point_m"]
