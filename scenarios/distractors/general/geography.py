"""Geography: countries and their capitals, phone numbers, postal codes, maps, bearings, heights, walks and locators."""

from __future__ import annotations

from math import cos, log10, radians
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general import _maps as maps
from teller_gym.scenarios.distractors.general import _places_and_times as shared
from teller_gym.scenarios.distractors.general._places_and_times import ClockTime, Latitude, Longitude
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

CountryName = Annotated[str, Meta(min_length=2, max_length=30)]
PostalCode = Annotated[str, Meta(pattern="^[0-9A-Za-z -]+$", max_length=12)]
Locator = Annotated[str, Meta(pattern="^[A-Ra-r]{2}[0-9]{2}([A-Xa-x]{2}([0-9]{2})?)?$", max_length=8)]
Extension = Annotated[str, Meta(pattern="^[0-9]{1,6}$", max_length=6)]
Altitude = Annotated[float, Meta(ge=-430, le=9000)]
Kilometres = Literal["km", "miles", "nautical_miles"]
Metres = Annotated[float, Meta(ge=0, le=9000)]


class CountryFacts(Result):
    """Facts of the table; codes are those of ISO 3166 and ISO 4217."""

    name: str
    capital: str
    iso2: str
    iso3: str
    calling_code: str
    currency: str
    drives_on: str
    countries_with_currency: int


@tool(category=Category.GENERAL_DISTRACTOR)
def get_country_facts(bank: Bank, country: CountryName) -> CountryFacts:
    """Look up a country: capital, ISO codes, calling code, currency, driving side, and how many countries of the
    table share the currency.

    Args:
        country: English name or ISO code, such as Japan, JP or JPN.
    """
    code, row = maps.find_country(country, "country")
    return CountryFacts(
        name=row.name,
        capital=row.capital,
        iso2=code,
        iso3=row.iso3,
        calling_code=f"+{row.calling}",
        currency=row.currency,
        drives_on=row.drives,
        countries_with_currency=sum(other.currency == row.currency for other in maps.countries().values()),
    )


class CapitalDistance(Result):
    """Distance over the globe, rounded to whole units."""

    from_capital: str
    to_capital: str
    distance: int


@tool(category=Category.GENERAL_DISTRACTOR)
def measure_capital_distance(
    bank: Bank, from_country: CountryName, to_country: CountryName, unit: Kilometres = "km"
) -> CapitalDistance:
    """Measure the distance between the capitals of two countries as the crow flies, to whole units.

    Args:
        from_country: Name or ISO code of the first country.
        to_country: Name or ISO code of the second country.
        unit: Unit of the distance.
    """
    _, start = maps.find_country(from_country, "from_country")
    _, end = maps.find_country(to_country, "to_country")
    if start == end:
        raise invalid("to_country", f"expected another country than {start.name}")
    distance = shared.great_circle_km(start.at, end.at) / maps.UNIT_KM[unit]
    return CapitalDistance(from_capital=start.capital, to_capital=end.capital, distance=round(distance))


class PhoneNumber(Result):
    """The number as text, and how many digits it has after the calling code."""

    text: str
    digits: int


@tool(category=Category.GENERAL_DISTRACTOR)
def format_phone_number(
    bank: Bank,
    country: CountryName,
    number: Annotated[str, Meta(pattern="^ *[+]?[0-9()./ -]+$", max_length=30)],
    style: Literal["international", "national", "link"] = "international",
    separator: Literal["space", "hyphen", "dot", "none"] = "space",
    extension: Extension | None = None,
) -> PhoneNumber:
    """Write a phone number the way it is dialled from abroad, within the country, or as a tel: link, digits in threes.

    Args:
        country: Name or ISO code of the country of the number.
        number: The number with its calling code after +, or as it is dialled within the country.
        style: International with calling code, national with the prefix used there, or a link.
        separator: What stands between groups; links have none.
        extension: Extension behind the number.
    """
    _, row = maps.find_country(country, "country")
    digits = maps.significant_digits(number, row)
    behind = (extension or "").strip()
    if style == "link":
        text = f"tel:+{row.calling}{digits}" + (f";ext={behind}" if behind else "")
        return PhoneNumber(text=text, digits=len(digits))
    if style == "national" and row.trunk is None:
        raise invalid("style", f"expected international or link for {row.name}, whose prefix depends on the number")
    groups = maps.in_groups(digits)
    # North American numbers are written without the 1 that is dialled before them.
    trunk = "" if row.calling == "1" else row.trunk or ""
    groups = [f"+{row.calling}", *groups] if style == "international" else [trunk + groups[0], *groups[1:]]
    joined = {"space": " ", "hyphen": "-", "dot": ".", "none": ""}[separator].join(groups)
    return PhoneNumber(text=joined + (f" ext. {behind}" if behind else ""), digits=len(digits))


