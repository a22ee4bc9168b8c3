"""Tests of home_and_garden/building: expected values worked out by hand, or anew in another way."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.home_and_garden.values import Arguments, refusal

ROOM: Arguments = {"room_length_m": 5, "room_width_m": 4, "wall_height_m": 2.5, "doors": 1, "windows": 2}


def test_paint_for_a_room() -> None:
    # 18 m of wall, 45 m², less 1.6 and 3; two coats at 10 m² a litre
    assert call("estimate_paint", **ROOM) == {"area_m2": 40.4, "litres": 8.08, "cans": 2}
    ceiling = call("estimate_paint", **ROOM, paint_ceiling=True, coats=1, coverage_m2_per_litre=8, can_litres=2.5)
    assert ceiling == {"area_m2": 60.4, "litres": 7.55, "cans": 4}
    assert refusal("estimate_paint", **ROOM | {"doors": 20, "windows": 20}) == "doors"


@given(st.floats(1, 50), st.floats(1, 8), st.floats(0.25, 25))
def test_the_cans_hold_the_paint(length: float, height: float, can: float) -> None:
    room: Arguments = {"room_length_m": length, "room_width_m": 3, "wall_height_m": height, "doors": 0, "windows": 0}
    need = call("estimate_paint", **room, can_litres=can)
    assert (need["cans"] - 1) * can - 0.01 <= need["litres"] <= need["cans"] * can + 0.01


def test_concrete_for_a_slab_and_a_column() -> None:
    # 1 m³ of concrete is 1.54 m³ dry; a seventh of it is cement: 0.22 m³, 316.8 kg, 13 bags
    slab: Arguments = {
        "shape": "slab",
        "length_m": 5,
        "width_m": 2,
        "mix": "1:2:4",
        "thickness_m": 0.1,
        "waste_percent": 0,
    }
    assert call("calculate_concrete_mix", **slab) == {"cement_bags": 13, "sand_m3": 0.44, "gravel_m3": 0.88}
    column: Arguments = {"shape": "column", "length_m": 1, "width_m": 2, "mix": "1:3:6", "waste_percent": 10}
    sand = math.pi * 1.1 * 1.54 * 0.3
    assert call("calculate_concrete_mix", **column)["sand_m3"] == pytest.approx(sand, abs=0.0005)
    assert refusal("calculate_concrete_mix", **column, thickness_m=1) == "thickness_m"
    assert refusal("calculate_concrete_mix", **slab | {"thickness_m": None}) == "thickness_m"


@given(st.floats(0.1, 50), st.floats(0.1, 50))
def test_longer_slabs_take_more(one: float, other: float) -> None:
    short, long = sorted((one, other))
    slab: Arguments = {"shape": "slab", "width_m": 1, "mix": "1:2:4", "thickness_m": 0.2}
    needs = [call("calculate_concrete_mix", **slab, length_m=length) for length in (short, long)]
    assert all(needs[0][field] <= needs[1][field] for field in needs[0])


def test_stairs() -> None:
    # 15 risers of 18 cm; treads of 63 - 36 = 27 cm, 14 of them
    stairs = call("design_stairs", total_rise_cm=270, highest_riser_cm=18)
    assert stairs == {"risers": 15, "riser_cm": 18, "tread_cm": 27, "run_cm": 378, "fits": None}
    assert call("design_stairs", total_rise_cm=270, highest_riser_cm=18, available_run_cm=378)["fits"] is True
    assert call("design_stairs", total_rise_cm=270, highest_riser_cm=18, available_run_cm=377)["fits"] is False
    assert refusal("design_stairs", total_rise_cm=20) == "total_rise_cm"


@given(st.floats(40, 1000), st.floats(14, 22))
def test_steps_are_never_too_high(rise: float, highest: float) -> None:
    stairs = call("design_stairs", total_rise_cm=rise, highest_riser_cm=highest)
    assert stairs["riser_cm"] <= highest + 0.05
    assert 2 * stairs["riser_cm"] + stairs["tread_cm"] == pytest.approx(63, abs=0.2)
