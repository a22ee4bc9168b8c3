"""House and garden; expected values are worked out by hand."""

import math
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.tools.bank import Bank
from tests.scenarios.distractors.desk import TODAY, call, empty_bank

Arguments = dict[str, Any]


def refusal(name: str, bank: Bank | None = None, **arguments: Any) -> str | None:
    with pytest.raises(ToolError) as caught:
        call(name, bank, **arguments)
    assert caught.value.kind is ErrorKind.VALIDATION
    return caught.value.field


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


BED: Arguments = {"bed_length_cm": 120, "bed_width_cm": 60, "row_spacing_cm": 20, "plant_spacing_cm": 30}


def test_rows_of_seeds() -> None:
    # Rows at 0, 20, 40 and 60 cm, plants at 0, 30, 60, 90 and 120
    assert call("plan_seed_rows", **BED) == {"rows": 4, "holes": 20, "seeds": 20, "expected_plants": 20}
    # Every second row begins at 15 and holds 15, 45, 75 and 105
    assert call("plan_seed_rows", **BED, staggered=True)["holes"] == 18
    edged = call("plan_seed_rows", **BED, edge_cm=10, seeds_per_hole=2, germination_percent=50)
    assert edged == {"rows": 3, "holes": 12, "seeds": 24, "expected_plants": 9}  # 12 * 3/4
    assert refusal("plan_seed_rows", **BED, edge_cm=31) == "edge_cm"


@given(length=st.integers(1, 300), width=st.integers(1, 300), row=st.integers(1, 300), plant=st.integers(1, 300))
def test_holes_counted_one_by_one(length: int, width: int, row: int, plant: int) -> None:
    plan = call(
        "plan_seed_rows",
        bed_length_cm=length,
        bed_width_cm=width,
        row_spacing_cm=row,
        plant_spacing_cm=plant,
        staggered=True,
    )
    starts = [plant * (number % 2) for number, _ in enumerate(range(0, width + 1, row))]
    assert plan["rows"] == len(starts)
    assert plan["holes"] == sum(len(range(start, 2 * length + 1, 2 * plant)) for start in starts)


CURTAIN: Arguments = {"track_width_cm": 200, "drop_cm": 227, "fullness": 2, "fabric_width_cm": 140}


def test_curtains() -> None:
    # 400 cm of fabric are three widths, four for a pair; 227 + 15 + 8 = 250 cm each
    assert call("calculate_curtain_fabric", **CURTAIN) == {
        "fabric_widths": 4,
        "cut_length_cm": 250,
        "fabric_metres": 10,
    }
    single = call("calculate_curtain_fabric", **CURTAIN, pair=False, pattern_repeat_cm=64)
    assert single == {"fabric_widths": 3, "cut_length_cm": 256, "fabric_metres": 7.68}
    assert refusal("calculate_curtain_fabric", **CURTAIN | {"fullness": 4}) == "fullness"


@given(st.integers(1, 1000), st.floats(1, 3), st.integers(80, 320), st.integers(1, 120))
def test_curtains_cover_the_track(track: int, fullness: float, width: int, repeat: int) -> None:
    window: Arguments = {"track_width_cm": track, "drop_cm": 100, "fullness": fullness, "fabric_width_cm": width}
    found = call("calculate_curtain_fabric", **window, pattern_repeat_cm=repeat)
    assert found["fabric_widths"] * width >= track * fullness - 1e-6
    assert found["cut_length_cm"] % repeat == 0
    assert 123 <= found["cut_length_cm"] < 123 + repeat


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


def test_u_values() -> None:
    # 0.13 + 0.14 / 0.035 + 0.2 / 1 + 0.04 = 4.37
    wall = call("calculate_u_value", element="wall", thicknesses_mm=[200, 140], conductivities=[1, 0.035])
    assert wall == {"thermal_resistance": 4.37, "u_value": 0.229, "best_layer": 2}
    floor = call("calculate_u_value", element="floor", thicknesses_mm=[200, 140], conductivities=[1, 0.035])
    assert floor["thermal_resistance"] == 4.41
    assert refusal("calculate_u_value", element="wall", thicknesses_mm=[1, 2], conductivities=[1]) == "conductivities"


LAYERS = st.lists(st.tuples(st.floats(0.1, 2000), st.floats(0.005, 400)), min_size=2, max_size=12)


