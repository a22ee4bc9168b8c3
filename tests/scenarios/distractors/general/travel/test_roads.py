"""Tests of travel/roads: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.travel.values import refused

DRIVE: dict[str, Any] = {
    "distance_km": 600,
    "litres_per_100_km": 8,
    "tank_litres": 50,
    "start_litres": 20,
    "price_per_litre": 1.5,
}


def test_fuel_by_hand() -> None:
    # 48 litres are needed, 15 may be burnt at first, 45 between stops.
    assert call("plan_trip_fuel", **DRIVE) == {
        "litres_needed": 48,
        "fuel_stops": 1,
        "first_stop_after_km": 187.5,
        "fuel_cost": 72,
        "litres_left": 5,
    }
    easy = call("plan_trip_fuel", **DRIVE | {"distance_km": 100}, roof_load="bicycles", air_conditioning=True)
    assert (easy["litres_needed"], easy["fuel_stops"], easy["litres_left"]) == (9.2, 0, 10.8)
    assert easy["first_stop_after_km"] is None
    refused("plan_trip_fuel", "start_litres", **DRIVE | {"start_litres": 51})
    refused("plan_trip_fuel", "reserve_litres", **DRIVE, reserve_litres=26)


@given(st.floats(0.1, 10_000), st.floats(0.1, 10_000))
def test_a_longer_drive_needs_no_less(one: float, other: float) -> None:
    short, long = (call("plan_trip_fuel", **DRIVE | {"distance_km": way}) for way in sorted((one, other)))
    assert short["litres_needed"] <= long["litres_needed"]
    assert short["fuel_stops"] <= long["fuel_stops"]
    assert long["litres_left"] >= 5


def test_tolls_by_hand() -> None:
    asked: dict[str, Any] = {"entry": "Harborgate", "leave_at": "Stonebridge", "vehicle": "car"}
    assert call("estimate_road_toll", **asked) == {"toll": 7.7, "kilometres": 52, "crosses_bridge": True}
    # 520 cents, 70 % at night, 85 % by tag: 309.4; the bridge costs 250.
    assert call("estimate_road_toll", **asked, at_night=True, toll_tag=True)["toll"] == 5.59
    hills: dict[str, Any] = {"entry": "Fernhollow", "leave_at": "Stonebridge", "vehicle": "truck", "axles": 4}
    assert call("estimate_road_toll", **hills) == {"toll": 6.08, "kilometres": 19, "crosses_bridge": False}
    refused("estimate_road_toll", "leave_at", **asked | {"leave_at": " harborgate"})
    refused("estimate_road_toll", "axles", **asked | {"vehicle": "motorcycle"}, axles=4)


EXITS = st.sampled_from(["Harborgate", "Mill Weir", "Otterford", "Stonebridge", "Eagle Pass"])


@given(EXITS, EXITS, st.integers(2, 8))
def test_tolls_are_the_same_both_ways_and_grow_with_axles(entry: str, leave_at: str, axles: int) -> None:
    if entry == leave_at:
        return
    there = call("estimate_road_toll", entry=entry, leave_at=leave_at, vehicle="bus", axles=axles)
    assert there == call("estimate_road_toll", entry=leave_at, leave_at=entry, vehicle="bus", axles=axles)
    assert there["toll"] < call("estimate_road_toll", entry=entry, leave_at=leave_at, vehicle="bus", axles=9)["toll"]
