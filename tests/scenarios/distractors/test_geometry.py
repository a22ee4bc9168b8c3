"""Geometry; expected values are worked out by hand."""

from math import pi
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from tests.scenarios.distractors.desk import call, empty_bank


def refusal(name: str, **arguments: Any) -> str | None:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert caught.value.kind is ErrorKind.VALIDATION
    return caught.value.field


@pytest.mark.parametrize(
    ("measures", "area", "perimeter"),
    [
        ({"shape": "rectangle", "length_a": 3, "length_b": 4}, 12, 14),
        ({"shape": "trapezoid", "length_a": 3, "length_b": 5, "height": 4}, 16, None),
        ({"shape": "ellipse", "length_a": 2, "length_b": 2}, 12.5664, 12.5664),
        ({"shape": "parallelogram", "length_a": 4, "length_b": 3, "angle_degrees": 30}, 6, 14),
        ({"shape": "circle_sector", "length_a": 2, "angle_degrees": 90}, 3.14159, 7.14159),
        ({"shape": "circle_segment", "length_a": 2, "angle_degrees": 90}, 1.14159, 5.97002),
        ({"shape": "regular_polygon", "length_a": 2, "side_count": 6}, 10.3923, 12),
    ],
)
def test_shapes(measures: dict[str, Any], area: float, perimeter: float | None) -> None:
    assert call("calculate_shape_area", **measures) == {"area": area, "perimeter": perimeter}


def test_shapes_take_just_their_measures() -> None:
    assert refusal("calculate_shape_area", shape="rectangle", length_a=1) == "length_b"
    assert refusal("calculate_shape_area", shape="rectangle", length_a=1, length_b=1, height=1) == "height"
    flat: dict[str, Any] = {"shape": "parallelogram", "length_a": 1, "length_b": 1, "angle_degrees": 180}
    assert refusal("calculate_shape_area", **flat) == "angle_degrees"


@given(st.floats(0.01, 1000), st.floats(0.01, 1000))
def test_an_ellipse_fits_its_rectangle(a: float, b: float) -> None:
    ellipse = call("calculate_shape_area", shape="ellipse", length_a=a, length_b=b)
    box = call("calculate_shape_area", shape="rectangle", length_a=2 * a, length_b=2 * b)
    assert ellipse["area"] == pytest.approx(box["area"] * pi / 4, rel=1e-5)
    assert 2 * (a * a + b * b) ** 0.5 < ellipse["perimeter"] < box["perimeter"]


def test_triangles() -> None:
    assert call("solve_triangle_sides", side_a=3, side_b=4, side_c=5) == {
        "angle_a": 36.8699,
        "angle_b": 53.1301,
        "angle_c": 90,
        "area": 6,
        "inradius": 1,
        "circumradius": 2.5,
        "by_sides": "scalene",
        "by_angles": "right",
    }
    assert call("solve_triangle_sides", side_a=0.3, side_b=0.4, side_c=0.5)["by_angles"] == "right"
    even = call("solve_triangle_sides", side_a=2, side_b=2, side_c=2)
    assert (even["angle_a"], even["by_sides"], even["by_angles"]) == (60, "equilateral", "acute")
    flat = call("solve_triangle_sides", side_a=2, side_b=2, side_c=3.9)
    assert (flat["by_sides"], flat["by_angles"]) == ("isosceles", "obtuse")
    assert refusal("solve_triangle_sides", side_a=1, side_b=2, side_c=3) == "side_c"
    assert refusal("solve_triangle_sides", side_a=9, side_b=2, side_c=3) == "side_a"


@given(st.floats(1, 1000), st.floats(1, 1000), st.floats(0.01, 0.99))
def test_angles_add_up(a: float, b: float, part: float) -> None:
    c = abs(a - b) + part * (a + b - abs(a - b))
    assume(a + b > c and a + c > b and b + c > a)
    found = call("solve_triangle_sides", side_a=a, side_b=b, side_c=c)
    assert found["angle_a"] + found["angle_b"] + found["angle_c"] == pytest.approx(180, abs=0.01)
    assert found["circumradius"] >= 1.9999 * found["inradius"]


