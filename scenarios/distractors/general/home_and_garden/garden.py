"""Seeds in rows, and water in a tank."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import refused
from teller_gym.scenarios.distractors.general.home_and_garden._types import Centimetres, Metres
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Spacing = Annotated[int, Meta(ge=1, le=300)]
Flow = Annotated[float, Meta(ge=0, le=1000)]


class SeedPlan(Result):
    """How the bed is sown; plants expected are rounded to whole ones."""

    rows: int
    holes: int
    seeds: int
    expected_plants: int


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_seed_rows(
    bank: Bank,
    bed_length_cm: Centimetres,
    bed_width_cm: Centimetres,
    row_spacing_cm: Spacing,
    plant_spacing_cm: Spacing,
    edge_cm: Annotated[int, Meta(ge=0, le=100)] = 0,
    staggered: bool = False,
    seeds_per_hole: Annotated[int, Meta(ge=1, le=10)] = 1,
    germination_percent: Annotated[int, Meta(ge=1, le=100)] = 100,
) -> SeedPlan:
    """Plan the rows of a vegetable bed: rows, holes, seeds, and in how many holes a plant may be expected.

    Args:
        bed_length_cm: Length of the bed, along the rows.
        bed_width_cm: Width of the bed.
        row_spacing_cm: Distance between rows.
        plant_spacing_cm: Distance between plants in a row.
        edge_cm: Distance kept from every edge.
        staggered: Whether every second row begins half a plant distance later.
        seeds_per_hole: Seeds in each hole.
        germination_percent: How many seeds in a hundred come up.
    """
    length, width = bed_length_cm - 2 * edge_cm, bed_width_cm - 2 * edge_cm
    if length < 0 or width < 0:
        raise refused("edge_cm", "at most half the length and half the width of the bed", edge_cm)
    rows = width // row_spacing_cm + 1
    holes = rows * (length // plant_spacing_cm + 1)
    if staggered:
        shifted = (2 * length - plant_spacing_cm) // (2 * plant_spacing_cm) + 1
        holes += rows // 2 * (shifted - (length // plant_spacing_cm + 1))
    grown = 1 - (1 - germination_percent / 100) ** seeds_per_hole
    return SeedPlan(rows=rows, holes=holes, seeds=holes * seeds_per_hole, expected_plants=round(holes * grown))


class TankFilling(Result):
    """Whole litres, and minutes with one decimal."""

    capacity_litres: int
    missing_litres: int
    minutes_to_full: float


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_tank_filling(
    bank: Bank,
    shape: Literal["box", "cylinder"],
    height_m: Metres,
    width_m: Metres,
    filled_percent: Annotated[float, Meta(ge=0, le=100)],
    inflow_litres_per_minute: Flow,
    outflow_litres_per_minute: Flow = 0,
    length_m: Metres | None = None,
) -> TankFilling:
    """Work out how long a pool, cistern or rain barrel takes to fill.

    Args:
        shape: A box or an upright cylinder.
        height_m: Height up to the rim.
        width_m: Width, or diameter of a cylinder.
        filled_percent: How full it is.
        inflow_litres_per_minute: What runs in.
        outflow_litres_per_minute: What runs out meanwhile.
        length_m: Length; for a box only.
    """
    if (length_m is None) == (shape == "box"):
        raise refused("length_m", "a length for a box and none for a cylinder", length_m)
    net = inflow_litres_per_minute - outflow_litres_per_minute
    if net < 0.01:
        raise refused("inflow_litres_per_minute", "at least 0.01 more than the outflow", inflow_litres_per_minute)
    capacity = 1000 * height_m * (width_m * length_m if length_m is not None else math.pi * width_m**2 / 4)
    missing = capacity * (1 - filled_percent / 100)
    full = round(missing / net, 1)
    return TankFilling(capacity_litres=round(capacity), missing_litres=round(missing), minutes_to_full=full)
