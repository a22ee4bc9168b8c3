"""Tests of geography/maps: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.geography.values import angle, refused

LATITUDES, LONGITUDES = st.floats(-89, 89), st.floats(-180, 180)


def test_map_scales_by_hand() -> None:
    asked: dict[str, Any] = {"direction": "map_to_ground", "length": 4, "scale": 50_000}
    assert call("scale_map_distance", **asked) == {"length": 2, "unit": "km", "copy_scale": 50_000}
    assert call("scale_map_distance", **asked, copy_percent=200, detour_percent=50)["length"] == 1.5
    back = call("scale_map_distance", **asked | {"direction": "ground_to_map", "length": 1}, map_unit="inches")
    assert back["length"] == 0.787  # 2 cm
    refused("scale_map_distance", "scale", **asked | {"scale": 99})


@given(st.floats(0.1, 10_000), st.integers(100, 1_000_000), st.floats(50, 400))
def test_scales_there_and_back(length: float, scale: int, copy: float) -> None:
    asked: dict[str, Any] = {"scale": scale, "copy_percent": copy, "ground_unit": "m", "map_unit": "mm"}
    ground = call("scale_map_distance", direction="map_to_ground", length=length, **asked)["length"]
    if ground <= 1_000_000:
        again = call("scale_map_distance", direction="ground_to_map", length=ground, **asked)["length"]
        # Half a millimetre on the ground, at 1:100 and a copy of 400 %, and half a hundredth of rounding on the map.
        assert abs(again - length) <= 0.0005 * 1000 / 100 * 4 + 0.005 + 1e-9


def bearing(start: tuple[float, float], end: tuple[float, float], **other: Any) -> dict[str, Any]:
    names = ("from_latitude", "from_longitude", "to_latitude", "to_longitude")
    places: dict[str, Any] = dict(zip(names, (*start, *end), strict=True))
    return call("find_compass_bearing", **places, **other)


def test_bearings_by_hand() -> None:
    assert bearing((0, 0), (0, 10), declination_degrees=100) == {
        "true_degrees": 90,
        "magnetic_degrees": 350,
        "compass_point": "E",
        "distance_km": 1112.0,
    }
    assert bearing((10, 20), (-10, 20))["compass_point"] == "S"
    along = bearing((60, 0), (60, 10), way="rhumb_line")
    assert (along["true_degrees"], along["distance_km"]) == (90, 556.0)
    assert bearing((60, 0), (60, 10))["true_degrees"] < 90
    assert bearing((0, 179), (0, -179), way="rhumb_line")["distance_km"] == 222.4
    assert [bearing((0, 0), (1, 0.5), compass_points=points)["compass_point"] for points in (4, 8, 16)] == [
        "N",
        "NE",
        "NNE",
    ]
    for end in ((10, 20), (-10, -160)):
        with pytest.raises(ToolError, match="one shortest way"):
            bearing((10, 20), end)
    with pytest.raises(ToolError, match="pole"):
        bearing((0, 0), (90, 0), way="rhumb_line")


@given(LATITUDES, LONGITUDES, LATITUDES, LONGITUDES)
def test_no_way_is_shorter_than_the_great_circle(a: float, b: float, c: float, d: float) -> None:
    if not 0.01 < angle((a, b), (c, d)) < 179.99:
        return
    short, steady = bearing((a, b), (c, d)), bearing((a, b), (c, d), way="rhumb_line")
    assert abs(short["distance_km"] - angle((a, b), (c, d)) * 111.195) < 1
    assert short["distance_km"] <= steady["distance_km"] + 0.1
    assert 0 <= short["true_degrees"] < 360


def test_boxes_by_hand() -> None:
    box = call("measure_bounding_area", latitudes=[0, 1, 0.5], longitudes=[179, -179, 180])
    assert (box["south"], box["north"], box["west"], box["east"]) == (0, 1, 179, -179)
    assert abs(box["area"] - 2 * 111.195**2) < 3
    point = call("measure_bounding_area", latitudes=[60], longitudes=[10], margin_km=11.1195)
    assert (point["south"], point["north"], point["area"] > 480) == (59.9, 60.1, True)
    assert abs(point["east"] - point["west"] - 0.4) < 0.01
    pole = call("measure_bounding_area", latitudes=[89.9], longitudes=[10], margin_km=50, area_unit="hectares")
    assert (pole["north"], pole["west"], pole["east"]) == (90, -180, 180)
    refused("measure_bounding_area", "longitudes", latitudes=[1, 2], longitudes=[1])


@given(st.lists(st.tuples(LATITUDES, LONGITUDES), min_size=1, max_size=10), st.floats(0, 500))
def test_a_margin_makes_a_box_larger(places: list[tuple[float, float]], margin: float) -> None:
    latitudes, longitudes = ([place[side] for place in places] for side in (0, 1))
    asked: dict[str, Any] = {"latitudes": latitudes, "longitudes": longitudes}
    plain, wide = (call("measure_bounding_area", **asked, margin_km=km) for km in (0, margin))
    assert 0 <= plain["area"] <= wide["area"] + 0.01 <= 510_070_000
    assert wide["south"] <= plain["south"] <= plain["north"] <= wide["north"]


def test_locators_of_known_places() -> None:
    # The station of the American Radio Relay League, and Munich.
    assert call("convert_grid_locator", latitude=41.7147, longitude=-72.7272)["locator"] == "FN31pr"
    munich = call("convert_grid_locator", latitude=48.14666, longitude=11.60833, pairs=2)
    assert munich["locator"] == "JN58"
    assert (munich["latitude"], munich["longitude"], munich["height_km"]) == (48.5, 11, 111.2)
    assert call("convert_grid_locator", locator="jn58TD")["locator"] == "JN58td"
    assert call("convert_grid_locator", latitude=90, longitude=180, pairs=4)["locator"] == "RR99xx99"
    refused("convert_grid_locator", "locator")
    refused("convert_grid_locator", "locator", locator="FN31", latitude=1)
    refused("convert_grid_locator", "locator", locator="ZZ99")


@given(LATITUDES, LONGITUDES, st.sampled_from([2, 3, 4]))
def test_the_centre_of_a_locator_lies_in_it(latitude: float, longitude: float, pairs: int) -> None:
    found = call("convert_grid_locator", latitude=latitude, longitude=longitude, pairs=pairs)
    assert call("convert_grid_locator", locator=found["locator"]) == found
    centre: dict[str, Any] = {"latitude": found["latitude"], "longitude": found["longitude"]}
    assert call("convert_grid_locator", **centre, pairs=pairs)["locator"] == found["locator"]
    assert abs(found["latitude"] - latitude) * 111.2 <= found["height_km"] / 2 * 1.02 + 0.01