def test_polygons() -> None:
    assert call("measure_polygon", corners=[[0, 0], [2, 0], [2, 2], [0, 2]]) == {
        "area": 4,
        "perimeter": 8,
        "centroid_x": 1,
        "centroid_y": 1,
        "direction": "counterclockwise",
        "is_convex": True,
    }
    notched = call("measure_polygon", corners=[[0, 3], [2, 1], [4, 3], [4, 0], [0, 0]])
    assert (notched["area"], notched["direction"], notched["is_convex"]) == (8, "clockwise", False)
    for wrong in ([[0, 0], [1, 1], [1, 0], [0, 1]], [[0, 0], [1, 1], [2, 2]], [[0, 0], [1, 0], [1, 1], [0, 0]]):
        assert refusal("measure_polygon", corners=wrong) == "corners"


@given(st.integers(-9000, 9000), st.integers(-9000, 9000), st.integers(1, 50), st.integers(1, 50))
def test_a_moved_polygon_keeps_its_area(x: int, y: int, width: int, height: int) -> None:
    corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    found = call("measure_polygon", corners=corners)
    assert (found["area"], found["perimeter"]) == (width * height, 2 * (width + height))
    assert found["centroid_x"] == pytest.approx(x + width / 2, rel=1e-5)


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


@pytest.mark.parametrize(
    ("measures", "volume", "surface"),
    [
        ({"solid": "sphere", "radius": 3}, 113.097, 113.097),
        ({"solid": "box", "length": 2, "width": 3, "height": 4}, 24, 52),
        ({"solid": "cone", "radius": 3, "height": 4}, 37.6991, 75.3982),
        ({"solid": "cylinder", "radius": 1, "height": 2}, 6.28319, 18.8496),
        ({"solid": "frustum", "radius": 4, "top_radius": 1, "height": 4}, 87.9646, 131.947),
        ({"solid": "pyramid", "length": 6, "width": 6, "height": 4}, 48, 96),
    ],
)
def test_solids(measures: dict[str, Any], volume: float, surface: float) -> None:
    assert call("calculate_solid_volume", **measures) == {"volume": volume, "surface": surface}


def test_solids_take_just_their_measures() -> None:
    assert refusal("calculate_solid_volume", solid="cone", radius=1) == "height"
    assert refusal("calculate_solid_volume", solid="sphere", radius=1, height=2) == "height"


@given(st.floats(0.1, 1000), st.floats(0.1, 1000), st.floats(0.01, 1))
def test_a_frustum_lies_between_cone_and_cylinder(radius: float, height: float, part: float) -> None:
    cone, cylinder = (
        call("calculate_solid_volume", solid=solid, radius=radius, height=height) for solid in ("cone", "cylinder")
    )
    frustum = call("calculate_solid_volume", solid="frustum", radius=radius, height=height, top_radius=radius * part)
    assert cone["volume"] <= frustum["volume"] <= cylinder["volume"]


def test_plans() -> None:
    plan: dict[str, Any] = {
        "drawing_part": 2,
        "real_part": 100,
        "direction": "drawing_to_real",
        "from_unit": "cm",
        "to_unit": "m",
    }
    assert call("convert_plan_scale", value=4, dimension="length", **plan) == {
        "value": 2,
        "unit": "m",
        "scale": "1:50",
    }
    area = call("convert_plan_scale", value=10, dimension="area", **plan | {"drawing_part": 1})
    assert (area["value"], area["unit"]) == (10, "m^2")
    model: dict[str, Any] = plan | {"real_part": 20, "direction": "real_to_drawing", "from_unit": "m", "to_unit": "cm"}
    volume = call("convert_plan_scale", value=1, dimension="volume", **model)
    assert volume == {"value": 1000, "unit": "cm^3", "scale": "1:10"}
    assert refusal("convert_plan_scale", value=0, dimension="length", **plan) == "value"


@given(st.floats(0.1, 100), st.integers(1, 20), st.integers(1, 500), st.sampled_from(["length", "area", "volume"]))
def test_plans_come_back(value: float, drawing: int, real: int, dimension: str) -> None:
    scale: dict[str, Any] = {"drawing_part": drawing, "real_part": real, "dimension": dimension}
    there: dict[str, Any] = {"direction": "drawing_to_real", "from_unit": "inch", "to_unit": "inch"}
    enlarged = call("convert_plan_scale", value=value, **scale, **there)["value"]
    assume(0.001 <= enlarged <= 1_000_000)
    back = call("convert_plan_scale", value=enlarged, **scale, **there | {"direction": "real_to_drawing"})
    assert back["value"] == pytest.approx(value, rel=1e-4)


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


SMALL = st.integers(-50, 50)


