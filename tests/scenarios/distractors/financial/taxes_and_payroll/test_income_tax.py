"""Tests of taxes_and_payroll/income_tax: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.taxes_and_payroll.values import cents, percents, refused

# Taxes

BRACKETS: dict[str, Any] = {"bracket_limits": [10_000, 40_000], "bracket_rates": [0, 20, 30]}


def test_a_progressive_tax() -> None:
    found = call("compute_progressive_tax", income=50_000, **BRACKETS)
    assert found == {
        "tax": 9000,  # 20 % of 30,000 and 30 % of 10,000
        "top_bracket": 3,
        "marginal_rate_percent": 30,
        "average_rate_percent": 18,
        "unused_credit": 0,
    }
    assert call("compute_progressive_tax", income=50_000, allowance=10_000, **BRACKETS)["tax"] == 6000
    split = call("compute_progressive_tax", income=50_000, splitting_persons=2, **BRACKETS)
    assert (split["tax"], split["top_bracket"]) == (6000, 2)  # twice 20 % of 15,000
    edge = call("compute_progressive_tax", income=40_000, **BRACKETS)
    assert (edge["tax"], edge["marginal_rate_percent"]) == (6000, 20)
    spared = call("compute_progressive_tax", income=11_000.03, tax_credit=250, **BRACKETS)
    assert (spared["tax"], spared["unused_credit"]) == (0, 49.99)  # 200.006 rounds to 200.01
    assert call("compute_progressive_tax", income=11_009, rounding="dollar_down", **BRACKETS)["tax"] == 201
    nothing = call("compute_progressive_tax", income=0, bracket_limits=[], bracket_rates=[15])
    assert (nothing["tax"], nothing["average_rate_percent"]) == (0, 0)


def test_brackets_that_are_refused() -> None:
    income: dict[str, Any] = {"income": 1000, "bracket_rates": [1, 2, 3]}
    assert refused("compute_progressive_tax", **income, bracket_limits=[50, 50]) == "bracket_limits"
    assert refused("compute_progressive_tax", **income, bracket_limits=[0, 50]) == "bracket_limits"
    assert refused("compute_progressive_tax", **income, bracket_limits=[50]) == "bracket_rates"


@given(cents, cents, st.lists(percents, min_size=3, max_size=3).map(sorted), st.integers(1, 6))
def test_more_income_never_means_less_tax(one: float, two: float, rates: list[float], persons: int) -> None:
    low, high = (
        call(
            "compute_progressive_tax",
            income=income,
            bracket_limits=[10_000, 40_000],
            bracket_rates=rates,
            splitting_persons=persons,
        )
        for income in sorted((one, two))
    )
    assert low["tax"] <= high["tax"] <= max(one, two) * rates[-1] / 100 + 0.01


# Pay


def test_grossing_up() -> None:
    found = call("gross_up_bonus", desired_net=600, income_tax_percent=30, social_percent=10)
    assert found == {
        "gross_bonus": 1000,
        "income_tax_and_social": 400,
        "net_bonus": 600,
        "gross_per_net_dollar": 1.6667,
    }
    # 10 % of 500 only, so that 70 % of the gross less 50 is 600.
    capped = call("gross_up_bonus", desired_net=600, income_tax_percent=30, social_percent=10, room_below_ceiling=500)
    assert capped["gross_bonus"] == 928.57
    assert call("gross_up_bonus", desired_net=600, income_tax_percent=40, fixed_deduction=60)["gross_bonus"] == 1100
    assert refused("gross_up_bonus", desired_net=1, income_tax_percent=50, social_percent=46) == "social_percent"


@given(st.integers(1, 10**9), percents, percents, cents, cents)
def test_the_gross_is_the_smallest_that_leaves_the_net(
    net: int, tax: float, social: float, room: float, fixed: float
) -> None:
    found = call(
        "gross_up_bonus",
        desired_net=net / 100,
        income_tax_percent=tax,
        social_percent=social,
        room_below_ceiling=room,
        fixed_deduction=fixed,
    )
    assert found["net_bonus"] == net / 100
    gross = round(found["gross_bonus"] * 100)
    assert gross - round(found["income_tax_and_social"] * 100) - round(fixed * 100) == net
