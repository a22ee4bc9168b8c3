"""Taxes by brackets, and a bonus grossed up for them."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial.taxes_and_payroll import _payroll_sums as sums
from teller_gym.scenarios.distractors.financial.taxes_and_payroll._payroll_sums import share
from teller_gym.scenarios.distractors.financial.taxes_and_payroll._payroll_types import Rate
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool


class ProgressiveTax(Result):
    """The tax after the credit; ``top_bracket`` counts from 1, the rates are percent."""

    tax: Money
    top_bracket: int
    marginal_rate_percent: float
    average_rate_percent: float
    unused_credit: Money


@tool(category=Category.FINANCIAL_DISTRACTOR)
def compute_progressive_tax(
    bank: Bank,
    income: Money,
    bracket_limits: Annotated[list[Money], Meta(max_length=12)],
    bracket_rates: Annotated[list[Rate], Meta(min_length=1, max_length=13)],
    allowance: Money = 0,
    tax_credit: Money = 0,
    splitting_persons: Annotated[int, Meta(ge=1, le=6)] = 1,
    rounding: Literal["cent", "dollar_down"] = "cent",
) -> ProgressiveTax:
    """Compute a progressive income tax from given brackets; each rate applies to the income within its bracket.

    Args:
        income: Income of the year before the allowance, in dollars.
        bracket_limits: Upper limits of all brackets but the last, ascending, in dollars.
        bracket_rates: Rate of each bracket in percent, one more than there are limits.
        allowance: Part of the income that is free of tax, in dollars.
        tax_credit: Taken off the tax, down to zero, in dollars.
        splitting_persons: The income is divided among so many, taxed, and the tax multiplied again.
        rounding: Whether tax is rounded to cents, halves up, or down to dollars; the average rate has two decimals.
    """
    limits = [to_cents(limit) for limit in bracket_limits]
    if any(lower >= upper for lower, upper in zip([0, *limits], limits, strict=False)):
        raise invalid("bracket_limits", f"expected ascending limits above 0, got {bracket_limits}")
    sums.check_length("bracket_rates", bracket_rates, len(limits) + 1, "brackets")
    taxed = max(0, to_cents(income) - to_cents(allowance))
    due, top = sums.tax_by_brackets(taxed, splitting_persons, limits, bracket_rates)
    before_credit = round_half_up(due) if rounding == "cent" else floor(due / 100) * 100
    tax = max(0, before_credit - to_cents(tax_credit))
    return ProgressiveTax(
        tax=usd(tax),
        top_bracket=top + 1,
        marginal_rate_percent=bracket_rates[top],
        average_rate_percent=sums.rounded(Fraction(100 * tax, to_cents(income)), 2) if income else 0,
        unused_credit=usd(max(0, to_cents(tax_credit) - before_credit)),
    )


class GrossedUpBonus(Result):
    """The bonus before deductions, and what comes of it."""

    gross_bonus: Money
    income_tax_and_social: Money
    net_bonus: Money
    gross_per_net_dollar: float


@tool(category=Category.FINANCIAL_DISTRACTOR)
def gross_up_bonus(
    bank: Bank,
    desired_net: Annotated[float, Meta(ge=0.01, le=10_000_000, extra={"unit": "usd"})],
    income_tax_percent: Rate,
    social_percent: Rate = 0,
    room_below_ceiling: Money | None = None,
    fixed_deduction: Annotated[float, Meta(ge=0, le=1_000_000, extra={"unit": "usd"})] = 0,
) -> GrossedUpBonus:
    """Find the smallest gross bonus that leaves a promised net after flat deductions, rounded to cents together.

    Args:
        desired_net: What the employee shall keep, in dollars.
        income_tax_percent: Flat income tax on the whole bonus, in percent.
        social_percent: Social contributions in percent.
        room_below_ceiling: Part of the bonus that still bears social contributions, in dollars; all of it if left out.
        fixed_deduction: Fixed amount taken off besides, in dollars.
    """
    tax, social = share(income_tax_percent), share(social_percent)
    if tax + social > Fraction(95, 100):
        raise invalid("social_percent", f"expected at most 95 with the income tax, got {100 * float(tax + social):g}")
    room = None if room_below_ceiling is None else to_cents(room_below_ceiling)
    fixed, wanted = to_cents(fixed_deduction), to_cents(desired_net)

    gross, deducted = sums.gross_for(wanted + fixed, tax, social, room)
    return GrossedUpBonus(
        gross_bonus=usd(gross),
        income_tax_and_social=usd(deducted),
        net_bonus=usd(gross - deducted - fixed),
        gross_per_net_dollar=sums.rounded(Fraction(gross, wanted), 4),
    )
