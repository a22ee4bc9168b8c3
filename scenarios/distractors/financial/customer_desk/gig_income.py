"""Income from platforms, for those who plan their year."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial._banking import Share
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool

Payouts = Annotated[list[Money], Meta(min_length=1, max_length=24)]


class GigIncome(Result):
    """Dollars a month that are left, and how far the best month lies above the mean."""

    monthly_income: float
    monthly_costs: Money
    set_aside_for_tax: Money
    best_month_percent: float
    pay_pattern: Literal["steady", "uneven", "seasonal"]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def estimate_gig_income(
    bank: Bank,
    gross_pay: Payouts,
    platform_fee_percent: Share,
    miles_driven: Annotated[int, Meta(ge=0, le=200_000)],
    cents_per_mile: Annotated[int, Meta(ge=1, le=200)],
    hours_per_week: Annotated[float, Meta(ge=1, le=100)],
    equipment_costs: Money = 0,
    tax_reserve_percent: Share = 25,
    pay_type: Literal["rides", "delivery", "rooms", "freelance"] = "freelance",
) -> GigIncome:
    """Estimate what is left a month of payouts from platforms after fees, miles and a reserve for tax, for the money
    school's year planner. Nothing is verified with an employer; it is no qualifying income.

    Args:
        gross_pay: Payouts of each month in dollars.
        platform_fee_percent: What the platform keeps, in percent.
        miles_driven: Miles in all these months.
        cents_per_mile: Cost of a mile in cents; rooms have none.
        hours_per_week: Hours of work a week; below 10 the pattern is seasonal.
        equipment_costs: Equipment in all these months, in dollars.
        tax_reserve_percent: Part of what is left that is set aside for tax, in percent.
        pay_type: Kind of work.
    """
    months, paid = len(gross_pay), [to_cents(pay) for pay in gross_pay]
    total = sum(paid)
    if total == 0:
        raise invalid("gross_pay", "expected a payout above 0 in some month")
    driven = 0 if pay_type == "rooms" else miles_driven * cents_per_mile
    fees = total * exact(platform_fee_percent) / 100
    costs = fees + driven + to_cents(equipment_costs)
    left = total - costs
    tax = max(Fraction(0), left) * exact(tax_reserve_percent) / 100
    best = Fraction(100 * max(paid) * months, total) - 100
    uneven: Literal["steady", "uneven"] = "uneven" if best > 25 else "steady"
    return GigIncome(
        monthly_income=usd(round_half_up((left - tax) / months)),
        monthly_costs=usd(round_half_up(costs / months)),
        set_aside_for_tax=usd(round_half_up(tax / months)),
        best_month_percent=round_half_up(best * 100) / 100,
        pay_pattern="seasonal" if hours_per_week < 10 else uneven,
    )
