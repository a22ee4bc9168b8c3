"""Tests of geometry/lines: expected values worked out by hand, or anew in another way."""

from math import pi
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.geometry.values import SMALL, refusal


def test_the_globe() -> None:
    quarter = call("measure_globe_distance", latitude_a=0, longitude_a=0, latitude_b=0, longitude_b=90)
    assert quarter == {"distance": round(6371.0088 * pi / 2, 2), "bearing_degrees": 90, "compass_point": "E"}
    north: dict[str, Any] = {"latitude_a": 0, "longitude_a": 30, "latitude_b": 1, "longitude_b": 30}
    degree = call("measure_globe_distance", **north, unit="nautical_miles")
    assert degree == {"distance": 60.04, "bearing_degrees": 0, "compass_point": "N"}
    here = call("measure_globe_distance", **north | {"latitude_b": 0})
    assert here == {"distance": 0, "bearing_degrees": None, "compass_point": None}
    west = call("measure_globe_distance", latitude_a=0, longitude_a=-170, latitude_b=0, longitude_b=170, unit="miles")
    assert (west["compass_point"], west["distance"]) == ("W", round(6371.0088 / 1.609344 * pi / 9, 2))
    assert refusal("measure_globe_distance", **north | {"latitude_b": 91}) == "latitude_b"


LATITUDES, LONGITUDES = st.floats(-90, 90), st.floats(-180, 180)


@given(LATITUDES, LONGITUDES, LATITUDES, LONGITUDES)
def test_the_way_back_is_as_long(lat_a: float, lon_a: float, lat_b: float, lon_b: float) -> None:
    there = call("measure_globe_distance", latitude_a=lat_a, longitude_a=lon_a, latitude_b=lat_b, longitude_b=lon_b)
    back = call("measure_globe_distance", latitude_a=lat_b, longitude_a=lon_b, latitude_b=lat_a, longitude_b=lon_a)
    assert there["distance"] == pytest.approx(back["distance"], abs=0.02)
    assert 0 <= there["distance"] <= 6371.01 * pi
    assert there["bearing_degrees"] is None or 0 <= there["bearing_degrees"] < 360


def lines(*numbers: float) -> dict[str, Any]:
    return dict(zip(("x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4"), numbers, strict=True))


def test_lines() -> None:
    cross = call("intersect_two_lines", **lines(0, 0, 2, 2, 0, 2, 2, 0), treat_as="segments")
    assert cross == {"relation": "crossing", "x": 1, "y": 1, "angle_degrees": 90}
    short: dict[str, Any] = lines(0, 0, 1, 1, 0, 4, 4, 0)
    assert call("intersect_two_lines", **short)["x"] == 2
    assert call("intersect_two_lines", **short, treat_as="segments") == {
        "relation": "apart",
        "x": None,
        "y": None,
        "angle_degrees": 90,
    }
    assert call("intersect_two_lines", **lines(0, 0, 1, 2, 1, 0, 2, 2))["relation"] == "parallel"
    assert call("intersect_two_lines", **lines(0, 0, 1, 2, 3, 6, 2, 4))["relation"] == "same_line"
    assert refusal("intersect_two_lines", **lines(1, 1, 1, 1, 0, 0, 1, 0)) == "x2"
    assert refusal("intersect_two_lines", **lines(0, 0, 1, 0, 2, 2, 2, 2)) == "x4"
    assert refusal("intersect_two_lines", **lines(0, 0, 1e6, 0, 0, 1, 1e6, 1 - 1e-10)) == "treat_as"


@given(SMALL, SMALL, SMALL, SMALL, SMALL, SMALL)
def test_lines_through_a_point_meet_there(x: int, y: int, ax: int, ay: int, bx: int, by: int) -> None:
    assume(ax * by != ay * bx)
    found = call("intersect_two_lines", **lines(x + ax, y + ay, x - ax, y - ay, x + bx, y + by, x - 2 * bx, y - 2 * by))
    assert (found["relation"], found["x"], found["y"]) == ("crossing", x, y)
    assert 0 < found["angle_degrees"] <= 90
