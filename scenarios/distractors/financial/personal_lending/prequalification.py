"""What a visitor is told before an application: chances and advertised rates."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import round_half_up, to_cents
from teller_gym.scenarios.distractors.financial._banking import Months, ScoreBand
from teller_gym.scenarios.distractors.financial.personal_lending._leaflets import (
    Campaign,
    Employment,
    LeafletProduct,
    leaflets,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool


class EligibilityEstimate(Result):
    """Points of the leaflet, at most 100, and the ``weakest_point`` of what was said."""

    indication: Literal["good", "fair", "poor"]
    points: int
    weakest_point: Literal["credit_score", "employment", "monthly_debts", "no_account"]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def estimate_loan_eligibility(
    bank: Bank,
    product: LeafletProduct,
    loan_amount: Money,
    term_months: Months,
    stated_monthly_income: Money,
    stated_monthly_debts: Money,
    score_band: ScoreBand,
    employment_type: Employment,
    months_in_job: Annotated[int, Meta(ge=0, le=720)],
    has_account: bool = False,
) -> EligibilityEstimate:
    """Estimate for a visitor without an application how good the chances of a loan may be, by the points of the
    branch's leaflet. It rests on what the visitor says, checks nothing, is no decision and is not kept.

    Args:
        product: The kind of loan on the leaflet.
        loan_amount: Amount the visitor thinks of, in dollars.
        term_months: Months the visitor thinks of.
        stated_monthly_income: Income a month as stated, in dollars.
        stated_monthly_debts: Payments a month as stated, in dollars.
        score_band: Band of the credit score as the visitor remembers it.
        employment_type: How the visitor earns a living.
        months_in_job: Months in the present job; below 6 the job counts half.
        has_account: Whether the visitor has an account with the bank.
    """
    table, income = leaflets().eligibility, to_cents(stated_monthly_income)
    if income == 0:
        raise invalid("stated_monthly_income", "expected an income above 0; the leaflet has no points without one")
    payment = Fraction(to_cents(loan_amount) * table.payment_percent[product], 100 * term_months)
    ratio = (to_cents(stated_monthly_debts) + payment) * 100 / income
    room = max(Fraction(0), 1 - ratio / table.no_points_from_ratio)
    job = Fraction(table.employment_points[employment_type], 2 if months_in_job < 6 else 1)
    got = {
        "credit_score": Fraction(table.score_points[score_band], max(table.score_points.values())),
        "employment": job / max(table.employment_points.values()),
        "monthly_debts": room,
        "no_account": Fraction(has_account),
    }
    points = table.score_points[score_band] + job + room * table.ratio_points + table.account_points * has_account
    whole = round_half_up(points)
    weakest: Literal["credit_score", "employment", "monthly_debts", "no_account"] = "credit_score"
    for name in ("employment", "monthly_debts", "no_account"):
        weakest = name if got[name] < got[weakest] else weakest
    indication: Literal["good", "fair", "poor"] = "poor"
    if whole >= table.fair_from:
        indication = "good" if whole >= table.good_from else "fair"
    return EligibilityEstimate(indication=indication, points=whole, weakest_point=weakest)


class IndicativeRate(Result):
    """A range of rates a year and the least fee, in percent, as advertised."""

    lowest_rate: float
    highest_rate: float
    fee_from_percent: float
    campaign_applied: bool


@tool(category=Category.FINANCIAL_DISTRACTOR)
def quote_indicative_rate(
    bank: Bank,
    product: LeafletProduct,
    loan_amount: Annotated[float, Meta(ge=500, le=5_000_000, extra={"unit": "usd"})],
    term_months: Months,
    score_band: ScoreBand,
    autopay: bool = False,
    campaign: Campaign = "none",
    existing_customer: bool = True,
) -> IndicativeRate:
    """Quote the range of rates that the bank's advertising names for a kind of loan. A range for leaflets and rate
    portals: it prices no application, gives no quote number, and nobody may be promised a rate out of it.

    Args:
        product: The kind of loan on the leaflet.
        loan_amount: Amount in dollars; below 5,000 the fee is doubled.
        term_months: Term within what the leaflet offers.
        score_band: Band of the credit score.
        autopay: Whether payments would be drawn from an account.
        campaign: Campaign that takes something off; new_customer is for those who have no account yet.
        existing_customer: Whether the visitor has an account already.
    """
    table = leaflets()
    row = table.rates[product]
    least, most = row.months
    if not least <= term_months <= most:
        raise invalid("term_months", f"expected {least} to {most} months for {product}, got {term_months}")
    if campaign == "new_customer" and existing_customer:
        raise invalid("campaign", "expected none or spring for an existing customer, got new_customer")
    off = table.campaigns[campaign] + (table.autopay_off if autopay else Decimal(0))
    low, high = (row.lowest + (row.highest - row.lowest) * share / 100 for share in table.band_widths[score_band])
    return IndicativeRate(
        lowest_rate=_thousandths(low - off),
        highest_rate=_thousandths(high - off),
        fee_from_percent=float(row.fee_from * (2 if loan_amount < 5_000 else 1)),
        campaign_applied=campaign != "none",
    )


def _thousandths(percent: Decimal) -> float:
    """Return a rate to three decimals, halves up."""
    return round_half_up(percent * 1000) / 1000
