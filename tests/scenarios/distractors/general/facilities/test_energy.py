"""Tests of facilities/energy: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call


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
