"""Curtains, and the heat that a wall lets through."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import refused, round_up
from teller_gym.scenarios.distractors.general.home_and_garden._types import Centimetres
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Thicknesses = Annotated[list[Annotated[float, Meta(ge=0.1, le=2000)]], Meta(min_length=1, max_length=12)]
Conductivities = Annotated[list[Annotated[float, Meta(ge=0.005, le=400)]], Meta(min_length=1, max_length=12)]
Element = Literal["wall", "roof", "floor"]
_INSIDE_RESISTANCE = {"wall": 0.13, "roof": 0.10, "floor": 0.17}


class CurtainFabric(Result):
    """Widths of fabric to sew together, length of each, and fabric in all (two decimals)."""

    fabric_widths: int
    cut_length_cm: int
    fabric_metres: float


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_curtain_fabric(
    bank: Bank,
    track_width_cm: Centimetres,
    drop_cm: Centimetres,
    fullness: Annotated[float, Meta(ge=1, le=3)],
    fabric_width_cm: Annotated[int, Meta(ge=80, le=320)],
    hem_cm: Annotated[int, Meta(ge=0, le=40)] = 15,
    heading_cm: Annotated[int, Meta(ge=0, le=30)] = 8,
    pattern_repeat_cm: Annotated[int, Meta(ge=0, le=120)] = 0,
    pair: bool = True,
) -> CurtainFabric:
    """Work out how much fabric curtains take.

    Args:
        track_width_cm: Length of the track or pole.
        drop_cm: Finished length of the curtain.
        fullness: How many times the track's length is gathered; 2 is common.
        fabric_width_cm: Width of the fabric.
        hem_cm: Added for the hem.
        heading_cm: Added for the heading.
        pattern_repeat_cm: Height after which the pattern repeats; a cut is a whole number of repeats. 0 for plain.
        pair: Whether two equal curtains are made, which takes an even number of widths.
    """
    widths = round_up(track_width_cm * fullness / fabric_width_cm)
    widths += widths % 2 if pair else 0
    cut = drop_cm + hem_cm + heading_cm
    if pattern_repeat_cm:
        cut = -(-cut // pattern_repeat_cm) * pattern_repeat_cm
    return CurtainFabric(fabric_widths=widths, cut_length_cm=cut, fabric_metres=round(widths * cut / 100, 2))


class HeatTransmission(Result):
    """Resistance in m²K/W and U-value in W/m²K, three decimals; the best layer is a number counted from 1."""

    thermal_resistance: float
    u_value: float
    best_layer: int


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_u_value(
    bank: Bank, element: Element, thicknesses_mm: Thicknesses, conductivities: Conductivities
) -> HeatTransmission:
    """Work out the U-value of a wall, roof or floor from its layers, with the usual resistances of the surfaces.

    Args:
        element: Part of the building.
        thicknesses_mm: Thickness of each layer.
        conductivities: Thermal conductivity of each layer in W/mK, in the same order, such as 0.035 for mineral wool.
    """
    if len(conductivities) != len(thicknesses_mm):
        raise refused("conductivities", f"one for each of the {len(thicknesses_mm)} layers", len(conductivities))
    layers = [mm / 1000 / value for mm, value in zip(thicknesses_mm, conductivities, strict=True)]
    total = _INSIDE_RESISTANCE[element] + sum(layers) + 0.04
    best = layers.index(max(layers)) + 1
    return HeatTransmission(thermal_resistance=round(total, 3), u_value=round(1 / total, 3), best_layer=best)
