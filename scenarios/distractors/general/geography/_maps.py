"""Countries by any of their names, phone numbers and postal codes by country, bearings, boxes and grid locators."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import asinh, atan2, cos, degrees, hypot, pi, radians, sin, tan
from typing import NamedTuple

import msgspec

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general._places_and_times import EARTH_RADIUS_KM, folded, table

UNIT_KM = {"km": 1.0, "miles": 1.609344, "nautical_miles": 1.852}
MAP_METRES = {"mm": 0.001, "cm": 0.01, "inches": 0.0254}
GROUND_METRES = {"m": 1.0, "km": 1000.0, "miles": 1609.344}
TERRAIN = {"path": 1.0, "rough": 1.25, "trackless": 1.6}
AREA_KM2 = {"km2": 1.0, "square_miles": 1.609344**2, "hectares": 0.01}

POINTS = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"]


class Country(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the table, which explains its columns."""

    name: str
    iso3: str
    capital: str
    at: tuple[float, float]
    calling: str
    trunk: str | None
    currency: str
    drives: str
    postal: tuple[str, ...]
    also: tuple[str, ...] = ()


@cache
def countries() -> dict[str, Country]:
    """Return the countries by alpha-2 code."""
    return msgspec.convert(table("geography")["countries"], dict[str, Country])


@cache
def _codes() -> dict[str, str]:
    """Return alpha-2 codes by name and by either code, in lower case."""
    return {folded(key): code for code, row in countries().items() for key in (code, row.iso3, row.name, *row.also)}


def find_country(given: str, field: str) -> tuple[str, Country]:
    """Return a country by its name or one of its ISO codes; an unknown one is refused."""
    code = _codes().get(folded(given))
    if code is None:
        names = ", ".join(row.name for row in countries().values())
        raise invalid(field, f"expected a name or ISO code of the table, got {given!r}; known are {names}")
    return code, countries()[code]


def significant_digits(number: str, country: Country) -> str:
    """Return the digits of a phone number without calling code and prefix; what cannot be one is refused."""
    digits = "".join(sign for sign in number if sign.isdigit())
    if number.strip().startswith("+"):
        if not digits.startswith(country.calling):
            raise invalid(
                "number", f"expected +{country.calling} for {country.name}, got {number!r}; check the country"
            )
        digits = digits[len(country.calling) :]
    elif country.trunk is None:
        raise invalid("number", f"expected a number with +{country.calling} for {country.name}, got {number!r}")
    else:
        digits = digits.removeprefix(country.trunk)
    most = 15 - len(country.calling)
    if country.calling == "1" and len(digits) != 10:
        raise invalid("number", f"expected 10 digits after +1, got {len(digits)}")
    if not 5 <= len(digits) <= most:
        raise invalid("number", f"expected 5 to {most} digits without calling code and prefix, got {len(digits)}")
    return digits


def in_groups(digits: str) -> list[str]:
    """Return digits in threes; a single one left over joins the last group."""
    cut = range(0, len(digits) - 1, 3)
    return [digits[start : start + (4 if len(digits) - start == 4 else 3)] for start in cut]


def fit_postal_code(text: str, masks: tuple[str, ...]) -> str | None:
    """Return a postal code as it is written properly, or None if it fits no mask; only its signs count."""
    signs = "".join(sign for sign in text.upper() if sign not in " -")
    for mask in masks:
        wanted = mask.replace(" ", "").replace("-", "")
        if len(wanted) == len(signs) and all(map(_fits, signs, wanted)):
            rest = iter(signs)
            return "".join(place if place in " -" else next(rest) for place in mask)
    return None


def _fits(sign: str, place: str) -> bool:
    digit, letter = sign in "0123456789", "A" <= sign <= "Z"
    return {"9": digit, "A": letter, "*": digit or letter}.get(place, sign == place)


Place = tuple[float, float]


