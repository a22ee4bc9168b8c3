"""Budgets and simple interest: by hand, and added up anew."""

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused

HOUSEHOLD: dict[str, Any] = {
    "net_monthly_income": 6_000,
    "monthly_housing_cost": 1_500,
    "monthly_debts": 400,
    "planned_monthly_payment": 500,
    "adults": 2,
}


def test_budget_by_hand() -> None:
    assert call("simulate_debt_to_income", **HOUSEHOLD) == {
        "living_costs": 1_770,  # 1,150 and 620
        "household_ratio_percent": 70.33,  # 4,220 of 6,000; the payment has risen to 550
        "left_over": 1_780,
        "verdict": "room_left",
    }
    family = call("simulate_debt_to_income", **HOUSEHOLD, children=2, vehicles=1, rate_rise_percent=0)
    assert (family["living_costs"], family["left_over"], family["verdict"]) == (2_970, 630, "room_left")
    assert call("simulate_debt_to_income", **HOUSEHOLD, children=3, vehicles=1)["verdict"] == "tight"
    assert call("simulate_debt_to_income", **HOUSEHOLD, children=4, vehicles=2)["verdict"] == "short"


LOAN: dict[str, Any] = {"loan_amount": 1_200, "annual_rate": 10, "term_months": 18, "installment": 100}


def test_payoff_by_hand() -> None:
    assert call("calculate_simple_payoff", **LOAN, fee_per_payment=1.5) == {
        "payments_in_all": 14,  # 1,200 and 180 of interest
        "last_payment": 80,
        "total_interest": 180,
        "total_fees": 21,
    }
    assert call("calculate_simple_payoff", **LOAN, paid_so_far=1_380 - 100)["payments_in_all"] == 1
    refused("paid_so_far", "calculate_simple_payoff", **LOAN, paid_so_far=1_380)
    refused("installment", "calculate_simple_payoff", **LOAN | {"installment": 1.14})


@given(st.integers(100, 10**7), st.integers(0, 60), st.integers(1, 480), st.integers(10_000, 10**6))
def test_installments_pay_what_is_owed(amount: int, rate: int, months: int, each: int) -> None:
    plan = (
        call(
            "calculate_simple_payoff",
            loan_amount=amount / 100,
            annual_rate=rate,
            term_months=months,
            installment=each / 100,
        )
        if amount * (1200 + rate * months) <= 1200 * each * 1200
        else None
    )
    if plan is not None:
        interest, last = round(plan["total_interest"] * 100), round(plan["last_payment"] * 100)
        assert abs(interest - Fraction(amount * rate * months, 1200)) <= Fraction(1, 2)
        assert each * (plan["payments_in_all"] - 1) + last == amount + interest and 0 < last <= each
