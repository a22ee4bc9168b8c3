"""Tests of home_and_garden/garden: expected values worked out by hand, or anew in another way."""

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.home_and_garden.values import Arguments, refusal

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
