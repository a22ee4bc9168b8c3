"""Plane shapes: areas, triangles and outlines."""

from __future__ import annotations

from math import atan, degrees, dist, sqrt
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact
from teller_gym.scenarios.distractors.general._numbers import check_given, shown
from teller_gym.scenarios.distractors.general.geometry import _figures as figures
from teller_gym.scenarios.distractors.general.geometry import _plane as plane
from teller_gym.scenarios.distractors.general.geometry._types import Coordinate, Length
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Point = Annotated[list[Coordinate], Meta(min_length=2, max_length=2)]


class ShapeArea(Result):
    """Area and outline; the outline of a trapezoid is not settled by its measures and is null."""

    area: float
    perimeter: float | None


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_shape_area(
    bank: Bank,
    shape: figures.Shape,
    length_a: Length,
    length_b: Length | None = None,
    height: Length | None = None,
    angle_degrees: Annotated[float, Meta(ge=0.01, le=360)] | None = None,
    side_count: Annotated[int, Meta(ge=3, le=1000)] | None = None,
) -> ShapeArea:
    """Calculate area and perimeter of a flat shape, to six significant figures. Give just the measures that it has.

    Args:
        shape: Which shape it is.
        length_a: First side, first parallel side of a trapezoid, a semi-axis of an ellipse, the radius of a circle.
        length_b: Second side, second parallel side of a trapezoid, the other semi-axis of an ellipse.
        height: Distance between the parallel sides of a trapezoid.
        angle_degrees: Angle between the sides of a parallelogram, or at the centre of a sector or segment.
        side_count: Number of sides of a regular polygon.
    """
    given = {"length_b": length_b, "height": height, "angle_degrees": angle_degrees, "side_count": side_count}
    check_given(f"a {shape}", figures.SHAPE_MEASURES[shape], given)
    if shape == "parallelogram" and angle_degrees is not None and angle_degrees >= 180:
        raise invalid("angle_degrees", f"expected less than 180 for a parallelogram, got {angle_degrees}")
    area, perimeter = figures.measure_shape(shape, length_a, length_b, height, angle_degrees, side_count)
    return ShapeArea(area=shown(area), perimeter=None if perimeter is None else shown(perimeter))


class SolvedTriangle(Result):
    """Angles in degrees, each opposite the side of the same letter."""

    angle_a: float
    angle_b: float
    angle_c: float
    area: float
    inradius: float
    circumradius: float
    by_sides: Literal["equilateral", "isosceles", "scalene"]
    by_angles: Literal["acute", "right", "obtuse"]


@tool(category=Category.GENERAL_DISTRACTOR)
def solve_triangle_sides(bank: Bank, side_a: Length, side_b: Length, side_c: Length) -> SolvedTriangle:
    """Solve a triangle from its three sides: angles, area, inner and outer circle, kind; to six significant figures.

    Args:
        side_a: First side.
        side_b: Second side.
        side_c: Third side.
    """
    a, b, c = exact(side_a), exact(side_b), exact(side_c)
    around, x, y, z = a + b + c, b + c - a, a + c - b, a + b - c
    if min(x, y, z) <= 0:
        field, longest = max((("side_a", a), ("side_b", b), ("side_c", c)), key=lambda side: side[1])
        raise invalid(field, f"expected less than the other two sides together, got {float(longest):g}")
    area = sqrt(around * x * y * z) / 4
    angle_a, angle_b, angle_c = (shown(degrees(2 * atan(4 * area / (around * part)))) for part in (x, y, z))
    first, second, third = sorted((a, b, c))
    excess = first**2 + second**2 - third**2
    return SolvedTriangle(
        angle_a=angle_a,
        angle_b=angle_b,
        angle_c=angle_c,
        area=shown(area),
        inradius=shown(2 * area / around),
        circumradius=shown(a * b * c / (4 * area)),
        by_sides="equilateral" if a == b == c else "isosceles" if len({a, b, c}) == 2 else "scalene",
        by_angles="right" if excess == 0 else "acute" if excess > 0 else "obtuse",
    )


class PolygonMeasures(Result):
    """Measures of a polygon in the unit of its coordinates."""

    area: float
    perimeter: float
    centroid_x: float
    centroid_y: float
    direction: Literal["clockwise", "counterclockwise"]
    is_convex: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def measure_polygon(bank: Bank, corners: Annotated[list[Point], Meta(min_length=3, max_length=24)]) -> PolygonMeasures:
    """Measure a polygon from its corners' coordinates, to six significant figures; also its direction and convexity.

    Args:
        corners: The corners [x, y] in order along the outline, which must not cross itself; the last joins the first.
    """
    points = [(x, y) for x, y in corners]
    if len(set(points)) < len(points):
        raise invalid("corners", "expected each corner once, got one twice; leave out the first one at the end")
    if plane.outline_crosses_itself(points):
        raise invalid("corners", "expected the corners in order along the outline, got sides that cross each other")
    found = plane.area_and_centroid(points)
    if found is None:
        raise invalid("corners", "expected corners that enclose an area, got all of them on a line")
    area, x, y = (float(value) for value in found)
    return PolygonMeasures(
        area=shown(abs(area)),
        perimeter=shown(sum(dist(p, q) for p, q in zip(points, [*points[1:], points[0]], strict=True))),
        centroid_x=shown(x),
        centroid_y=shown(y),
        direction="counterclockwise" if area > 0 else "clockwise",
        is_convex=plane.is_convex(points),
    )
