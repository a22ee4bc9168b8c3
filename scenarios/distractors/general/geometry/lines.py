"""Lines that cross, and ways over the globe."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general._numbers import shown
from teller_gym.scenarios.distractors.general.geometry import _plane as plane
from teller_gym.scenarios.distractors.general.geometry._types import Coordinate
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

North = Annotated[float, Meta(ge=-90, le=90)]
East = Annotated[float, Meta(ge=-180, le=180)]
GlobeUnit = Literal["km", "miles", "nautical_miles"]

_EARTH_RADIUS = {"km": 6371.0088, "miles": 6371.0088 / 1.609344, "nautical_miles": 6371.0088 / 1.852}


class GlobeDistance(Result):
    """Distance along the surface; bearing and compass point are null for the same or exactly opposite places."""

    distance: float
    bearing_degrees: float | None
    compass_point: str | None


@tool(category=Category.GENERAL_DISTRACTOR)
def measure_globe_distance(
    bank: Bank, latitude_a: North, longitude_a: East, latitude_b: North, longitude_b: East, unit: GlobeUnit = "km"
) -> GlobeDistance:
    """Measure the great-circle distance between two places, and the bearing at the start; rounded to two decimals.

    Args:
        latitude_a: Latitude of the start in degrees, north positive.
        longitude_a: Longitude of the start in degrees, east positive.
        latitude_b: Latitude of the destination.
        longitude_b: Longitude of the destination.
        unit: Unit of the distance.
    """
    angle, bearing = plane.globe_course(latitude_a, longitude_a, latitude_b, longitude_b)
    bearing = None if bearing is None else round(bearing, 2) % 360
    point = None if bearing is None else plane.compass_point(bearing)
    distance = round(angle * _EARTH_RADIUS[unit], 2)
    return GlobeDistance(distance=distance, bearing_degrees=bearing, compass_point=point)


class LineCrossing(Result):
    """How two lines lie to each other; x and y are null unless they meet at one point."""

    relation: Literal["crossing", "apart", "parallel", "same_line"]
    x: float | None
    y: float | None
    angle_degrees: float


@tool(category=Category.GENERAL_DISTRACTOR)
def intersect_two_lines(
    bank: Bank,
    x1: Coordinate,
    y1: Coordinate,
    x2: Coordinate,
    y2: Coordinate,
    x3: Coordinate,
    y3: Coordinate,
    x4: Coordinate,
    y4: Coordinate,
    treat_as: Literal["lines", "segments"] = "lines",
) -> LineCrossing:
    """Find where the line through points 1 and 2 meets that through 3 and 4, to six significant figures.

    Args:
        x1: First point of the first line.
        y1: First point of the first line.
        x2: Second point of the first line.
        y2: Second point of the first line.
        x3: First point of the second line.
        y3: First point of the second line.
        x4: Second point of the second line.
        y4: Second point of the second line.
        treat_as: Whether the lines go on for ever or end at their points; segments that do not meet are apart.
    """
    first, second = plane.line("x2", x1, y1, x2, y2), plane.line("x4", x3, y3, x4, y4)
    found = plane.crossing(first, second)
    if found is None:
        relation: Literal["same_line", "parallel"] = "same_line" if plane.on_same_line(first, second) else "parallel"
        return LineCrossing(relation=relation, x=None, y=None, angle_degrees=0)
    angle = shown(plane.angle_between(first, second))
    if treat_as == "segments" and not all(0 <= part <= 1 for part in found):
        return LineCrossing(relation="apart", x=None, y=None, angle_degrees=angle)
    x, y = (start + found[0] * step for start, step in zip(*first, strict=True))
    if max(abs(x), abs(y)) > 10**15:
        raise invalid("treat_as", "expected lines that meet within 1e15 of the origin, got nearly parallel ones")
    return LineCrossing(relation="crossing", x=shown(float(x)), y=shown(float(y)), angle_degrees=angle)
