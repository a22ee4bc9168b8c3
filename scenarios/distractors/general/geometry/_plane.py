"""Points, lines and outlines in the plane, and courses on the globe."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import atan2, ceil, cos, degrees, floor, hypot, radians, sin

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact

FloatPoint = tuple[float, float]
ExactPoint = tuple[Fraction, Fraction]
ExactLine = tuple[ExactPoint, ExactPoint]

_COMPASS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")
_NOTHING = Fraction(1, 10**12)
_SAME_PLACE = 1e-12


def _turn(a: FloatPoint, b: FloatPoint, c: FloatPoint) -> float:
    """Return a positive number if a-b-c turns left, a negative one if it turns right."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def outline_crosses_itself(points: Sequence[FloatPoint]) -> bool:
    """Whether two sides of a closed outline cross at an inner point of both."""
    sides = list(zip(points, [*points[1:], points[0]], strict=True))
    return any(
        _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0
        for number, (a, b) in enumerate(sides)
        for c, d in sides[number + 2 :]
    )


def is_convex(points: Sequence[FloatPoint]) -> bool:
    """Whether all corners of an outline that does not cross itself turn the same way."""
    following, next_but_one = [*points[1:], points[0]], [*points[2:], *points[:2]]
    turns = [_turn(a, b, c) for a, b, c in zip(points, following, next_but_one, strict=True)]
    return min(turns) >= 0 or max(turns) <= 0


def line(field: str, x1: float, y1: float, x2: float, y2: float) -> ExactLine:
    """Return start and direction of the line through two points; refuses two equal points, naming the argument."""
    if (x1, y1) == (x2, y2):
        raise invalid(field, f"expected two different points on a line, got {x1}, {y1} twice")
    return (exact(x1), exact(y1)), (exact(x2) - exact(x1), exact(y2) - exact(y1))


def _cross(a: ExactPoint, b: ExactPoint) -> Fraction:
    return a[0] * b[1] - a[1] * b[0]


def crossing(first: ExactLine, second: ExactLine) -> tuple[Fraction, Fraction] | None:
    """Return how far along each of two lines they meet, 1 at its second point; None if they are parallel."""
    (p, along), (q, other) = first, second
    cross, gap = _cross(along, other), (q[0] - p[0], q[1] - p[1])
    return None if cross == 0 else (_cross(gap, other) / cross, _cross(gap, along) / cross)


def on_same_line(first: ExactLine, second: ExactLine) -> bool:
    """Whether two parallel lines are the same."""
    (p, along), (q, _) = first, second
    return _cross(along, (q[0] - p[0], q[1] - p[1])) == 0


def angle_between(first: ExactLine, second: ExactLine) -> float:
    """Return the angle between two lines in degrees, 0 to 90."""
    (_, along), (_, other) = first, second
    return degrees(atan2(abs(_cross(along, other)), abs(along[0] * other[0] + along[1] * other[1])))


def area_and_centroid(points: Sequence[FloatPoint]) -> tuple[Fraction, Fraction, Fraction] | None:
    """Return the area of an outline (negative if clockwise) and its centre of gravity; None if the area is nothing.

    Exact and measured from the first corner, so that a small outline far from the origin loses no figures.
    """
    start = (exact(points[0][0]), exact(points[0][1]))
    moved = [(exact(x) - start[0], exact(y) - start[1]) for x, y in points]
    double = moment_x = moment_y = Fraction(0)
    for (x, y), (next_x, next_y) in zip(moved, [*moved[1:], moved[0]], strict=True):
        cross = x * next_y - next_x * y
        double += cross
        moment_x += cross * (x + next_x)
        moment_y += cross * (y + next_y)
    if abs(double) < _NOTHING:
        return None
    return double / 2, start[0] + moment_x / (3 * double), start[1] + moment_y / (3 * double)


def bounds(values: Sequence[float], margin: float, grid: float | None) -> tuple[Fraction, Fraction]:
    """Return the span of values with a margin, moved outward to multiples of the grid if there is one."""
    low = min(exact(value) for value in values) - exact(margin)
    high = max(exact(value) for value in values) + exact(margin)
    if grid is None:
        return low, high
    return floor(low / exact(grid)) * exact(grid), ceil(high / exact(grid)) * exact(grid)


def globe_course(
    latitude_a: float, longitude_a: float, latitude_b: float, longitude_b: float
) -> tuple[float, float | None]:
    """Return the angle between two places in radians, seen from the centre, and the bearing from a to b in degrees.

    The bearing is None for the same place and for exactly opposite ones.
    """
    one, two, apart = radians(latitude_a), radians(latitude_b), radians(longitude_b - longitude_a)
    east = cos(two) * sin(apart)
    north = cos(one) * sin(two) - sin(one) * cos(two) * cos(apart)
    angle = atan2(hypot(east, north), sin(one) * sin(two) + cos(one) * cos(two) * cos(apart))
    return angle, None if hypot(east, north) < _SAME_PLACE else degrees(atan2(east, north))


def compass_point(bearing: float) -> str:
    """Return the nearest of the sixteen points of the compass."""
    return _COMPASS[floor(bearing / 22.5 + 0.5) % 16]
