"""Formulas behind the weather tools: dew point, stars, sunburn, tides, snow on roofs; units stand in the names."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from math import asin, atan2, cos, degrees, exp, log, radians, sin
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from teller_gym.scenarios.distractors.general._places_and_times import folded, rounded, table
from teller_gym.tools.bank import Record

Star = Literal[
    "Achernar", "Acrux", "Aldebaran", "Altair", "Antares", "Arcturus", "Betelgeuse", "Canopus", "Capella", "Deneb",
    "Fomalhaut", "Polaris", "Pollux", "Procyon", "Regulus", "Rigel", "Sirius", "Spica", "Vega",
]  # fmt: skip
Roof = Literal["metal", "tiles", "gravel", "green"]
Ground = Literal["grass", "sand", "water", "snow"]
SnowKind = Literal["fresh", "settled", "wet", "ice"]

Month = Annotated[int, Meta(ge=1, le=12)]
Speed = Annotated[float, Meta(ge=0, le=1000)]
AirTemperature = Annotated[float, Meta(ge=-60, le=140)]
DayCelsius = Annotated[float, Meta(ge=-60, le=60)]
Humidity = Annotated[float, Meta(ge=1, le=100)]
Millimetres = Annotated[float, Meta(ge=0, le=2000)]
Litres = Annotated[float, Meta(ge=0, le=1_000_000)]
Tide = Annotated[float, Meta(ge=-5, le=20)]
Degrees = Literal["celsius", "fahrenheit"]
UvLevel = Literal["low", "moderate", "high", "very_high", "extreme"]

GAUGES = "misc_rain_gauges"
METRES_A_SECOND = {"m_s": 1.0, "km_h": 1 / 3.6, "mph": 0.44704, "knots": 1852 / 3600}
RUNOFF: dict[Roof, float] = {"metal": 0.95, "tiles": 0.85, "gravel": 0.6, "green": 0.3}
"""Share of the rain that runs off a roof."""
REFLECTED: dict[Ground, float] = {"grass": 0.03, "sand": 0.15, "water": 0.25, "snow": 0.8}
"""Share of ultraviolet light that the ground throws back."""
REDDENING_DOSES = (200, 250, 300, 450, 600, 1000)
"""Joules a square metre after which skin of types 1 to 6 reddens."""
SNOW_KG_M3: dict[SnowKind, int] = {"fresh": 100, "settled": 200, "wet": 400, "ice": 900}
_UV_LEVELS: tuple[tuple[int, UvLevel], ...] = ((11, "extreme"), (8, "very_high"), (6, "high"), (3, "moderate"))
_TWELFTHS = (0, 1, 3, 6, 9, 11, 12)
_MAGNUS = (17.62, 243.12)


def shown(celsius: float, unit: Degrees) -> float:
    """Return a temperature in a unit, with one decimal."""
    return rounded(celsius if unit == "celsius" else celsius * 9 / 5 + 32, 1)


def dew_point_c(temperature_c: float, humidity_percent: float) -> float:
    """Return the dew point by the Magnus formula."""
    a, b = _MAGNUS
    term = log(humidity_percent / 100) + a * temperature_c / (b + temperature_c)
    return b * term / (a - term)


def vapour_g_m3(temperature_c: float, humidity_percent: float) -> float:
    """Return how much water the air holds."""
    a, b = _MAGNUS
    pressure_pa = 611.2 * exp(a * temperature_c / (b + temperature_c)) * humidity_percent / 100
    return 1000 * pressure_pa / (461.5 * (temperature_c + 273.15))


def beaufort(metres_a_second: float) -> tuple[int, str, float]:
    """Return (force, name, wave height in metres) of a wind."""
    speed = round(metres_a_second, 1)
    rows = table("weather_and_sky")["beaufort"]
    force = sum(speed >= row[0] for row in rows) - 1
    return force, rows[force][1], float(rows[force][2])


class StarPlace(NamedTuple):
    """Where a star stands, in degrees."""

    altitude: float
    azimuth: float
    highest: float
    lowest: float


def star_place(star: Star, latitude: float, longitude: float, day: date, minutes_utc: int) -> StarPlace:
    """Return where a star stands, without refraction and precession."""
    ascension, declination = table("weather_and_sky")["stars"][star]
    days = day.toordinal() - date(2000, 1, 1).toordinal() - 0.5 + minutes_utc / 1440
    sidereal_hours = 18.697374558 + 24.06570982441908 * days + longitude / 15
    angle, phi, delta = radians(15 * (sidereal_hours - ascension) % 360), radians(latitude), radians(declination)
    height = sin(phi) * sin(delta) + cos(phi) * cos(delta) * cos(angle)
    azimuth = atan2(-cos(delta) * sin(angle), sin(delta) * cos(phi) - cos(delta) * cos(angle) * sin(phi))
    return StarPlace(
        altitude=degrees(asin(max(-1.0, min(1.0, height)))),
        azimuth=degrees(azimuth) % 360,
        highest=90 - abs(latitude - declination),
        lowest=abs(latitude + declination) - 90,
    )


def uv_level(index: float) -> UvLevel:
    """Return the level of a UV index, which is rounded for that."""
    return next((name for least, name in _UV_LEVELS if round(index) >= least), "low")


def minutes_until_red(uv_index: float, skin_type: int) -> float:
    """Return after how many minutes bare skin reddens; one step of the index is 25 milliwatts a square metre."""
    return REDDENING_DOSES[skin_type - 1] / (0.025 * max(uv_index, 1e-6) * 60)


def tide_share(minutes: int, span: int) -> float:
    """Return which share of its range a tide has run, by the rule of twelfths, even within each sixth of the time."""
    sixths = 6 * minutes / span
    whole = min(5, int(sixths))
    return (_TWELFTHS[whole] + (sixths - whole) * (_TWELFTHS[whole + 1] - _TWELFTHS[whole])) / 12


def roof_share(slope_degrees: float, snow_guards: bool) -> float:
    """Return which share of the snow on the ground stays on a roof: 0.8 up to 30 degrees, none from 60 on."""
    if slope_degrees <= 30 or snow_guards:
        return 0.8
    return 0.8 * max(0.0, 60 - slope_degrees) / 30


def logged_mm(rows: Iterable[tuple[str, Record]], gauge: str, first: date, last: date) -> list[float]:
    """Return what was logged of a gauge from one day to another, by day."""
    found = [
        (row["day"], row["rain_mm"])
        for _, row in rows
        if folded(row["gauge"]) == folded(gauge) and first.isoformat() <= row["day"] <= last.isoformat()
    ]
    return [rain for _, rain in sorted(found)]


def degree_days(days: list[tuple[float, float]], kind: str, base: float, limit: float) -> list[float]:
    """Return the degree days of every day, from its high and low; both count as ``limit`` at most."""
    means = [(min(high, limit) + min(low, limit)) / 2 for high, low in days]
    return [max(0.0, base - mean if kind == "heating" else mean - base) for mean in means]