class PostalCodeCheck(Result):
    """``proper_form`` is null if the code does not fit; formats show 9 for a digit, A for a letter, * for either."""

    valid: bool
    proper_form: str | None
    formats: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def check_postal_code(bank: Bank, country: CountryName, postal_code: PostalCode) -> PostalCodeCheck:
    """Check that a postal code has a format of its country, and write it properly. It does not tell whether it is used.

    Args:
        country: Name or ISO code of the country.
        postal_code: The code; case, spaces and hyphens do not matter.
    """
    _, row = maps.find_country(country, "country")
    proper = maps.fit_postal_code(postal_code, row.postal)
    return PostalCodeCheck(valid=proper is not None, proper_form=proper, formats=list(row.postal))


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


class AirPressure(Result):
    """All with one decimal."""

    pressure_hpa: float
    percent_of_sea_level: float
    water_boils_at_c: float


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_air_pressure(
    bank: Bank,
    altitude_m: Altitude,
    temperature_c: Annotated[float, Meta(ge=-60, le=50)] = 15,
    sea_level_hpa: Annotated[float, Meta(ge=870, le=1085)] = 1013.25,
) -> AirPressure:
    """Estimate air pressure at an altitude by the barometric formula, and the boiling point of water, to one decimal.

    Args:
        altitude_m: Height above the sea in metres.
        temperature_c: Air temperature there in degrees Celsius.
        sea_level_hpa: Pressure at sea level in hectopascals.
    """
    warmth = temperature_c + 273.15
    pressure = sea_level_hpa * (warmth / (warmth + 0.0065 * altitude_m)) ** 5.257
    # Antoine's equation for water, which wants millimetres of mercury.
    boiling = 1730.63 / (8.07131 - log10(pressure * 0.750062)) - 233.426
    return AirPressure(
        pressure_hpa=round(pressure, 1),
        percent_of_sea_level=round(100 * pressure / sea_level_hpa, 1),
        water_boils_at_c=round(boiling, 1),
    )


class WalkingTime(Result):
    """Whole minutes; ``days_later`` counts midnights until arrival."""

    walking_minutes: int
    break_minutes: int
    arrival_time: str
    days_later: int


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_walking_time(
    bank: Bank,
    distance_km: Annotated[float, Meta(ge=0.1, le=100)],
    ascent_m: Metres,
    descent_m: Metres = 0,
    descent_kind: Literal["even", "gentle", "steep"] = "even",
    flat_speed_kmh: Annotated[float, Meta(ge=1, le=8)] = 5,
    terrain: Literal["path", "rough", "trackless"] = "path",
    break_minutes_an_hour: Annotated[int, Meta(ge=0, le=60)] = 0,
    start_time: ClockTime = "08:00",
) -> WalkingTime:
    """Estimate the time of a walk by Naismith's rule (an hour for 600 m of ascent) with Langmuir's for descents.

    Args:
        distance_km: Length of the walk.
        ascent_m: Metres up in all.
        descent_m: Metres down in all.
        descent_kind: Gentle descents save 10 minutes for 300 m, steep ones cost 10, even ones change nothing.
        flat_speed_kmh: Speed on the flat.
        terrain: A rough path takes a quarter longer on the flat, trackless ground 60 %.
        break_minutes_an_hour: Minutes of rest after every full hour of walking.
        start_time: When the walk begins.
    """
    if ascent_m + descent_m > 1000 * distance_km:
        raise invalid(
            "distance_km", f"expected a way longer than {ascent_m + descent_m} m up and down, got {distance_km} km"
        )
    if descent_kind == "gentle" and descent_m > 212 * distance_km:
        raise invalid("descent_kind", "expected steep for more than 12 degrees down, got gentle")
    pace = 60 / flat_speed_kmh * maps.TERRAIN[terrain]
    down = {"even": 0, "gentle": -10, "steep": 10}[descent_kind] * descent_m / 300
    walking = round(distance_km * pace + ascent_m / 10 + down)
    rest = walking // 60 * break_minutes_an_hour
    arrival = shared.minutes_of(start_time) + walking + rest
    return WalkingTime(
        walking_minutes=walking,
        break_minutes=rest,
        arrival_time=shared.clock_of(arrival),
        days_later=arrival // shared.DAY_MINUTES,
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
