"""Paint, concrete and stairs."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import refused, round_up
from teller_gym.scenarios.distractors.general.home_and_garden._types import Metres
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Coats = Annotated[int, Meta(ge=1, le=5)]
Openings = Annotated[int, Meta(ge=0, le=20)]


class PaintNeed(Result):
    """Area to paint in square metres and paint in litres (two decimals), and cans to buy."""

    area_m2: float
    litres: float
    cans: int


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_paint(
    bank: Bank,
    room_length_m: Metres,
    room_width_m: Metres,
    wall_height_m: Annotated[float, Meta(ge=0.5, le=8)],
    doors: Openings,
    windows: Openings,
    coats: Coats = 2,
    coverage_m2_per_litre: Annotated[float, Meta(ge=2, le=20)] = 10,
    can_litres: Annotated[float, Meta(ge=0.25, le=25)] = 5,
    paint_ceiling: bool = False,
) -> PaintNeed:
    """Estimate the paint for the walls of a room; a door takes off 1.6 square metres, a window 1.5.

    Args:
        room_length_m: Length of the room.
        room_width_m: Width of the room.
        wall_height_m: Height of the walls.
        doors: Doors that are not painted.
        windows: Windows.
        coats: Times the area is painted.
        coverage_m2_per_litre: Square metres that a litre covers once.
        can_litres: Size of a can.
        paint_ceiling: Whether the ceiling is painted, too.
    """
    walls = 2 * (room_length_m + room_width_m) * wall_height_m - 1.6 * doors - 1.5 * windows
    if walls <= 0:
        raise refused("doors", "doors and windows smaller than the walls", f"{doors} doors and {windows} windows")
    area = walls + (room_length_m * room_width_m if paint_ceiling else 0)
    litres = area * coats / coverage_m2_per_litre
    return PaintNeed(area_m2=round(area, 2), litres=round(litres, 2), cans=round_up(litres / can_litres))


class ConcreteMix(Result):
    """Cement in bags of 25 kg, the rest in cubic metres with three decimals."""

    cement_bags: int
    sand_m3: float
    gravel_m3: float


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_concrete_mix(
    bank: Bank,
    shape: Literal["slab", "column"],
    length_m: Metres,
    width_m: Metres,
    mix: Literal["1:1.5:3", "1:2:4", "1:3:6"],
    thickness_m: Annotated[float, Meta(ge=0.03, le=2)] | None = None,
    waste_percent: Annotated[float, Meta(ge=0, le=30)] = 5,
) -> ConcreteMix:
    """Work out the cement (1,440 kg a cubic metre), sand and gravel for a slab or a round column of concrete.

    Args:
        shape: What is cast.
        length_m: Length of the slab or height of the column.
        width_m: Width of the slab or diameter of the column.
        mix: Parts of cement, sand and gravel by volume.
        thickness_m: Thickness of the slab; for a slab only.
        waste_percent: What is added for waste.
    """
    if (thickness_m is None) == (shape == "slab"):
        raise refused("thickness_m", "a thickness for a slab and none for a column", thickness_m)
    section = width_m * thickness_m if thickness_m is not None else math.pi * width_m**2 / 4
    wet = section * length_m * (1 + waste_percent / 100)
    cement, sand, gravel = map(float, mix.split(":"))
    # Dry material takes half as much room again as the concrete it becomes; 1.54 is the customary factor.
    part = wet * 1.54 / (cement + sand + gravel)
    bags = round_up(part * 1440 / 25)
    return ConcreteMix(cement_bags=bags, sand_m3=round(part * sand, 3), gravel_m3=round(part * gravel, 3))


class StairDesign(Result):
    """Centimetres with one decimal; ``fits`` is null if no run was given."""

    risers: int
    riser_cm: float
    tread_cm: float
    run_cm: float
    fits: bool | None


@tool(category=Category.GENERAL_DISTRACTOR)
def design_stairs(
    bank: Bank,
    total_rise_cm: Annotated[float, Meta(ge=40, le=1000)],
    highest_riser_cm: Annotated[float, Meta(ge=14, le=22)] = 19,
    available_run_cm: Annotated[float, Meta(ge=20, le=3000)] | None = None,
) -> StairDesign:
    """Divide the height between two floors into equal steps; two risers and a tread make 63 cm, as is the rule.

    Args:
        total_rise_cm: Height from floor to floor.
        highest_riser_cm: Highest step that is allowed.
        available_run_cm: Length on the ground that there is room for.
    """
    risers = round_up(total_rise_cm / highest_riser_cm)
    riser = total_rise_cm / risers
    tread = 63 - 2 * riser
    run = (risers - 1) * tread
    fits = None if available_run_cm is None else run <= available_run_cm
    sizes = [round(value, 1) for value in (riser, tread, run)]
    return StairDesign(risers=risers, riser_cm=sizes[0], tread_cm=sizes[1], run_cm=sizes[2], fits=fits)
