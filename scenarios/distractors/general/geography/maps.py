"""Maps: scales, bearings, boxes and locators."""

from __future__ import annotations

from math import cos, radians
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general._places_and_times import Latitude, Longitude
from teller_gym.scenarios.distractors.general.geography import _maps as maps
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Locator = Annotated[str, Meta(pattern="^[A-Ra-r]{2}[0-9]{2}([A-Xa-x]{2}([0-9]{2})?)?$", max_length=8)]


class ScaledDistance(Result):
    """``length`` in the unit asked for, to three decimals; ``copy_scale`` is the scale of the copy, rounded."""

    length: float
    unit: str
    copy_scale: int


@tool(category=Category.GENERAL_DISTRACTOR)
def scale_map_distance(
    bank: Bank,
    direction: Literal["map_to_ground", "ground_to_map"],
    length: Annotated[float, Meta(ge=0, le=1_000_000)],
    scale: Annotated[int, Meta(ge=100, le=500_000_000)],
    map_unit: Literal["mm", "cm", "inches"] = "cm",
    ground_unit: Literal["m", "km", "miles"] = "km",
    copy_percent: Annotated[float, Meta(ge=10, le=1000)] = 100,
    detour_percent: Annotated[float, Meta(ge=0, le=200)] = 0,
) -> ScaledDistance:
    """Turn a length measured on a map into a distance on the ground, or the other way round, to three decimals.

    Args:
        direction: From the map to the ground or back.
        length: The length to turn, in the unit of the side from which it comes.
        scale: The number behind 1 : in the printed scale, such as 50000.
        map_unit: Unit on the map.
        ground_unit: Unit on the ground.
        copy_percent: Size of the copy in hand in percent of the printed map.
        detour_percent: How much longer the real way is than the line on the map.
    """
    copy_scale = scale / (copy_percent / 100)
    factor = copy_scale * (1 + detour_percent / 100) * maps.MAP_METRES[map_unit] / maps.GROUND_METRES[ground_unit]
    if direction == "map_to_ground":
        return ScaledDistance(length=round(length * factor, 3), unit=ground_unit, copy_scale=round(copy_scale))
    return ScaledDistance(length=round(length / factor, 3), unit=map_unit, copy_scale=round(copy_scale))


class Bearing(Result):
    """Degrees and kilometres with one decimal."""

    true_degrees: float
    magnetic_degrees: float
    compass_point: str
    distance_km: float


@tool(category=Category.GENERAL_DISTRACTOR)
def find_compass_bearing(
    bank: Bank,
    from_latitude: Latitude,
    from_longitude: Longitude,
    to_latitude: Latitude,
    to_longitude: Longitude,
    way: Literal["great_circle", "rhumb_line"] = "great_circle",
    declination_degrees: Annotated[float, Meta(ge=-180, le=180)] = 0,
    compass_points: Literal[4, 8, 16] = 16,
) -> Bearing:
    """Find the bearing from one place to another, by true and magnetic north, and the distance, to one decimal.

    Args:
        from_latitude: Degrees north of the start.
        from_longitude: Degrees east of the start.
        to_latitude: Degrees north of the goal.
        to_longitude: Degrees east of the goal.
        way: Shortest way, with the bearing at its start, or the way that keeps one bearing.
        declination_degrees: By how much magnetic north lies east of true north there.
        compass_points: Into how many named directions the compass is divided.
    """
    start, end = (from_latitude, from_longitude), (to_latitude, to_longitude)
    distance = shared.great_circle_km(start, end)
    course = maps.great_circle_course(start, end)
    if distance < 0.001 or course is None:
        raise invalid("to_latitude", "expected two places with one shortest way, got the same or opposite ones")
    if way == "rhumb_line":
        if max(abs(from_latitude), abs(to_latitude)) > 89.9:
            raise invalid("way", "expected great_circle within 0.1 degrees of a pole, got rhumb_line")
        course, distance = maps.rhumb_course(start, end)
    step = 16 // compass_points
    return Bearing(
        true_degrees=round(course, 1) % 360,
        magnetic_degrees=round((course - declination_degrees) % 360, 1) % 360,
        compass_point=maps.POINTS[int(course / 360 * compass_points + 0.5) % compass_points * step],
        distance_km=round(distance, 1),
    )


class BoundingArea(Result):
    """Degrees with four decimals, area with two; ``west`` is greater than ``east`` across the 180th meridian."""

    south: float
    west: float
    north: float
    east: float
    area: float


@tool(category=Category.GENERAL_DISTRACTOR)
def measure_bounding_area(
    bank: Bank,
    latitudes: Annotated[list[Latitude], Meta(min_length=1, max_length=50)],
    longitudes: Annotated[list[Longitude], Meta(min_length=1, max_length=50)],
    margin_km: Annotated[float, Meta(ge=0, le=1000)] = 0,
    area_unit: Literal["km2", "square_miles", "hectares"] = "km2",
) -> BoundingArea:
    """Find the smallest box of latitudes and longitudes around places, with a margin, and its area on the globe.

    Args:
        latitudes: Degrees north of the places.
        longitudes: Degrees east of the places, in the same order.
        margin_km: Margin on every side in kilometres.
        area_unit: Unit of the area.
    """
    if len(latitudes) != len(longitudes):
        raise invalid("longitudes", f"expected {len(latitudes)} numbers, one a place, got {len(longitudes)}")
    box = maps.smallest_box(latitudes, longitudes, margin_km)
    return BoundingArea(
        south=shared.rounded(box.south, 4),
        west=shared.rounded(box.west, 4),
        north=shared.rounded(box.north, 4),
        east=shared.rounded(box.east, 4),
        area=shared.rounded(box.area_km2() / maps.AREA_KM2[area_unit], 2),
    )


class GridLocator(Result):
    """The locator with its centre (degrees, four decimals) and size in kilometres (two decimals)."""

    locator: str
    latitude: float
    longitude: float
    width_km: float
    height_km: float


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_grid_locator(
    bank: Bank,
    locator: Locator | None = None,
    latitude: Latitude | None = None,
    longitude: Longitude | None = None,
    pairs: Literal[2, 3, 4] = 3,
) -> GridLocator:
    """Turn coordinates into a Maidenhead grid locator as radio amateurs use it, or a locator into coordinates.

    Args:
        locator: A locator such as FN31pr; leave the coordinates out.
        latitude: Degrees north of a place; leave the locator out.
        longitude: Degrees east of the place.
        pairs: How many pairs of signs the locator of coordinates has.
    """
    if locator is not None and latitude is None and longitude is None:
        found = (locator[:2].upper() + locator[2:].lower()).strip()
    elif locator is None and latitude is not None and longitude is not None:
        found = maps.to_locator(latitude, longitude, pairs)
    else:
        raise invalid("locator", "expected either a locator or both latitude and longitude")
    north, east, height = maps.from_locator(found)
    high = radians(height) * shared.EARTH_RADIUS_KM
    return GridLocator(
        locator=found,
        latitude=shared.rounded(north, 4),
        longitude=shared.rounded(east, 4),
        width_km=round(2 * high * cos(radians(north)), 2),
        height_km=round(high, 2),
    )
