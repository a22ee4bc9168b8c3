"""Payslips added up, and a tip pool shared out."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial.taxes_and_payroll import _payroll_sums as sums
from teller_gym.scenarios.distractors.financial.taxes_and_payroll._payroll_sums import share
from teller_gym.scenarios.distractors.financial.taxes_and_payroll._payroll_types import Hours, Rate
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool

_LEAST_WEIGHT = exact(0.000001)
"""Hours times points, of all together: less is less than a hundredth of an hour with a ten-thousandth of a point."""


class PayslipCheck(Result):
    """``lines_off`` are positions of deductions, from 1; ``net_difference`` is the stated net less the one expected."""

    fits: bool
    lines_off: list[int]
    expected_deductions: list[Money]
    net_of_stated_lines: float
    net_difference: float


@tool(category=Category.FINANCIAL_DISTRACTOR)
def check_payslip_lines(
    bank: Bank,
    gross_pay: Money,
    deduction_percents: Annotated[list[Rate], Meta(min_length=1, max_length=15)],
    deduction_amounts: Annotated[list[Money], Meta(min_length=1, max_length=15)],
    stated_net: Money,
    tolerance_cents: Annotated[int, Meta(ge=0, le=100)] = 1,
) -> PayslipCheck:
    """Check a payslip: each deduction against its percentage of the gross pay, and the net against the deductions.

    Args:
        gross_pay: Gross pay in dollars.
        deduction_percents: Percentage of each deduction line.
        deduction_amounts: Stated amount of each line in dollars, in the same order.
        stated_net: Stated net pay in dollars.
        tolerance_cents: Difference of a line, in cents, that still passes as rounding; the net must fit exactly.
    """
    sums.check_length("deduction_amounts", deduction_amounts, len(deduction_percents), "percentages")
    gross, stated = to_cents(gross_pay), [to_cents(amount) for amount in deduction_amounts]
    expected = [round_half_up(gross * share(rate)) for rate in deduction_percents]
    lines = enumerate(zip(stated, expected, strict=True), 1)
    off = [number for number, (line, right) in lines if abs(line - right) > tolerance_cents]
    net = gross - sum(stated)
    return PayslipCheck(
        fits=not off and net == to_cents(stated_net),
        lines_off=off,
        expected_deductions=[usd(amount) for amount in expected],
        net_of_stated_lines=usd(net),
        net_difference=usd(to_cents(stated_net) - net),
    )


class TipShares(Result):
    """Shares in the order of the hours; they add up to the pool."""

    shares: list[Money]
    tips_per_weighted_hour: float
    cents_spread: int


@tool(category=Category.FINANCIAL_DISTRACTOR)
def share_tip_pool(
    bank: Bank,
    total_tips: Money,
    hours: Annotated[list[Hours], Meta(min_length=1, max_length=40)],
    points: Annotated[
        list[Annotated[float, Meta(ge=0, le=10, extra={"unit": "factor"})]], Meta(min_length=1, max_length=40)
    ]
    | None = None,
) -> TipShares:
    """Share a pool of tips by hours, or by hours times points; left-over cents go to the largest fractions.

    Args:
        total_tips: The pool in dollars.
        hours: Hours of each person.
        points: Points of each person's job, in the same order, four decimals at most; everybody has one if left out.
    """
    factors = points if points is not None else [1.0] * len(hours)
    sums.check_length("points", factors, len(hours), "persons")
    weights = [exact(time) * exact(factor) for time, factor in zip(hours, factors, strict=True)]
    if not any(weights):
        raise invalid("hours", "expected somebody with hours and points above 0, got none")
    if (weighted := sums.total(weights)) < _LEAST_WEIGHT:
        raise invalid(
            "hours", f"expected hours times points of {float(_LEAST_WEIGHT):g} at least, got {float(weighted):g}"
        )
    shares, spread = sums.hand_out(to_cents(total_tips), weights)
    hourly = sums.rounded(to_cents(total_tips) / weighted / 100, 4)
    return TipShares(shares=list(map(usd, shares)), tips_per_weighted_hour=hourly, cents_spread=spread)
