"""Tests of units/speeds: expected values worked out by hand, or anew in another way."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.scenarios.distractors.general.units import _scales
from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.units.values import refusal


def test_transfer_times() -> None:
    plain: dict[str, Any] = {"file_size": 1, "size_unit": "GB", "link_speed": 100, "speed_unit": "Mbit/s"}
    assert call("estimate_transfer_time", **plain) == {
        "seconds": 80,
        "duration": "0 d 0:01:20",
        "total_gigabytes": 1,
        "effective_mbit_per_second": 100,
    }
    # 125 MB take 125 s, a quarter more with overhead and a pause of 3.75 s: 160 s, three times on each of four links.
    many: dict[str, Any] = {"file_count": 10, "overhead_percent": 25, "pause_per_file_s": 3.75, "parallel_links": 4}
    batch = call("estimate_transfer_time", file_size=125, size_unit="MB", link_speed=8, speed_unit="Mbit/s", **many)
    assert (batch["seconds"], batch["effective_mbit_per_second"]) == (480, 20.8333)
    disk = call("estimate_transfer_time", file_size=1, size_unit="TB", link_speed=1, speed_unit="MB/s")
    assert disk["duration"] == "11 d 13:46:40"
    binary = call("estimate_transfer_time", file_size=3, size_unit="MiB", link_speed=1, speed_unit="MiB/s")
    assert binary["seconds"] == 3
    assert refusal("estimate_transfer_time", **plain | {"file_size": 0}) == "file_size"


@given(st.integers(1, 10_000), st.integers(1, 64), st.integers(0, 200))
def test_transfers_take_longer_with_more_to_send(files: int, links: int, overhead: int) -> None:
    def seconds(**more: Any) -> float:
        base: dict[str, Any] = {"file_count": files, "parallel_links": links, "overhead_percent": overhead}
        fixed: dict[str, Any] = {"file_size": 5, "size_unit": "MB", "link_speed": 7, "speed_unit": "Mbit/s"}
        found: float = call("estimate_transfer_time", **fixed, **base | more)["seconds"]
        return found

    assert seconds() <= seconds(file_count=files + 1) <= 2.0001 * seconds()
    assert seconds() < seconds(pause_per_file_s=1)
    assert seconds(parallel_links=1) >= seconds()


def test_paces() -> None:
    pace = call("convert_running_pace", value=12, from_unit="km_per_hour", to_unit="minutes_per_km", distance=10)
    assert pace == {"value": 5, "finish_time": "0:50:00"}
    speed = call("convert_running_pace", value=8, from_unit="minutes_per_mile", to_unit="km_per_hour")
    assert speed == {"value": 12.0701, "finish_time": None}  # 7.5 miles an hour
    walk: dict[str, Any] = {"value": 6, "from_unit": "miles_per_hour", "distance": 10, "distance_unit": "miles"}
    assert call("convert_running_pace", **walk, to_unit="knots") == {"value": 5.21386, "finish_time": "1:40:00"}
    assert refusal("convert_running_pace", **walk | {"value": 0}, to_unit="knots") == "value"


PACES = st.sampled_from(get_args(_scales.PaceUnit))


@given(PACES, PACES, st.floats(1, 100))
def test_paces_come_back(one: str, other: str, value: float) -> None:
    there = call("convert_running_pace", value=value, from_unit=one, to_unit=other)["value"]
    if 0.1 <= there <= 1000:
        back = call("convert_running_pace", value=there, from_unit=other, to_unit=one)["value"]
        assert back == pytest.approx(value, rel=2e-5)


def test_fuel() -> None:
    cars: dict[str, Any] = {"economy_a": 10, "unit_a": "litres_per_100_km", "economy_b": 20, "unit_b": "km_per_litre"}
    result = call("compare_fuel_economy", **cars, distance=500, distance_unit="km")
    assert result == {"fuel_a": 50, "fuel_b": 25, "fuel_saved": 25, "thriftier": "b"}
    british: dict[str, Any] = {
        "economy_a": 50,
        "unit_a": "miles_per_imperial_gallon",
        "economy_b": 50,
        "unit_b": "miles_per_us_gallon",
    }
    gallons: dict[str, Any] = {"distance": 100, "distance_unit": "miles", "volume_unit": "imperial_gallon"}
    there = call("compare_fuel_economy", **british, **gallons)
    assert (there["fuel_a"], there["fuel_b"], there["thriftier"]) == (2, 1.665, "b")  # 2 x 3.785411784 / 4.54609
    same: dict[str, Any] = british | {"unit_b": "miles_per_imperial_gallon"}
    assert call("compare_fuel_economy", **same, **gallons)["thriftier"] == "equal"
    assert refusal("compare_fuel_economy", **cars | {"economy_a": 0}, **gallons) == "economy_a"


@given(st.floats(1, 100), st.floats(1, 100))
def test_fuel_compares_the_same_the_other_way_round(one: float, other: float) -> None:
    trip: dict[str, Any] = {"distance": 1000, "distance_unit": "km", "unit_a": "km_per_litre", "unit_b": "km_per_litre"}
    there = call("compare_fuel_economy", economy_a=one, economy_b=other, **trip)
    back = call("compare_fuel_economy", economy_a=other, economy_b=one, **trip)
    assert (there["fuel_a"], there["fuel_saved"]) == (back["fuel_b"], back["fuel_saved"])
    assert {there["thriftier"], back["thriftier"]} in ({"a", "b"}, {"equal"})
