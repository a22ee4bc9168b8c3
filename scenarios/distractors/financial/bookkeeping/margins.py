"""Break-even and commissions of sales."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, percent, round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial._checks import Share, UnitPrice, check_length
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool


class BreakEven(Result):
    """Break-even in units and dollars, and the room above it; a negative margin is a planned loss."""

    break_even_units: int
    break_even_sales: float
    margin_of_safety_units: int
    margin_of_safety_percent: float
    planned_profit: float
    units_for_target: int


@tool(category=Category.FINANCIAL_DISTRACTOR)
def analyze_break_even(
    bank: Bank,
    unit_price: UnitPrice,
    variable_unit_cost: UnitPrice,
    fixed_costs: Money,
    planned_units: Annotated[int, Meta(ge=1, le=10_000_000)],
    target_profit: Money = 0,
    profit_tax_percent: Annotated[float, Meta(ge=0, le=90, extra={"unit": "percent"})] = 0,
) -> BreakEven:
    """Find how many units of a product must be sold to cover its costs or reach a profit, and the margin of safety of
    a plan. Units are rounded up, the percentage to two decimals.

    Args:
        unit_price: Selling price of a unit in dollars.
        variable_unit_cost: Cost that each unit causes, in dollars.
        fixed_costs: Costs of the period that do not depend on units, in dollars.
        planned_units: Units planned to be sold.
        target_profit: Profit wanted after tax, in dollars.
        profit_tax_percent: Tax on the profit in percent; the planned profit is before it.
    """
    return find_break_even(
        unit_price, variable_unit_cost, fixed_costs, planned_units, target_profit, profit_tax_percent
    )


def find_break_even(
    unit_price: float,
    variable_unit_cost: float,
    fixed_costs: float,
    planned_units: int,
    target_profit: float,
    profit_tax_percent: float,
) -> BreakEven:
    """Find the break-even of a product; see the tool ``analyze_break_even``."""
    price, fixed = to_cents(unit_price), to_cents(fixed_costs)
    contribution = price - to_cents(variable_unit_cost)
    if contribution <= 0:
        raise invalid("variable_unit_cost", f"expected less than the price, {unit_price}, got {variable_unit_cost}")
    before_tax = to_cents(target_profit) / (1 - exact(profit_tax_percent) / 100)
    units = -(-fixed // contribution)
    margin = planned_units - units
    return BreakEven(
        break_even_units=units,
        break_even_sales=usd(units * price),
        margin_of_safety_units=margin,
        margin_of_safety_percent=round_half_up(Fraction(10_000 * margin, planned_units)) / 100,
        planned_profit=usd(planned_units * contribution - fixed),
        units_for_target=-(-(fixed + before_tax) // contribution),
    )


class Commission(Result):
    """A commission in dollars; ``tier_reached`` counts from 1, ``carried_over`` is an advance not yet earned."""

    commission: float
    tier_reached: int
    effective_percent: float
    payout: float
    carried_over: float


@tool(category=Category.FINANCIAL_DISTRACTOR)
def calculate_sales_commission(
    bank: Bank,
    sales_amount: Money,
    tier_starts: Annotated[list[Money], Meta(min_length=1, max_length=10)],
    tier_percents: Annotated[list[Share], Meta(min_length=1, max_length=10)],
    tier_mode: Literal["each_part_at_its_tier", "all_at_highest_tier"],
    returned_goods: Money = 0,
    advance_paid: Money = 0,
) -> Commission:
    """Calculate a salesperson's commission from tiers, after returned goods and an advance on it. The commission is
    rounded to cents, halves up, the effective percentage to two decimals.

    Args:
        sales_amount: Sales of the period in dollars.
        tier_starts: Sales at which each tier begins, rising, the first 0, in dollars.
        tier_percents: Commission of each tier in percent.
        tier_mode: Whether each part of the sales earns its own tier's percentage or all the highest tier reached.
        returned_goods: Value of goods that came back, in dollars.
        advance_paid: Commission paid in advance, in dollars.
    """
    return earn_commission(
        sales_amount,
        tier_starts,
        tier_percents,
        tier_mode,
        returned_goods,
        advance_paid,
    )


def earn_commission(
    sales_amount: float,
    tier_starts: list[float],
    tier_percents: list[float],
    tier_mode: str,
    returned_goods: float,
    advance_paid: float,
) -> Commission:
    """Work out a commission; see the tool ``calculate_sales_commission``."""
    check_length("tier_percents", tier_percents, "tier_starts", tier_starts)
    starts = [to_cents(start) for start in tier_starts]
    if starts[0] or any(low >= high for low, high in pairwise(starts)):
        raise invalid("tier_starts", f"expected rising amounts with 0 first, got {tier_starts}")
    sales = to_cents(sales_amount) - to_cents(returned_goods)
    if sales < 0:
        raise invalid("returned_goods", f"expected at most the sales, {sales_amount}, got {returned_goods}")
    tier = sum(start <= sales for start in starts)
    rates = [exact(rate) / 100 for rate in tier_percents]
    if tier_mode == "all_at_highest_tier":
        earned = round_half_up(sales * rates[tier - 1])
    else:
        ends = [*starts[1:tier], sales]
        parts = zip(starts[:tier], ends, rates[:tier], strict=True)
        earned = round_half_up(sum(((end - start) * rate for start, end, rate in parts), Fraction(0)))
    payout = earned - to_cents(advance_paid)
    return Commission(
        commission=usd(earned),
        tier_reached=tier,
        effective_percent=percent(earned, sales) if sales else 0,
        payout=usd(max(payout, 0)),
        carried_over=usd(max(-payout, 0)),
    )
