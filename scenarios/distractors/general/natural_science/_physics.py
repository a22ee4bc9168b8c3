"""Formulas of physics and chemistry, in SI units unless a name says otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, radians, sin, sqrt
from typing import Literal

Solute = Literal["strong_acid", "strong_base", "weak_acid", "weak_base"]
FeltBy = Literal["wind_chill", "heat_index", "air_temperature"]
SpeedUnit = Literal["m_per_s", "km_per_h", "mph"]
TimeUnit = Literal["seconds", "minutes", "hours", "days", "years"]
Digit = Literal["black", "brown", "red", "orange", "yellow", "green", "blue", "violet", "grey", "white"]
Multiplier = Literal[Digit, "gold", "silver"]
Tolerance = Literal["brown", "red", "green", "blue", "violet", "gold", "silver", "none"]
Coefficient = Literal["brown", "red", "orange", "yellow", "blue", "violet"]

SECONDS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400, "years": 31_557_600}
SPEEDS = {"m_per_s": 1.0, "km_per_h": 1 / 3.6, "mph": 0.44704}
_WATER = 1e-14
GRAVITY = {"earth": 9.80665, "moon": 1.62, "mars": 3.72, "venus": 8.87}
_COLOURS = ("black", "brown", "red", "orange", "yellow", "green", "blue", "violet", "grey", "white")
_MULTIPLIERS = {**{colour: power for power, colour in enumerate(_COLOURS)}, "gold": -1, "silver": -2}
TOLERANCES = {"brown": 1, "red": 2, "green": 0.5, "blue": 0.25, "violet": 0.1, "gold": 5, "silver": 10, "none": 20}
PPM_PER_KELVIN = {"brown": 100, "red": 50, "orange": 15, "yellow": 25, "blue": 10, "violet": 5}


def ion_exponent(concentration: float, constant: float | None) -> float:
    """Return -log10 of the H+ of an acid (or the OH- of a base) in water at 25 °C, by its balance of charges.

    Args:
        concentration: mol/l of the acid, each of its protons counted.
        constant: its pKa; None if it dissociates wholly.
    """
    low, high = -3.0, 15.0
    for _ in range(60):
        middle = (low + high) / 2
        ions = 10**-middle
        share = 1.0 if constant is None else 1 / (1 + 10 ** (constant - middle))
        if ions > _WATER / ions + concentration * share:
            low = middle
        else:
            high = middle
    return low


def felt_celsius(celsius: float, wind: float, humidity: float) -> tuple[float, FeltBy]:
    """Return wind chill (formula of 2001), heat index (US weather service), or the temperature if neither holds."""
    if celsius <= 10 and wind * 3.6 > 4.8:
        power = (wind * 3.6) ** 0.16
        return 13.12 + 0.6215 * celsius - 11.37 * power + 0.3965 * celsius * power, "wind_chill"
    heat = _heat_index(celsius * 1.8 + 32, humidity)
    return ((heat - 32) / 1.8, "heat_index") if heat >= 80 else (celsius, "air_temperature")


def _heat_index(t: float, h: float) -> float:
    simple = (t + 0.5 * (t + 61 + (t - 68) * 1.2 + h * 0.094)) / 2
    if simple < 80:
        return simple
    index = -42.379 + 2.04901523 * t + 10.14333127 * h - 0.22475541 * t * h - 0.00683783 * t * t
    index += -0.05481717 * h * h + 0.00122874 * t * t * h + 0.00085282 * t * h * h - 0.00000199 * t * t * h * h
    if h < 13 and 80 <= t <= 112:
        index -= (13 - h) / 4 * sqrt((17 - abs(t - 95)) / 17)
    if h > 85 and 80 <= t <= 87:
        index += (h - 85) / 10 * (87 - t) / 5
    return index


def flight(speed: float, elevation: float, height: float, gravity: float) -> tuple[float, float, float]:
    """Return time in the air, distance and highest point of a throw without air; the elevation is in degrees."""
    up, forward = speed * sin(radians(elevation)), speed * cos(radians(elevation))
    seconds = (up + sqrt(up * up + 2 * gravity * height)) / gravity
    return seconds, forward * seconds, height + up * up / (2 * gravity)


def height_at(distance: float, speed: float, elevation: float, height: float, gravity: float) -> float:
    """Return the height of a throw at a distance that it reaches."""
    forward = speed * cos(radians(elevation))
    seconds = distance / forward
    return height + speed * sin(radians(elevation)) * seconds - gravity * seconds * seconds / 2


def acidity(solute: Solute, concentration: float, constant: float | None) -> tuple[float, float]:
    """Return the pH of an acid or base in water at 25 °C, and the share of it that is dissociated."""
    exponent = ion_exponent(concentration, constant)
    share = 1.0 if constant is None else 1 / (1 + 10 ** (constant - exponent))
    return exponent if solute.endswith("acid") else 14 - exponent, share


def band_ohms(digits: Iterable[str | None], multiplier: str) -> float:
    """Return the resistance that colour bands tell; a digit that is None is not there."""
    number = int("".join(str(_COLOURS.index(colour)) for colour in digits if colour is not None))
    return number * 10.0 ** _MULTIPLIERS[multiplier]