@given(LAYERS)
def test_every_layer_keeps_warm(layers: list[tuple[float, float]]) -> None:
    def u_value(some: list[tuple[float, float]]) -> float:
        thick, conduct = [layer[0] for layer in some], [layer[1] for layer in some]
        found: float = call("calculate_u_value", element="roof", thicknesses_mm=thick, conductivities=conduct)[
            "u_value"
        ]
        return found

    assert 0 <= u_value(layers) <= u_value(layers[1:]) < 7.15


def test_filling_a_tank() -> None:
    pool: Arguments = {"shape": "box", "height_m": 1.5, "width_m": 4, "length_m": 8, "filled_percent": 25}
    found = call("calculate_tank_filling", **pool, inflow_litres_per_minute=30, outflow_litres_per_minute=6)
    assert found == {"capacity_litres": 48_000, "missing_litres": 36_000, "minutes_to_full": 1_500}
    barrel: Arguments = {"shape": "cylinder", "height_m": 1, "width_m": 2, "filled_percent": 0}
    assert call("calculate_tank_filling", **barrel, inflow_litres_per_minute=1)["capacity_litres"] == 3_142
    assert refusal("calculate_tank_filling", **barrel, length_m=1, inflow_litres_per_minute=1) == "length_m"
    flows: Arguments = {"inflow_litres_per_minute": 5, "outflow_litres_per_minute": 5}
    assert refusal("calculate_tank_filling", **pool, **flows) == "inflow_litres_per_minute"


@given(st.floats(0, 100), st.floats(0.01, 1000))
def test_a_fuller_tank_is_full_sooner(filled: float, inflow: float) -> None:
    tank: Arguments = {"shape": "cylinder", "height_m": 2, "width_m": 2, "inflow_litres_per_minute": inflow}
    found = call("calculate_tank_filling", **tank, filled_percent=filled)
    empty = call("calculate_tank_filling", **tank, filled_percent=0)
    assert 0 <= found["minutes_to_full"] <= empty["minutes_to_full"]


def test_tools_are_lent_and_come_back() -> None:
    bank = empty_bank()
    drill: Arguments = {"tool_name": "Cordless Drill", "borrower": "Ann", "days": 7}
    lent = call("lend_tool", bank, **drill, accessories=["charger", "bits"])
    assert lent["due_on"] == "2026-03-11"
    call("lend_tool", bank, tool_name="ladder", borrower="Ben", days=2)
    assert refusal("lend_tool", bank, tool_name="cordless drill", borrower="Ben", days=1) == "tool_name"
    everything = call("list_lent_tools", bank)
    assert everything["lent_in_all"] == 2
    assert everything["lendings"][1] == f"{lent['lending_id']} cordless drill, Ann, 2026-03-11"
    assert call("list_lent_tools", bank, borrower="ann")["lent_in_all"] == 1
    assert call("list_lent_tools", bank, due_until="2026-03-06")["lendings"][0].endswith("ladder, Ben, 2026-03-06")
    back: Arguments = {"lending_id": lent["lending_id"], "condition": "worn", "missing_accessories": ["bits"]}
    assert refusal("return_lent_tool", bank, **back | {"missing_accessories": ["case"]}) == "missing_accessories"
    late = empty_bank(TODAY + timedelta(days=10)).fork(bank.snapshot())
    assert call("return_lent_tool", late, **back) == {"days_late": 3, "complete": False, "damaged": True}
    assert refusal("return_lent_tool", late, **back) == "lending_id"
    assert call("list_lent_tools", late)["lent_in_all"] == 1
    assert call("lend_tool", late, tool_name="cordless drill", borrower="Ben", days=1)["due_on"] == "2026-03-15"
    assert {change.table for change in late.diff()} == {"misc_lendings"}
    assert {change.after["owner"] for change in late.diff()} == {"misc"}


def test_what_cannot_be_lent_or_returned() -> None:
    assert refusal("lend_tool", tool_name="saw", borrower="Ann", days=1, condition="broken") == "condition"
    assert refusal("return_lent_tool", lending_id="LEND-123456", condition="good") == "lending_id"
    assert refusal("list_lent_tools", borrower="") == "borrower"
    assert call("list_lent_tools") == {"lendings": [], "lent_in_all": 0}
