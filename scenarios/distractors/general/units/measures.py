"""Measures and temperatures."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact
from teller_gym.scenarios.distractors.general._numbers import shown
from teller_gym.scenarios.distractors.general.units import _scales as scales
from teller_gym.scenarios.distractors.general.units._scales import Scale, UnitName
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class ConvertedMeasure(Result):
    """The measure in the new unit and how many of the new units one old unit is."""

    value: float
    factor: float


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_measure(
    bank: Bank,
    value: Annotated[float, Meta(ge=-1e12, le=1e12)],
    quantity: Literal["length", "area", "volume", "mass", "angle"],
    from_unit: UnitName,
    to_unit: UnitName,
    significant_figures: Annotated[int, Meta(ge=1, le=12)] = 6,
) -> ConvertedMeasure:
    """Convert a length, area, volume, mass or angle between units. Results are rounded to significant figures.

    Args:
        value: The measure; only angles may be negative.
        quantity: What is measured. An ounce of volume is a US fluid ounce, an ounce of mass an avoirdupois one.
        from_unit: The unit the measure is given in.
        to_unit: The unit wanted, of the same quantity.
        significant_figures: How many figures the results are rounded to.
    """
    units = scales.unit_table()[quantity]
    for field, unit in (("from_unit", from_unit), ("to_unit", to_unit)):
        if unit not in units:
            raise invalid(field, f"expected a unit of {quantity} ({', '.join(units)}), got {unit}")
    if value < 0 and quantity != "angle":
        raise invalid("value", f"expected a {quantity} of 0 or more, got {value}")
    factor = units[from_unit] / units[to_unit]
    return ConvertedMeasure(value=shown(value * factor, significant_figures), factor=shown(factor, significant_figures))


class ConvertedTemperature(Result):
    """The temperature or difference on the new scale, and in kelvins."""

    temperature: float
    kelvins: float


@tool(category=Category.GENERAL_DISTRACTOR)
def convert_temperature(
    bank: Bank, temperature: scales.Degrees, from_scale: Scale, to_scale: Scale, is_difference: bool = False
) -> ConvertedTemperature:
    """Convert a temperature, or a difference of two temperatures, between scales; rounded to four decimals.

    Args:
        temperature: Degrees on the old scale.
        from_scale: The scale they are given on.
        to_scale: The scale wanted.
        is_difference: Whether this is a rise or fall, for which the zero of the scale does not matter.
    """
    (degree, zero), (new_degree, new_zero) = scales.SCALES[from_scale], scales.SCALES[to_scale]
    if is_difference:
        zero = new_zero = Fraction(0)
    kelvins = exact(temperature) * degree + zero
    if kelvins < 0 and not is_difference:
        lowest = f"{float(-zero / degree):g} {from_scale}"
        raise invalid("temperature", f"expected {lowest} (absolute zero) or more, got {temperature}")
    converted = (kelvins - new_zero) / new_degree
    return ConvertedTemperature(temperature=round(float(converted), 4) + 0.0, kelvins=round(float(kelvins), 4) + 0.0)
