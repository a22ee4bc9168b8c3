"""Tests of travel/trips: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.travel.values import refused


def test_jet_lag_by_hand() -> None:
    east = call("plan_jet_lag", zones_crossed=3, direction="east")
    assert east == {"nights_to_adjust": 3, "natural_bedtimes": ["02:00", "01:00", "00:00"]}
    west = call("plan_jet_lag", zones_crossed=6, direction="west", nights_before=2)
    assert west == {"nights_to_adjust": 2, "natural_bedtimes": ["20:00", "21:30"]}
    with pytest.raises(ToolError):
        call("plan_jet_lag", zones_crossed=13, direction="east")


@given(st.integers(1, 12), st.integers(0, 7))
def test_flying_west_is_no_harder(zones: int, before: int) -> None:
    asked: dict[str, Any] = {"zones_crossed": zones, "nights_before": before}
    east, west = (call("plan_jet_lag", **asked, direction=way)["nights_to_adjust"] for way in ("east", "west"))
    assert 0 <= west <= east <= max(0, zones - before)


def test_a_round_along_the_equator() -> None:
    asked: dict[str, Any] = {"stops": ["start", "far", "near"], "latitudes": [0, 0, 0], "longitudes": [0, 10, 1]}
    assert call("order_sightseeing_stops", **asked, speed_kmh=100) == {
        "order": ["start", "near", "far"],
        "leg_km": [111.2, 1000.8],
        "total_km": 1112.0,
        "hours_on_the_way": 11.1,
    }
    assert call("order_sightseeing_stops", **asked, return_to_start=True)["order"][-1] == "start"
    refused("order_sightseeing_stops", "latitudes", **asked | {"latitudes": [0, 0]})


@given(st.lists(st.tuples(st.floats(-90, 90), st.floats(-180, 180)), min_size=2, max_size=15))
def test_a_round_visits_every_stop_once(places: list[tuple[float, float]]) -> None:
    names = [f"stop {number}" for number in range(len(places))]
    latitudes, longitudes = ([place[side] for place in places] for side in (0, 1))
    found = call("order_sightseeing_stops", stops=names, latitudes=latitudes, longitudes=longitudes)
    assert found["order"][0] == names[0]
    assert sorted(found["order"]) == sorted(names)
    assert abs(sum(found["leg_km"]) - found["total_km"]) < 1
