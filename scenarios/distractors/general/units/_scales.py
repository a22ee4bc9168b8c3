"""The units and scales that the converting tools know: names, factors, starting points."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

# fmt: off
UnitName = Literal[
    "millimetre", "centimetre", "metre", "kilometre", "inch", "foot", "yard", "mile", "nautical_mile",
    "square_centimetre", "square_metre", "hectare", "square_kilometre", "square_inch", "square_foot", "acre",
    "square_mile", "millilitre", "litre", "cubic_metre", "ounce", "cup", "pint", "gallon", "imperial_pint",
    "imperial_gallon", "gram", "kilogram", "tonne", "carat", "troy_ounce", "pound", "stone", "short_ton",
    "degree", "arcminute", "arcsecond", "gradian", "turn", "radian",
]
# fmt: on
Scale = Literal["celsius", "fahrenheit", "kelvin", "rankine"]
PaceUnit = Literal["km_per_hour", "miles_per_hour", "metres_per_second", "knots", "minutes_per_km", "minutes_per_mile"]
FuelUnit = Literal["litres_per_100_km", "km_per_litre", "miles_per_us_gallon", "miles_per_imperial_gallon"]
ShoeSystem = Literal["eu", "uk", "us_men", "us_women", "mondopoint_mm", "japan_cm"]
Degrees = Annotated[float, Meta(ge=-1_000_000, le=1_000_000)]
Economy = Annotated[float, Meta(ge=0.1, le=1000)]

# Kelvins in a degree, and the zero of the scale in kelvins.
SCALES = {
    "celsius": (Fraction(1), Fraction("273.15")),
    "fahrenheit": (Fraction(5, 9), Fraction("459.67") * Fraction(5, 9)),
    "kelvin": (Fraction(1), Fraction(0)),
    "rankine": (Fraction(5, 9), Fraction(0)),
}
BYTES = {"kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
BITS_PER_SECOND = {"kbit/s": 10**3, "Mbit/s": 10**6, "Gbit/s": 10**9, "MB/s": 8 * 10**6, "MiB/s": 8 * 2**20}
KM = {"km": 1.0, "miles": 1.609344}
LITRES = {"litre": 1.0, "us_gallon": 3.785411784, "imperial_gallon": 4.54609}
# Metres a second of a speed, and metres of the distance of a pace.
SPEEDS = {"km_per_hour": 1 / 3.6, "miles_per_hour": 0.44704, "metres_per_second": 1.0, "knots": 1852 / 3600}
PACES = {"minutes_per_km": 1000.0, "minutes_per_mile": 1609.344}
KM_PER_LITRE = {
    "km_per_litre": 1.0,
    "miles_per_us_gallon": KM["miles"] / LITRES["us_gallon"],
    "miles_per_imperial_gallon": KM["miles"] / LITRES["imperial_gallon"],
}
# Millimetres a step of each shoe scale, how many steps below zero it starts, and whether it measures the last.
SHOE_SCALES = {
    "eu": (20 / 3, 0.0, True),
    "uk": (25.4 / 3, 25.0, True),
    "us_men": (25.4 / 3, 24.0, True),
    "us_women": (25.4 / 3, 22.5, True),
    "mondopoint_mm": (1.0, 0.0, False),
    "japan_cm": (10.0, 0.0, False),
}
SHORTEST_FOOT, LONGEST_FOOT = 215, 340
SIZE_ZERO_MM = {"A": (841, 1189), "B": (1000, 1414), "C": (917, 1297)}
LARGEST_EXPONENT = 30


@cache
def unit_table() -> dict[str, dict[str, float]]:
    """Return the size of each unit in the base unit of its quantity."""
    folder = resources.files("teller_gym.scenarios.distractors.general.units")
    data = folder.joinpath("units.yaml").read_bytes()
    return msgspec.yaml.decode(data, type=dict[str, dict[str, float]])
