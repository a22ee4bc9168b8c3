"""Geometry: areas, triangles, polygons, solids, distances on the globe, plans, lines, tiles and surveyed points."""

from __future__ import annotations

from fractions import Fraction
from math import atan, ceil, degrees, dist, sqrt
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact
from teller_gym.scenarios.distractors.general import _figures as figures
from teller_gym.scenarios.distractors.general import _plane as plane
from teller_gym.scenarios.distractors.general._numbers import check_given, shown
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

Length = Annotated[float, Meta(ge=0.001, le=1_000_000)]
Coordinate = Annotated[float, Meta(ge=-1_000_000, le=1_000_000)]
Point = Annotated[list[Coordinate], Meta(min_length=2, max_length=2)]
North = Annotated[float, Meta(ge=-90, le=90)]
East = Annotated[float, Meta(ge=-180, le=180)]
GlobeUnit = Literal["km", "miles", "nautical_miles"]
Label = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,24}$")]
PlanUnit = Literal["mm", "cm", "m", "km", "inch", "foot"]

_EARTH_RADIUS = {"km": 6371.0088, "miles": 6371.0088 / 1.609344, "nautical_miles": 6371.0088 / 1.852}
_MILLIMETRES = {"mm": 1.0, "cm": 10.0, "m": 1000.0, "km": 1_000_000.0, "inch": 25.4, "foot": 304.8}
_POINTS = "misc_survey_points"


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


class SolidMeasures(Result):
    """Volume and whole surface, base and lid included."""

    volume: float
    surface: float


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_solid_volume(
    bank: Bank,
    solid: figures.Solid,
    radius: Length | None = None,
    top_radius: Length | None = None,
    length: Length | None = None,
    width: Length | None = None,
    height: Length | None = None,
) -> SolidMeasures:
    """Calculate volume and surface of an upright solid, to six significant figures. Give just the measures it has.

    Args:
        solid: Which solid it is; a frustum is a cone with its tip cut off, a pyramid has a rectangular base.
        radius: Radius of the sphere or of the base.
        top_radius: Radius of the upper face of a frustum.
        length: Length of a box or of the base of a pyramid.
        width: Width of a box or of the base of a pyramid.
        height: Height of the solid.
    """
    given = {"radius": radius, "top_radius": top_radius, "length": length, "width": width, "height": height}
    check_given(f"a {solid}", figures.SOLID_MEASURES[solid], given)
    volume, surface = figures.measure_solid(solid, radius, top_radius, length, width, height)
    return SolidMeasures(volume=shown(volume), surface=shown(surface))


class ScaledMeasure(Result):
    """The measure on the other side of the scale, its unit, and the scale in lowest terms."""

    value: float
    unit: str
    scale: str


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_plan_scale(
    bank: Bank,
    value: Length,
    dimension: Literal["length", "area", "volume"],
    drawing_part: Annotated[int, Meta(ge=1, le=1_000_000)],
    real_part: Annotated[int, Meta(ge=1, le=10_000_000)],
    direction: Literal["drawing_to_real", "real_to_drawing"],
    from_unit: PlanUnit,
    to_unit: PlanUnit,
) -> ScaledMeasure:
    """Convert a length, area or volume between a scale drawing or model and the real thing, to six significant figures.

    Args:
        value: The measure, in the unit or in squares or cubes of it.
        dimension: Whether it is a length, an area or a volume.
        drawing_part: The drawing's side of the scale, such as 1 in 1:50.
        real_part: The real side of the scale, such as 50 in 1:50.
        direction: Which way to convert.
        from_unit: Unit of length of the measure given.
        to_unit: Unit of length wanted.
    """
    power, suffix = {"length": (1, ""), "area": (2, "^2"), "volume": (3, "^3")}[dimension]
    ratio = Fraction(real_part, drawing_part)
    enlarged = ratio if direction == "drawing_to_real" else 1 / ratio
    converted = value * (float(enlarged) * _MILLIMETRES[from_unit] / _MILLIMETRES[to_unit]) ** power
    scale = f"{ratio.denominator}:{ratio.numerator}"
    return ScaledMeasure(value=shown(converted), unit=f"{to_unit}{suffix}", scale=scale)


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


