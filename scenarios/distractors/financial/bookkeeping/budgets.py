"""Budgets against what was booked, and shared costs."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial._checks import Label, Share, check_length, check_unlike
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool


class BudgetVariance(Result):
    """Totals in dollars; the variance is positive when it is good for the result."""

    total_budgeted: float
    total_actual: float
    variance: float
    variance_percent: float | None
    lines_out_of_tolerance: list[str]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def compare_budget_to_actual(
    bank: Bank,
    line_names: Annotated[list[Label], Meta(min_length=1, max_length=30)],
    budgeted: Annotated[list[Money], Meta(min_length=1, max_length=30)],
    actual: Annotated[list[Money], Meta(min_length=1, max_length=30)],
    line_kind: Literal["revenue", "expense"],
    tolerance_percent: Share = 5,
) -> BudgetVariance:
    """Compare the lines of a department's budget with what was booked, and name the lines that deviate too far. The
    percentage of the budget is rounded to two decimals; there is none for a budget of zero.

    Args:
        line_names: Name of each budget line.
        budgeted: Planned amount of each line in dollars.
        actual: Booked amount of each line in dollars.
        line_kind: Whether the lines are revenue, where more is good, or expenses.
        tolerance_percent: Deviation either way, in percent of the budget, that still passes.
    """
    check_unlike("line_names", line_names)
    check_length("budgeted", budgeted, "line_names", line_names)
    check_length("actual", actual, "line_names", line_names)
    plans, facts = [to_cents(amount) for amount in budgeted], [to_cents(amount) for amount in actual]
    variance = (sum(facts) - sum(plans)) * (1 if line_kind == "revenue" else -1)
    share = exact(tolerance_percent) / 100
    lines = zip(line_names, plans, facts, strict=True)
    return BudgetVariance(
        total_budgeted=usd(sum(plans)),
        total_actual=usd(sum(facts)),
        variance=usd(variance),
        variance_percent=round_half_up(Fraction(10_000 * variance, sum(plans))) / 100 if any(plans) else None,
        lines_out_of_tolerance=[name for name, plan, fact in lines if abs(fact - plan) > plan * share],
    )


class CostShares(Result):
    """Share of each cost center in dollars and in percent, in the order given; the dollars add up to the cost."""

    cost_shares: list[float]
    share_percents: list[float]
    largest_center: str


@tool(category=Category.FINANCIAL_DISTRACTOR)
def allocate_shared_cost(
    bank: Bank,
    shared_cost: Money,
    cost_centers: Annotated[list[Label], Meta(min_length=1, max_length=30)],
    key_values: Annotated[list[Annotated[float, Meta(ge=0, le=1_000_000)]], Meta(min_length=1, max_length=30)],
) -> CostShares:
    """Allocate a shared cost such as rent or cleaning to cost centers by a key such as floor space or headcount. Shares
    are cut to cents and the cents left over go to the largest fractions, so that nothing is lost; percentages are
    rounded to two decimals.

    Args:
        shared_cost: The cost to be allocated, in dollars.
        cost_centers: The cost centers, each once.
        key_values: Value of the key for each cost center.
    """
    return allocate(
        shared_cost,
        cost_centers,
        key_values,
    )


def allocate(
    shared_cost: float,
    cost_centers: list[str],
    key_values: list[float],
) -> CostShares:
    """Share a cost by key values, to the cent; see the tool ``allocate_shared_cost``."""
    check_unlike("cost_centers", cost_centers)
    check_length("key_values", key_values, "cost_centers", cost_centers)
    keys = [exact(value) for value in key_values]
    whole = sum(keys)
    if not whole:
        raise invalid("key_values", "expected at least one value above 0, got only zeros")
    parts = [to_cents(shared_cost) * key / whole for key in keys]
    shares = [int(share) for share in parts]
    by_fraction = sorted(range(len(keys)), key=lambda at: (shares[at] - parts[at], at))
    for at in by_fraction[: to_cents(shared_cost) - sum(shares)]:
        shares[at] += 1
    return CostShares(
        cost_shares=[usd(share) for share in shares],
        share_percents=[round_half_up(10_000 * key / whole) / 100 for key in keys],
        largest_center=cost_centers[keys.index(max(keys))],
    )