def great_circle_course(start: Place, end: Place) -> float | None:
    """Return the bearing in degrees at which the shortest way begins; None if every or no way is the shortest."""
    lat1, lat2, east = radians(start[0]), radians(end[0]), radians(end[1] - start[1])
    to_east = sin(east) * cos(lat2)
    to_north = cos(lat1) * sin(lat2) - sin(lat1) * cos(lat2) * cos(east)
    return degrees(atan2(to_east, to_north)) % 360 if hypot(to_east, to_north) > 1e-9 else None


def rhumb_course(start: Place, end: Place) -> tuple[float, float]:
    """Return (bearing in degrees, kilometres) of the way that keeps one bearing; not for the poles."""
    lat1, lat2 = radians(start[0]), radians(end[0])
    east = (radians(end[1] - start[1]) + pi) % (2 * pi) - pi
    stretched = asinh(tan(lat2)) - asinh(tan(lat1))
    ratio = (lat2 - lat1) / stretched if abs(stretched) > 1e-12 else cos(lat1)
    return degrees(atan2(east, stretched)) % 360, hypot(lat2 - lat1, ratio * east) * EARTH_RADIUS_KM


class Box(NamedTuple):
    """South, north, west and east of a box, in degrees; ``width`` is how far it reaches from west to east."""

    south: float
    north: float
    west: float
    width: float

    @property
    def east(self) -> float:
        """The eastern side, from -180 to 180."""
        return (self.west + self.width + 180) % 360 - 180 if self.width < 360 else 180.0

    def area_km2(self) -> float:
        """Area on the sphere."""
        return EARTH_RADIUS_KM**2 * radians(self.width) * (sin(radians(self.north)) - sin(radians(self.south)))


def smallest_box(latitudes: list[float], longitudes: list[float], margin_km: float) -> Box:
    """Return the smallest box around places, across the 180th meridian if that is shorter, with a margin all round."""
    around = sorted({longitude % 360 for longitude in longitudes})
    gaps = [(after - before, after % 360) for before, after in pairwise([*around, around[0] + 360])]
    gap, west = max(gaps)
    more = degrees(margin_km / EARTH_RADIUS_KM)
    south, north = max(-90.0, min(latitudes) - more), min(90.0, max(latitudes) + more)
    if margin_km and max(-south, north) == 90:
        return Box(south, north, -180.0, 360.0)  # The margin goes round the pole.
    sideways = more / cos(radians(max(-south, north))) if margin_km else 0.0
    width = 360 - gap + 2 * sideways
    return (
        Box(south, north, (west - sideways + 180) % 360 - 180, width)
        if width < 360
        else Box(south, north, -180.0, 360.0)
    )


_STEPS = (18, 10, 24, 10)
"""Into how many parts each pair of a Maidenhead locator divides longitude and latitude."""


def to_locator(latitude: float, longitude: float, pairs: int) -> str:
    """Return the Maidenhead locator of a place."""
    cells = [min(43_199, int((part + half) / (2 * half) * 43_200)) for part, half in ((longitude, 180), (latitude, 90))]
    left, signs = 43_200, ""
    for number, step in enumerate(_STEPS[:pairs]):
        left //= step
        for cell in cells:
            digit = cell // left % step
            signs += str(digit) if step == 10 else chr(ord("a" if number else "A") + digit)
    return signs


def from_locator(locator: str) -> tuple[float, float, float]:
    """Return (latitude and longitude of the centre, height in degrees) of a locator; it is twice as wide as high."""
    east, north, size = 0.0, 0.0, 180.0
    for number, step in enumerate(_STEPS[: len(locator) // 2]):
        size /= step
        pair = locator[2 * number : 2 * number + 2].upper()
        digits = [int(sign) if sign.isdigit() else ord(sign) - ord("A") for sign in pair]
        east, north = east + digits[0] * size * 2, north + digits[1] * size
    return north + size / 2 - 90, east + size - 180, size
