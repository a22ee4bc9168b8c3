"""Tests of bookkeeping/margins: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.bookkeeping.values import refused

# Break-even

PRODUCT: dict[str, Any] = {"unit_price": 25, "variable_unit_cost": 15, "fixed_costs": 1_005, "planned_units": 150}


def test_break_even_by_hand() -> None:
    assert call("analyze_break_even", **PRODUCT, target_profit=300, profit_tax_percent=25) == {
        "break_even_units": 101,
        "break_even_sales": 2_525,
        "margin_of_safety_units": 49,
        "margin_of_safety_percent": 32.67,
        "planned_profit": 495,
        "units_for_target": 141,  # 1,405 over 10
    }
    assert call("analyze_break_even", **PRODUCT | {"planned_units": 80})["margin_of_safety_percent"] == -26.25
    refused("analyze_break_even", "variable_unit_cost", **PRODUCT | {"variable_unit_cost": 25})


@given(st.integers(1, 10**6), st.integers(0, 10**6), st.integers(0, 10**8), st.integers(1, 10**6))
def test_break_even_is_the_first_unit_count_without_loss(margin: int, variable: int, fixed: int, planned: int) -> None:
    result = call(
        "analyze_break_even",
        unit_price=(variable + margin) / 100,
        variable_unit_cost=variable / 100,
        fixed_costs=fixed / 100,
        planned_units=planned,
    )
    units = result["break_even_units"]
    assert units * margin >= fixed > (units - 1) * margin or units == fixed == 0
    assert (result["planned_profit"] >= 0) == (planned >= units)
    assert result["units_for_target"] == units


# Commissions

TIERS: dict[str, Any] = {"tier_starts": [0, 10_000, 50_000], "tier_percents": [2, 3, 5]}
PARTS: dict[str, Any] = {"tier_mode": "each_part_at_its_tier"}
HIGHEST: dict[str, Any] = {"tier_mode": "all_at_highest_tier"}


def test_commission_by_hand() -> None:
    assert call(
        "calculate_sales_commission", sales_amount=62_000, returned_goods=2_000, advance_paid=1_000, **TIERS, **PARTS
    ) == {
        "commission": 1_900,  # 200 + 1,200 + 500
        "tier_reached": 3,
        "effective_percent": 3.17,
        "payout": 900,
        "carried_over": 0,
    }
    flat = call("calculate_sales_commission", sales_amount=49_999, advance_paid=1_500, **TIERS, **HIGHEST)
    assert (flat["commission"], flat["tier_reached"], flat["carried_over"]) == (1_499.97, 2, 0.03)
    assert call("calculate_sales_commission", sales_amount=50_000, **TIERS, **HIGHEST)["commission"] == 2_500
    assert call("calculate_sales_commission", sales_amount=0, **TIERS, **PARTS)["effective_percent"] == 0


def test_commissions_that_cannot_be() -> None:
    refused("calculate_sales_commission", "returned_goods", sales_amount=1, returned_goods=2, **TIERS, **PARTS)
    for starts in ([1, 2, 3], [0, 2, 2]):
        refused("calculate_sales_commission", "tier_starts", sales_amount=1, **TIERS | {"tier_starts": starts}, **PARTS)
    refused("calculate_sales_commission", "tier_percents", sales_amount=1, **TIERS | {"tier_percents": [1]}, **PARTS)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_more_sales_never_earn_less(one: int, other: int) -> None:
    for mode in (PARTS, HIGHEST):
        low, high = (
            call("calculate_sales_commission", sales_amount=amount / 100, **TIERS, **mode)["commission"]
            for amount in sorted((one, other))
        )
        assert low <= high <= max(one, other) / 100 * 0.05 + 0.01