class TilePlan(Result):
    """Tiles to lay (cut ones count whole), tiles and boxes to buy, and the floor to two decimals."""

    tiles_laid: int
    tiles_to_buy: int
    boxes: int
    floor_area_m2: float


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_floor_tiles(
    bank: Bank,
    room_length_m: Annotated[float, Meta(ge=0.1, le=500)],
    room_width_m: Annotated[float, Meta(ge=0.1, le=500)],
    tile_length_mm: Annotated[float, Meta(ge=10, le=3000)],
    tile_width_mm: Annotated[float, Meta(ge=10, le=3000)],
    joint_mm: Annotated[float, Meta(ge=0, le=30)] = 3,
    bond: figures.Bond = "straight",
    spare_percent: Annotated[float, Meta(ge=0, le=100)] = 5,
    tiles_per_box: Annotated[int, Meta(ge=1, le=500)] = 1,
) -> TilePlan:
    """Plan the tiles of a rectangular floor. For a diagonal bond they are counted by area, with 15 percent for cuts.

    Args:
        room_length_m: Length of the room in metres.
        room_width_m: Width of the room in metres.
        tile_length_mm: Side of a tile along the room.
        tile_width_mm: Side of a tile across the room.
        joint_mm: Width of the joints.
        bond: How rows lie to each other; with half_offset each second row starts with half a tile.
        spare_percent: Tiles to buy beyond those laid, in percent.
        tiles_per_box: How many tiles a box holds.
    """
    length, width, joint = exact(room_length_m) * 1000, exact(room_width_m) * 1000, exact(joint_mm)
    along, across = exact(tile_length_mm) + joint, exact(tile_width_mm) + joint
    laid = figures.count_tiles(length + joint, width + joint, along, across, bond)
    bought = ceil(laid * (1 + exact(spare_percent) / 100))
    area = round(float(length * width) / 1_000_000, 2)
    return TilePlan(tiles_laid=laid, tiles_to_buy=bought, boxes=-(-bought // tiles_per_box), floor_area_m2=area)


class SurveyPoint(Result):
    """The point as noted, and how many points the survey now has."""

    point_id: str
    points_in_survey: int
    replaced: bool


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def note_survey_point(
    bank: Bank, survey: Label, label: Label, east_m: Coordinate, north_m: Coordinate, replace: bool = False
) -> SurveyPoint:
    """Note a measured point of a site survey under its label.

    Args:
        survey: Name of the survey, such as car-park.
        label: Name of the point, such as P1.
        east_m: Metres east of the survey's origin.
        north_m: Metres north of it.
        replace: Whether a point of that label may be overwritten.
    """
    name, point = survey.strip(), label.strip()
    key = bank.reference("SVP", name, point)
    known = bank.get(_POINTS, key)
    if known is not None and not replace:
        raise invalid("label", f"expected a new label, got {point}, which is noted; set replace to overwrite it")
    bank.put(_POINTS, key, {"owner": "misc", "survey": name, "east_m": east_m, "north_m": north_m})
    count = sum(row["survey"] == name for _, row in bank.rows(_POINTS))
    return SurveyPoint(point_id=key, points_in_survey=count, replaced=known is not None)


class SurveyBox(Result):
    """The smallest upright rectangle around all points of a survey, in metres."""

    points: int
    west_m: float
    east_m: float
    south_m: float
    north_m: float
    area_m2: float


@tool(category=Category.GENERAL_DISTRACTOR)
def find_survey_bounds(
    bank: Bank,
    survey: Label,
    margin_m: Annotated[float, Meta(ge=0, le=1000)] = 0,
    grid_m: Annotated[float, Meta(ge=0.01, le=1000)] | None = None,
) -> SurveyBox:
    """Find the bounding box of the points noted for a survey; rounded to four decimals.

    Args:
        survey: Name of the survey.
        margin_m: Metres to add on each side.
        grid_m: Move the sides outward to multiples of this.
    """
    name = survey.strip()
    rows = [row for _, row in bank.rows(_POINTS) if row["survey"] == name]
    if not rows:
        raise invalid("survey", f"expected a survey with points, got {name}, which has none; note some first")
    west, east = plane.bounds([row["east_m"] for row in rows], margin_m, grid_m)
    south, north = plane.bounds([row["north_m"] for row in rows], margin_m, grid_m)
    area = round(float((east - west) * (north - south)), 4)
    west_m, east_m, south_m, north_m = (round(float(side), 4) + 0.0 for side in (west, east, south, north))
    return SurveyBox(points=len(rows), west_m=west_m, east_m=east_m, south_m=south_m, north_m=north_m, area_m2=area)
