"""Solids, and measures on a plan."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._numbers import check_given, shown
from teller_gym.scenarios.distractors.general.geometry import _figures as figures
from teller_gym.scenarios.distractors.general.geometry._types import Length
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

PlanUnit = Literal["mm", "cm", "m", "km", "inch", "foot"]
_MILLIMETRES = {"mm": 1.0, "cm": 10.0, "m": 1000.0, "km": 1_000_000.0, "inch": 25.4, "foot": 304.8}


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
