"""House and garden: painting, building, sewing, sowing, heat loss, tanks, and tools lent to neighbours."""

from __future__ import annotations

import math
from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import refused, round_up
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

Metres = Annotated[float, Meta(ge=0.1, le=50)]
Centimetres = Annotated[int, Meta(ge=1, le=1000)]
Spacing = Annotated[int, Meta(ge=1, le=300)]
Coats = Annotated[int, Meta(ge=1, le=5)]
Openings = Annotated[int, Meta(ge=0, le=20)]
Flow = Annotated[float, Meta(ge=0, le=1000)]
Thicknesses = Annotated[list[Annotated[float, Meta(ge=0.1, le=2000)]], Meta(min_length=1, max_length=12)]
Conductivities = Annotated[list[Annotated[float, Meta(ge=0.005, le=400)]], Meta(min_length=1, max_length=12)]
ThingName = Annotated[str, Meta(pattern="^[A-Za-z0-9][A-Za-z0-9 -]{0,39}$", max_length=40)]
Accessories = Annotated[list[ThingName], Meta(max_length=5)]
LendingId = Annotated[str, Meta(pattern="^LEND-[0-9]{6}$", max_length=11)]
Condition = Literal["new", "good", "worn", "broken"]
Element = Literal["wall", "roof", "floor"]
_CONDITIONS: tuple[Condition, ...] = ("new", "good", "worn", "broken")
_INSIDE_RESISTANCE = {"wall": 0.13, "roof": 0.10, "floor": 0.17}


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


class ToolLent(Result):
    """The lending as noted."""

    lending_id: str
    due_on: date


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def lend_tool(
    bank: Bank,
    tool_name: ThingName,
    borrower: ThingName,
    days: Annotated[int, Meta(ge=1, le=90)],
    condition: Condition = "good",
    accessories: Accessories | None = None,
) -> ToolLent:
    """Note that a tool of the neighbourhood's shed is lent to somebody from today on.

    Args:
        tool_name: The tool, such as "cordless drill"; one that is out cannot be lent again.
        borrower: Who takes it.
        days: For how many days; the last one is the day due.
        condition: State it is in; a broken tool is not lent.
        accessories: What goes with it.
    """
    if condition == "broken":
        raise refused("condition", "a tool that works", condition)
    name, to = tool_name.strip().lower(), borrower.strip()
    out = [row for _, row in bank.rows("misc_lendings") if row["tool"] == name and row["status"] == "lent"]
    if out:
        raise refused("tool_name", "a tool that is in the shed", f"{name!r}, which {out[0]['borrower']} has")
    due, things = bank.today + timedelta(days=days), [thing.strip().lower() for thing in accessories or ()]
    lending_id = bank.reference("LEND", name, to, due.isoformat(), condition, *things)
    record = {"owner": "misc", "tool": name, "borrower": to, "due_on": due.isoformat(), "status": "lent"}
    bank.put("misc_lendings", lending_id, {**record, "condition": condition, "accessories": things})
    return ToolLent(lending_id=lending_id, due_on=due)


class ToolReturned(Result):
    """How the tool came back."""

    days_late: int
    complete: bool
    damaged: bool


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def return_lent_tool(
    bank: Bank, lending_id: LendingId, condition: Condition, missing_accessories: Accessories | None = None
) -> ToolReturned:
    """Note that a lent tool is back today, and compare it with what was lent.

    Args:
        lending_id: The lending.
        condition: State in which it came back.
        missing_accessories: Accessories that were lent and did not come back.
    """
    key = lending_id.strip()
    row = bank.get("misc_lendings", key)
    if row is None or row["status"] != "lent":
        raise refused("lending_id", "a lending that is open", f"{key}; list the tools that are lent")
    missing = [thing.strip().lower() for thing in missing_accessories or ()]
    unknown = [thing for thing in missing if thing not in row["accessories"]]
    if unknown:
        raise refused("missing_accessories", f"some of {row['accessories']}", unknown)
    bank.update("misc_lendings", key, status="returned", condition_back=condition, missing=missing)
    late = max(0, (bank.today - date.fromisoformat(row["due_on"])).days)
    worse = _CONDITIONS.index(condition) > _CONDITIONS.index(row["condition"])
    return ToolReturned(days_late=late, complete=not missing, damaged=worse)


class LentTools(Result):
    """Open lendings by day due, then by tool, each as id, tool, borrower and day due; at most 25 are shown."""

    lendings: list[str]
    lent_in_all: int


@tool(category=Category.GENERAL_DISTRACTOR)
def list_lent_tools(bank: Bank, borrower: ThingName | None = None, due_until: date | None = None) -> LentTools:
    """List the tools that are out, with who has them and when they are due.

    Args:
        borrower: Only what this person has.
        due_until: Only what is due by this day.
    """
    lent = [(key, row) for key, row in bank.rows("misc_lendings") if row["status"] == "lent"]
    rows = [(row["due_on"], row["tool"], key, row["borrower"]) for key, row in lent]
    if borrower is not None:
        rows = [row for row in rows if row[3].lower() == borrower.strip().lower()]
    if due_until is not None:
        rows = [row for row in rows if row[0] <= due_until.isoformat()]
    shown = [f"{key} {name}, {who}, {due}" for due, name, key, who in sorted(rows)[:25]]
    return LentTools(lendings=shown, lent_in_all=len(rows))
