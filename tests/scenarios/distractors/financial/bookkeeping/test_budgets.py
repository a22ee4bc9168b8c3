"""Tests of bookkeeping/budgets: expected values worked out by hand, or anew in another way."""

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.bookkeeping.values import cents, refused

# Budgets and shared costs


def test_budget_by_hand() -> None:
    lines: dict[str, Any] = {
        "line_names": ["Rent", "Travel", "Gifts"],
        "budgeted": [1_000, 200, 0],
        "actual": [1_050, 180, 0.01],
    }
    assert call("compare_budget_to_actual", **lines, line_kind="expense") == {
        "total_budgeted": 1_200,
        "total_actual": 1_230.01,
        "variance": -30.01,
        "variance_percent": -2.5,
        "lines_out_of_tolerance": ["Travel", "Gifts"],  # rent is over by just 5 %
    }
    wide = call("compare_budget_to_actual", **lines, line_kind="revenue", tolerance_percent=10)
    assert (wide["variance"], wide["lines_out_of_tolerance"]) == (30.01, ["Gifts"])
    empty: dict[str, Any] = {"line_names": ["Rent"], "budgeted": [0], "actual": [0], "line_kind": "expense"}
    assert call("compare_budget_to_actual", **empty)["variance_percent"] is None
    refused("compare_budget_to_actual", "line_names", **lines | {"line_names": ["A", "B", "A"]}, line_kind="expense")
    refused("compare_budget_to_actual", "budgeted", **lines | {"budgeted": [1, 2]}, line_kind="expense")
    refused("compare_budget_to_actual", "actual", **lines | {"actual": [1, 2]}, line_kind="expense")


@given(st.lists(st.tuples(st.integers(0, 10**8), st.integers(0, 10**8)), min_size=1, max_size=8))
def test_what_is_good_for_revenue_is_bad_for_expenses(lines: list[tuple[int, int]]) -> None:
    names = [f"Line {at}" for at in range(len(lines))]
    plans, facts = [plan / 100 for plan, _ in lines], [fact / 100 for _, fact in lines]
    up, down = (
        call("compare_budget_to_actual", line_names=names, budgeted=plans, actual=facts, line_kind=kind)
        for kind in ("revenue", "expense")
    )
    assert cents(up["variance"]) == -cents(down["variance"]) == sum(fact - plan for plan, fact in lines)
    outside = [name for name, (plan, fact) in zip(names, lines, strict=True) if 20 * abs(fact - plan) > plan]
    assert up["lines_out_of_tolerance"] == down["lines_out_of_tolerance"] == outside


def test_shared_cost_by_hand() -> None:
    names = ["Tellers", "Vault", "Canteen"]
    assert call("allocate_shared_cost", shared_cost=100, cost_centers=names, key_values=[1, 1, 1]) == {
        "cost_shares": [33.34, 33.33, 33.33],
        "share_percents": [33.33, 33.33, 33.33],
        "largest_center": "Tellers",
    }
    floors = call("allocate_shared_cost", shared_cost=1_000, cost_centers=names, key_values=[12.5, 25, 62.5])
    assert (floors["cost_shares"], floors["largest_center"]) == ([125, 250, 625], "Canteen")
    refused("allocate_shared_cost", "key_values", shared_cost=1, cost_centers=names, key_values=[0, 0, 0])
    refused("allocate_shared_cost", "key_values", shared_cost=1, cost_centers=names, key_values=[1, 2])
    refused("allocate_shared_cost", "cost_centers", shared_cost=1, cost_centers=["A", "A"], key_values=[1, 2])


@given(st.integers(0, 10**10), st.lists(st.floats(0, 10**6), min_size=1, max_size=30).filter(any))
def test_shares_add_up_and_are_within_a_cent(cost: int, keys: list[float]) -> None:
    names = [f"Center {at}" for at in range(len(keys))]
    shares = call("allocate_shared_cost", shared_cost=cost / 100, cost_centers=names, key_values=keys)["cost_shares"]
    assert sum(map(cents, shares)) == cost
    whole = sum(map(Fraction, keys))
    for share, key in zip(shares, keys, strict=True):
        assert abs(cents(share) - cost * Fraction(key) / whole) < 1 + Fraction(1, 100)  # keys are read as decimals
