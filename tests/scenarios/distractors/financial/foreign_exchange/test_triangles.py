"""Tests of foreign_exchange/triangles: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.foreign_exchange.values import refused

rates = st.integers(1, 10**6).map(lambda n: n / 1000)


def test_rate_triangles() -> None:
    rates: dict[str, Any] = {"rate_a_to_b": 2, "rate_b_to_c": 3, "tolerance_basis_points": 5, "start_amount": 100}
    agreed = call("check_rate_triangle", **rates, rate_a_to_c=6)
    assert agreed == {
        "implied_rate": 6,
        "gap_basis_points": 0,
        "within_tolerance": True,
        "better_loop": "a_b_c_a",
        "end_amount": 100,
    }
    off = call("check_rate_triangle", **rates, rate_a_to_c=5, leg_cost_percent=10)
    assert (off["gap_basis_points"], off["within_tolerance"], off["end_amount"]) == (2000, False, 87.48)
    other = call("check_rate_triangle", **rates, rate_a_to_c=8)
    assert (other["gap_basis_points"], other["better_loop"], other["end_amount"]) == (-2500, "a_c_b_a", 133.33)


@given(rates, rates, rates)
def test_without_cost_the_better_loop_loses_nothing(first: float, second: float, direct: float) -> None:
    found = call(
        "check_rate_triangle",
        rate_a_to_b=first,
        rate_b_to_c=second,
        rate_a_to_c=direct,
        tolerance_basis_points=0,
        start_amount=1000,
    )
    assert found["end_amount"] >= 1000
    assert (found["better_loop"] == "a_b_c_a") == (found["gap_basis_points"] >= 0)


def test_purchasing_power() -> None:
    basket: dict[str, Any] = {
        "home_currency": "USD",
        "away_currency": "SGD",
        "items": ["coffee", "bread"],
        "quantities": [10, 2],
        "home_prices": [3, 5],
        "away_prices": [4, 10],
    }
    assert call("compare_purchasing_power", **basket, market_rate=2) == {
        "home_basket": 40,
        "away_basket": 60,
        "parity_rate": 1.5,
        "market_rate": 2,
        "away_price_level_percent": 75,
        "cheapest_away": "coffee",
        "dearest_away": "bread",
    }
    by_card = call("compare_purchasing_power", **basket)
    assert (by_card["market_rate"], by_card["away_price_level_percent"]) == (1.285, 116.73)  # 150 / 1.285
    assert refused("compare_purchasing_power", **{**basket, "quantities": [1]}) == "quantities"
    assert refused("compare_purchasing_power", **{**basket, "away_currency": "USD"}) == "away_currency"


@given(st.lists(st.tuples(rates, rates, rates), min_size=1, max_size=20))
def test_parity_lies_between_the_price_ratios(goods: list[tuple[float, float, float]]) -> None:
    found = call(
        "compare_purchasing_power",
        home_currency="USD",
        away_currency="EUR",
        items=[f"good {number}" for number in range(len(goods))],
        quantities=[good[0] for good in goods],
        home_prices=[good[1] for good in goods],
        away_prices=[good[2] for good in goods],
    )
    ratios = [away / home for _, home, away in goods]
    assert min(ratios) * 0.99999 <= found["parity_rate"] <= max(ratios) * 1.00001
