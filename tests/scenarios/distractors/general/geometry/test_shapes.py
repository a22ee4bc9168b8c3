"""Tests of geometry/shapes: expected values worked out by hand, or anew in another way."""

from math import pi
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.geometry.values import refusal


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
