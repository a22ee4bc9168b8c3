"""A household's budget with a planned loan, and loans with simple interest."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, percent, round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial.personal_lending._leaflets import leaflets
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool

_MOST_PAYMENTS = 1200


class BudgetSimulation(Result):
    """Dollars a month; the ratio takes in living costs and is of take-home pay."""

    living_costs: Money
    household_ratio_percent: float
    left_over: float
    verdict: Literal["room_left", "tight", "short"]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def simulate_debt_to_income(
    bank: Bank,
    net_monthly_income: Annotated[float, Meta(ge=1, le=1_000_000, extra={"unit": "usd"})],
    monthly_housing_cost: Money,
    monthly_debts: Money,
    planned_monthly_payment: Money,
    adults: Annotated[int, Meta(ge=1, le=8)],
    children: Annotated[int, Meta(ge=0, le=12)] = 0,
    vehicles: Annotated[int, Meta(ge=0, le=6)] = 0,
    rate_rise_percent: Annotated[float, Meta(ge=0, le=100, extra={"unit": "percent"})] = 10,
) -> BudgetSimulation:
    """Simulate for the bank's money school what a household can afford: compare debts, housing, living costs and a
    risen payment with take-home pay. It is not the lending policy's debt-to-income ratio and knows none of its limits.

    Args:
        net_monthly_income: Pay a month after tax, in dollars.
        monthly_housing_cost: Rent or housing a month, in dollars.
        monthly_debts: Other payments a month, in dollars.
        planned_monthly_payment: Payment that is planned, in dollars.
        adults: Adults in the household.
        children: Children in the household.
        vehicles: Cars to be kept.
        rate_rise_percent: By how much the planned payment might rise.
    """
    table, pay = leaflets().living_costs, to_cents(net_monthly_income)
    living = table.first_adult + table.further_adult * (adults - 1) + table.child * children + table.vehicle * vehicles
    stressed = round_half_up(to_cents(planned_monthly_payment) * (1 + exact(rate_rise_percent) / 100))
    spent = 100 * living + to_cents(monthly_housing_cost) + to_cents(monthly_debts) + stressed
    tight = 10 * (pay - spent) < pay
    return BudgetSimulation(
        living_costs=float(living),
        household_ratio_percent=percent(spent, pay),
        left_over=usd(pay - spent),
        verdict="short" if spent > pay else "tight" if tight else "room_left",
    )


class SimplePayoff(Result):
    """Payments until nothing is owed, in dollars; the last one is what is left."""

    payments_in_all: int
    last_payment: Money
    total_interest: Money
    total_fees: Money


@tool(category=Category.FINANCIAL_DISTRACTOR)
def calculate_simple_payoff(
    bank: Bank,
    loan_amount: Annotated[float, Meta(ge=1, le=1_000_000, extra={"unit": "usd"})],
    annual_rate: Annotated[float, Meta(ge=0, le=60)],
    term_months: Annotated[int, Meta(ge=1, le=480)],
    installment: Annotated[float, Meta(ge=1, le=1_000_000, extra={"unit": "usd"})],
    fee_per_payment: Money = 0,
    paid_so_far: Money = 0,
) -> SimplePayoff:
    """Calculate how many installments pay off a store or family loan with simple interest on the first amount, as such
    loans have. The bank's own loans charge interest on the balance: it is not for them.

    Args:
        loan_amount: Amount borrowed at first, in dollars.
        annual_rate: Simple interest a year, in percent of that amount.
        term_months: Months for which interest is added at the start.
        installment: Each payment in dollars, without the fee.
        fee_per_payment: Fee with each payment, in dollars.
        paid_so_far: What has been paid on it, in dollars.
    """
    amount, each = to_cents(loan_amount), to_cents(installment)
    interest = round_half_up(amount * exact(annual_rate) * Fraction(term_months, 1200))
    owed = amount + interest - to_cents(paid_so_far)
    if owed <= 0:
        raise invalid("paid_so_far", f"expected less than what is owed in all, {usd(amount + interest)}")
    count = ceil(Fraction(owed, each))
    if count > _MOST_PAYMENTS:
        raise invalid("installment", f"expected one that pays it off in {_MOST_PAYMENTS} payments, got {installment}")
    return SimplePayoff(
        payments_in_all=count,
        last_payment=usd(owed - each * (count - 1)),
        total_interest=usd(interest),
        total_fees=usd(to_cents(fee_per_payment) * count),
    )
