"""Tiles of a floor."""

from __future__ import annotations

from math import ceil
from typing import Annotated

from msgspec import Meta

from teller_gym.base.money import exact
from teller_gym.scenarios.distractors.general.geometry import _figures as figures
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class TilePlan(Result):
    """Tiles to lay (cut ones count whole), tiles and boxes to buy, and the floor to two decimals."""

    tiles_laid: int
    tiles_to_buy: int
    boxes: int
    floor_area_m2: float


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_floor_tiles(
    bank: Bank,
    room_length_m: Annotated[float, Meta(ge=0.1, le=500)],
    room_width_m: Annotated[float, Meta(ge=0.1, le=500)],
    tile_length_mm: Annotated[float, Meta(ge=10, le=3000)],
    tile_width_mm: Annotated[float, Meta(ge=10, le=3000)],
    joint_mm: Annotated[float, Meta(ge=0, le=30)] = 3,
    bond: figures.Bond = "straight",
    spare_percent: Annotated[float, Meta(ge=0, le=100)] = 5,
    tiles_per_box: Annotated[int, Meta(ge=1, le=500)] = 1,
) -> TilePlan:
    """Plan the tiles of a rectangular floor. For a diagonal bond they are counted by area, with 15 percent for cuts.

    Args:
        room_length_m: Length of the room in metres.
        room_width_m: Width of the room in metres.
        tile_length_mm: Side of a tile along the room.
        tile_width_mm: Side of a tile across the room.
        joint_mm: Width of the joints.
        bond: How rows lie to each other; with half_offset each second row starts with half a tile.
        spare_percent: Tiles to buy beyond those laid, in percent.
        tiles_per_box: How many tiles a box holds.
    """
    length, width, joint = exact(room_length_m) * 1000, exact(room_width_m) * 1000, exact(joint_mm)
    along, across = exact(tile_length_mm) + joint, exact(tile_width_mm) + joint
    laid = figures.count_tiles(length + joint, width + joint, along, across, bond)
    bought = ceil(laid * (1 + exact(spare_percent) / 100))
    area = round(float(length * width) / 1_000_000, 2)
    return TilePlan(tiles_laid=laid, tiles_to_buy=bought, boxes=-(-bought // tiles_per_box), floor_area_m2=area)