@given(SMALL, SMALL, SMALL, SMALL, SMALL, SMALL)
def test_lines_through_a_point_meet_there(x: int, y: int, ax: int, ay: int, bx: int, by: int) -> None:
    assume(ax * by != ay * bx)
    found = call("intersect_two_lines", **lines(x + ax, y + ay, x - ax, y - ay, x + bx, y + by, x - 2 * bx, y - 2 * by))
    assert (found["relation"], found["x"], found["y"]) == ("crossing", x, y)
    assert 0 < found["angle_degrees"] <= 90


ROOM: dict[str, Any] = {
    "room_length_m": 4,
    "room_width_m": 3,
    "tile_length_mm": 500,
    "tile_width_mm": 500,
    "joint_mm": 0,
}


def test_tiles() -> None:
    plain = call("plan_floor_tiles", **ROOM, tiles_per_box=10)
    assert plain == {"tiles_laid": 48, "tiles_to_buy": 51, "boxes": 6, "floor_area_m2": 12}
    # Three rows of 8; three rows that begin with half a tile: 1 and 7 whole ones and half of another.
    offset = call("plan_floor_tiles", **ROOM, bond="half_offset", spare_percent=0)
    assert offset["tiles_laid"] == offset["tiles_to_buy"] == 51
    assert call("plan_floor_tiles", **ROOM, bond="diagonal")["tiles_laid"] == 56  # 48 and 15 percent
    # 7 tiles of 520 and a joint of 2 each leave 346 mm of 4 m; 5 rows leave 390 mm of 3 m.
    joints = call("plan_floor_tiles", **ROOM | {"tile_length_mm": 520, "tile_width_mm": 520, "joint_mm": 2})
    assert joints["tiles_laid"] == 8 * 6
    assert refusal("plan_floor_tiles", **ROOM | {"tile_width_mm": 1}) == "tile_width_mm"


@given(st.integers(10, 3000), st.integers(0, 30), st.sampled_from(["straight", "half_offset"]))
def test_tiles_cover_the_floor(tile: int, joint: int, bond: str) -> None:
    sizes: dict[str, Any] = {"tile_length_mm": tile, "tile_width_mm": tile, "joint_mm": joint, "bond": bond}
    found = call("plan_floor_tiles", room_length_m=7.3, room_width_m=4.1, spare_percent=0, **sizes)
    assert found["tiles_laid"] * (tile + joint) ** 2 >= 7300 * 4100
    assert found["tiles_to_buy"] == found["boxes"] == found["tiles_laid"]


def test_a_survey() -> None:
    bank = empty_bank()
    first = call("note_survey_point", bank, survey="yard", label="P1", east_m=1.5, north_m=-2)
    assert (first["points_in_survey"], first["replaced"]) == (1, False)
    call("note_survey_point", bank, survey="yard", label="P2", east_m=4, north_m=3)
    call("note_survey_point", bank, survey="roof", label="P1", east_m=99, north_m=99)
    box = {"points": 2, "west_m": 1.5, "east_m": 4, "south_m": -2, "north_m": 3, "area_m2": 12.5}
    assert call("find_survey_bounds", bank, survey="yard") == box
    wide = {"points": 2, "west_m": 0, "east_m": 5, "south_m": -5, "north_m": 5, "area_m2": 50}
    assert call("find_survey_bounds", bank, survey="yard", margin_m=1, grid_m=5) == wide
    with pytest.raises(ToolError, match="expected a new label, got P2"):
        call("note_survey_point", bank, survey="yard", label="P2", east_m=2, north_m=3)
    again = call("note_survey_point", bank, survey="yard", label="P2", east_m=2, north_m=3, replace=True)
    assert (again["points_in_survey"], again["replaced"]) == (2, True)
    assert call("find_survey_bounds", bank, survey="yard")["east_m"] == 2
    assert {change.after["owner"] for change in bank.diff()} == {"misc"}
    assert refusal("find_survey_bounds", survey="yard") == "survey"


@given(st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=8), st.integers(0, 5))
def test_bounds_hold_all_points(points: list[tuple[int, int]], margin: int) -> None:
    bank = empty_bank()
    for number, (east, north) in enumerate(points):
        call("note_survey_point", bank, survey="s", label=f"P{number}", east_m=east, north_m=north)
    box = call("find_survey_bounds", bank, survey="s", margin_m=margin)
    assert (box["west_m"], box["north_m"]) == (min(p[0] for p in points) - margin, max(p[1] for p in points) + margin)
