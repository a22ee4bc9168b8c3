"""Repayment schedules: one loan month by month, and two offers side by side."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import level_payment, round_half_up, to_cents, usd
from teller_gym.scenarios.loans.tools.aux_reference import AnnualRate, check_rate
from teller_gym.scenarios.loans.tools.types import Months
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool

FeePercent = Annotated[float, Meta(ge=0, le=20)]


class Row(NamedTuple):
    """One month of a schedule, in cents; ``balance`` is what is owed after it."""

    number: int
    interest: int
    principal: int
    balance: int


def schedule(principal: int, annual_rate: float, months: int, extra: int = 0) -> Iterator[Row]:
    """Yield the months of a loan with level payments; interest is rounded to a cent, the last month clears the rest.

    Args:
        principal: cents borrowed.
        annual_rate: percent.
        months: term.
        extra: cents paid each month on top of the level payment.
    """
    payment = level_payment(principal, annual_rate, months) + extra
    rate = Fraction(repr(annual_rate)) / 1200
    balance, number = principal, 0
    while balance > 0:
        number += 1
        interest = round_half_up(balance * rate)
        paid_back = balance if number == months else min(balance, payment - interest)
        balance -= paid_back
        yield Row(number, interest, paid_back, balance)


def months_after(day: date, months: int) -> date:
    """Return the same day ``months`` months later, or the last day of that month if it is shorter.

    Raises:
        ValueError: the year would pass 9999.
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


class AmortizationSchedule(Result):
    """Totals of a schedule and some of its ``payments``: number, due_date, interest, principal, balance (dollars)."""

    level_payment: Money
    payments_in_all: int
    last_due_date: date
    total_interest: Money
    payments: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def build_amortization_schedule(
    bank: Bank,
    loan_amount: Money,
    annual_rate: AnnualRate,
    term_months: Months,
    first_due_date: date,
    extra_monthly_payment: Money = 0,
    show_from_payment: Months = 1,
    show_payments: Annotated[int, Meta(ge=1, le=6)] = 3,
) -> AmortizationSchedule:
    """Build the repayment schedule of a loan with level monthly payments. For illustration; nothing is recorded.

    Args:
        loan_amount: Amount borrowed, in dollars.
        annual_rate: Rate in percent.
        term_months: Term.
        first_due_date: Day of the first payment; later ones fall on the same day of the month, or on its last day.
        extra_monthly_payment: Paid each month on top, in dollars; shortens the loan.
        show_from_payment: Number of the first payment to show.
        show_payments: How many payments to show.
    """
    amount, extra = _amount(loan_amount), to_cents(extra_monthly_payment)
    check_rate(annual_rate, "annual_rate")
    rows = list(schedule(amount, annual_rate, term_months, extra))
    if show_from_payment > len(rows):
        raise invalid("show_from_payment", f"expected 1 to {len(rows)}, the last payment, got {show_from_payment}")
    first = show_from_payment - 1
    try:
        last_due_date = months_after(first_due_date, len(rows) - 1)
    except ValueError:
        raise invalid("first_due_date", f"the schedule passes the year 9999, got {first_due_date}") from None
    return AmortizationSchedule(
        level_payment=usd(level_payment(amount, annual_rate, term_months)),
        payments_in_all=len(rows),
        last_due_date=last_due_date,
        total_interest=usd(sum(row.interest for row in rows)),
        payments=[
            {
                "number": row.number,
                "due_date": months_after(first_due_date, row.number - 1).isoformat(),
                "interest": usd(row.interest),
                "principal": usd(row.principal),
                "balance": usd(row.balance),
            }
            for row in rows[first : first + show_payments]
        ],
    )


def _amount(loan_amount: float) -> int:
    cents = to_cents(loan_amount)
    if cents == 0:
        raise invalid("loan_amount", "expected an amount above 0")
    return cents


class OfferComparison(Result):
    """Level payments, and costs (interest and fee) until the loan is paid off after the months it is kept; dollars."""

    payment_a: Money
    payment_b: Money
    cost_a: Money
    cost_b: Money
    cheaper: Literal["a", "b", "equal"]


@tool(category=Category.AUXILIARY)
def compare_loan_offers(
    bank: Bank,
    loan_amount: Money,
    months_kept: Months,
    annual_rate_a: AnnualRate,
    term_months_a: Months,
    fee_percent_a: FeePercent,
    annual_rate_b: AnnualRate,
    term_months_b: Months,
    fee_percent_b: FeePercent,
) -> OfferComparison:
    """Compare what two offers cost a customer who keeps the loan for some months. For advice; no offer is quoted.

    Args:
        loan_amount: Amount borrowed under either offer, in dollars.
        months_kept: After how many months the rest is paid off; an offer with a shorter term ends with its term.
        annual_rate_a: Rate of offer A in percent.
        term_months_a: Term of offer A.
        fee_percent_a: Fee of offer A in percent of the amount.
        annual_rate_b: Rate of offer B in percent.
        term_months_b: Term of offer B.
        fee_percent_b: Fee of offer B in percent of the amount.
    """
    amount = _amount(loan_amount)
    for field, value in (
        ("annual_rate_a", annual_rate_a),
        ("annual_rate_b", annual_rate_b),
        ("fee_percent_a", fee_percent_a),
        ("fee_percent_b", fee_percent_b),
    ):
        check_rate(value, field)
    cost_a = _cost(amount, annual_rate_a, term_months_a, fee_percent_a, months_kept)
    cost_b = _cost(amount, annual_rate_b, term_months_b, fee_percent_b, months_kept)
    return OfferComparison(
        payment_a=usd(level_payment(amount, annual_rate_a, term_months_a)),
        payment_b=usd(level_payment(amount, annual_rate_b, term_months_b)),
        cost_a=usd(cost_a),
        cost_b=usd(cost_b),
        cheaper="equal" if cost_a == cost_b else "a" if cost_a < cost_b else "b",
    )


def _cost(amount: int, annual_rate: float, months: int, fee_percent: float, months_kept: int) -> int:
    fee = round_half_up(amount * Fraction(repr(fee_percent)) / 100)
    return fee + sum(row.interest for row in schedule(amount, annual_rate, months) if row.number <= months_kept)
