"""Areas of flat shapes and volumes of solids: which measures each has, and the formulas; tiles of a floor."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, hypot, pi, radians, sin, sqrt, tan
from typing import Literal

Shape = Literal[
    "rectangle", "ellipse", "trapezoid", "parallelogram", "circle_sector", "circle_segment", "regular_polygon"
]
Bond = Literal["straight", "half_offset", "diagonal"]
Solid = Literal["sphere", "cylinder", "cone", "frustum", "box", "pyramid"]

SHAPE_MEASURES = {
    "rectangle": ("length_a", "length_b"),
    "ellipse": ("length_a", "length_b"),
    "trapezoid": ("length_a", "length_b", "height"),
    "parallelogram": ("length_a", "length_b", "angle_degrees"),
    "circle_sector": ("length_a", "angle_degrees"),
    "circle_segment": ("length_a", "angle_degrees"),
    "regular_polygon": ("length_a", "side_count"),
}
SOLID_MEASURES = {
    "sphere": ("radius",),
    "cylinder": ("radius", "height"),
    "cone": ("radius", "height"),
    "frustum": ("radius", "top_radius", "height"),
    "box": ("length", "width", "height"),
    "pyramid": ("length", "width", "height"),
}


def measure_shape(
    shape: Shape, a: float, b: float | None, height: float | None, angle_degrees: float | None, side_count: int | None
) -> tuple[float, float | None]:
    """Return area and perimeter (None where the measures do not settle it); measures that a shape has not are None."""
    b, height, angle, sides = b or 0, height or 0, radians(angle_degrees or 0), side_count or 3
    match shape:
        case "rectangle":
            return a * b, 2 * (a + b)
        case "ellipse":
            # Ramanujan's second approximation, good to more figures than are shown unless very flat.
            h = ((a - b) / (a + b)) ** 2
            return pi * a * b, pi * (a + b) * (1 + 3 * h / (10 + sqrt(4 - 3 * h)))
        case "trapezoid":
            return (a + b) / 2 * height, None
        case "parallelogram":
            return a * b * sin(angle), 2 * (a + b)
        case "circle_sector":
            return a * a * angle / 2, 2 * a + a * angle
        case "circle_segment":
            return a * a * (angle - sin(angle)) / 2, 2 * a * sin(angle / 2) + a * angle
        case "regular_polygon":
            return sides * a * a / (4 * tan(pi / sides)), sides * a


def measure_solid(
    solid: Solid,
    radius: float | None,
    top_radius: float | None,
    length: float | None,
    width: float | None,
    height: float | None,
) -> tuple[float, float]:
    """Return volume and whole surface; measures that a solid has not are None."""
    r, long, wide, h = radius or 0, length or 0, width or 0, height or 0
    match solid:
        case "sphere":
            return 4 / 3 * pi * r**3, 4 * pi * r * r
        case "box":
            return long * wide * h, 2 * (long * wide + h * (long + wide))
        case "pyramid":
            sides = long * hypot(wide / 2, h) + wide * hypot(long / 2, h)
            return long * wide * h / 3, long * wide + sides
    # Cylinder, cone and frustum differ in the upper radius only.
    top = r if solid == "cylinder" else top_radius or 0
    surface = pi * (r * r + top * top + (r + top) * hypot(r - top, h))
    return pi * h * (r * r + r * top + top * top) / 3, surface


def count_tiles(length: Fraction, width: Fraction, along: Fraction, across: Fraction, bond: Bond) -> int:
    """Count the tiles of a floor, cut ones as whole; all measures include one joint."""
    rows, in_row = ceil(width / across), ceil(length / along)
    if bond == "straight":
        return rows * in_row
    if bond == "half_offset":
        in_offset_row = 1 + max(0, ceil(length / along - Fraction(1, 2)))
        return (rows - rows // 2) * in_row + rows // 2 * in_offset_row
    return ceil(length * width / (along * across) * Fraction(115, 100))
