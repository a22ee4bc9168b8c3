"""Tests of geometry/floors: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.geometry.values import refusal

ROOM: dict[str, Any] = {
    "room_length_m": 4,
    "room_width_m": 3,
    "tile_length_mm": 500,
    "tile_width_mm": 500,
    "joint_mm": 0,
}


def test_tiles() -> None:
    plain = call("plan_floor_tiles", **ROOM, tiles_per_box=10)
    assert plain == {"tiles_laid": 48, "tiles_to_buy": 51, "boxes": 6, "floor_area_m2": 12}
    # Three rows of 8; three rows that begin with half a tile: 1 and 7 whole ones and half of another.
    offset = call("plan_floor_tiles", **ROOM, bond="half_offset", spare_percent=0)
    assert offset["tiles_laid"] == offset["tiles_to_buy"] == 51
    assert call("plan_floor_tiles", **ROOM, bond="diagonal")["tiles_laid"] == 56  # 48 and 15 percent
    # 7 tiles of 520 and a joint of 2 each leave 346 mm of 4 m; 5 rows leave 390 mm of 3 m.
    joints = call("plan_floor_tiles", **ROOM | {"tile_length_mm": 520, "tile_width_mm": 520, "joint_mm": 2})
    assert joints["tiles_laid"] == 8 * 6
    assert refusal("plan_floor_tiles", **ROOM | {"tile_width_mm": 1}) == "tile_width_mm"


@given(st.integers(10, 3000), st.integers(0, 30), st.sampled_from(["straight", "half_offset"]))
def test_tiles_cover_the_floor(tile: int, joint: int, bond: str) -> None:
    sizes: dict[str, Any] = {"tile_length_mm": tile, "tile_width_mm": tile, "joint_mm": joint, "bond": bond}
    found = call("plan_floor_tiles", room_length_m=7.3, room_width_m=4.1, spare_percent=0, **sizes)
    assert found["tiles_laid"] * (tile + joint) ** 2 >= 7300 * 4100
    assert found["tiles_to_buy"] == found["boxes"] == found["tiles_laid"]
