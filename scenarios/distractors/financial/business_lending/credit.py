"""The credit of a firm: a score of its balance sheet, and whether it earns its debt service."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, round_half_up, to_cents, usd
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool

Signed = Annotated[float, Meta(ge=-100_000_000, le=100_000_000, extra={"unit": "usd"})]
Factor = Literal["working_capital", "retained_earnings", "operating_profit", "equity", "sales"]

# Altman, Z' for private firms (1983): weights in thousandths, and the two bounds of the grey zone in hundredths.
_WEIGHTS: dict[Factor, int] = {
    "working_capital": 717,
    "retained_earnings": 847,
    "operating_profit": 3107,
    "equity": 420,
    "sales": 998,
}
_DISTRESS, _SAFE = Fraction(123, 100), Fraction(29, 10)


class BusinessScore(Result):
    """The score to two decimals; ``main_factor`` adds least to it."""

    score: float
    zone: Literal["safe", "grey", "distress"]
    main_factor: Factor


@tool(category=Category.FINANCIAL_DISTRACTOR)
def report_business_credit(
    bank: Bank,
    current_assets: Money,
    current_liabilities: Money,
    total_assets: Annotated[float, Meta(ge=1, le=100_000_000, extra={"unit": "usd"})],
    total_liabilities: Annotated[float, Meta(ge=1, le=100_000_000, extra={"unit": "usd"})],
    retained_earnings: Signed,
    operating_profit: Signed,
    annual_sales: Money,
) -> BusinessScore:
    """Report how a private firm's credit looks from its balance sheet, a score by Altman's formula of 1983: below
    1.23 in distress, above 2.90 safe. For the commercial desk: it orders no report from a bureau, on no applicant.

    Args:
        current_assets: Current assets in dollars.
        current_liabilities: Current liabilities in dollars.
        total_assets: All assets in dollars.
        total_liabilities: All liabilities in dollars.
        retained_earnings: Retained earnings in dollars; negative for losses carried forward.
        operating_profit: Profit before interest and tax in dollars.
        annual_sales: Sales of the year in dollars.
    """
    assets, debts = to_cents(total_assets), to_cents(total_liabilities)
    ratios: dict[Factor, Fraction] = {
        "working_capital": Fraction(to_cents(current_assets) - to_cents(current_liabilities), assets),
        "retained_earnings": Fraction(to_cents(retained_earnings), assets),
        "operating_profit": Fraction(to_cents(operating_profit), assets),
        "equity": Fraction(assets - debts, debts),
        "sales": Fraction(to_cents(annual_sales), assets),
    }
    parts = {name: ratio * _WEIGHTS[name] / 1000 for name, ratio in ratios.items()}
    total = sum(parts.values(), Fraction(0))
    return BusinessScore(
        score=round_half_up(total * 100) / 100,
        zone="safe" if total > _SAFE else "distress" if total < _DISTRESS else "grey",
        main_factor=min(parts, key=lambda name: parts[name]),
    )


class DebtService(Result):
    """The ratio to two decimals; the largest debt service and what is short, in dollars a year."""

    coverage_ratio: float
    within_limits: bool
    max_debt_service: Money
    short_by: Money


@tool(category=Category.FINANCIAL_DISTRACTOR)
def calculate_debt_service_coverage(
    bank: Bank,
    operating_profit: Signed,
    depreciation: Money,
    taxes_paid: Money,
    annual_principal: Money,
    annual_interest: Money,
    annual_leases: Money = 0,
    owner_draws: Money = 0,
    required_ratio: Annotated[float, Meta(ge=1, le=3, extra={"unit": "factor"})] = 1.25,
) -> DebtService:
    """Add up a firm's obligations of a year, the payments of its loans and leases, and calculate how often cash flow
    covers them. For the commercial desk: it takes no tradelines and counts no debts of a person.

    Args:
        operating_profit: Profit before interest and tax, in dollars a year.
        depreciation: Depreciation in it, in dollars a year.
        taxes_paid: Taxes in dollars a year.
        annual_principal: Principal due in dollars a year.
        annual_interest: Interest due in dollars a year.
        annual_leases: Leases in dollars a year.
        owner_draws: What owners take out, in dollars a year.
        required_ratio: Ratio that the covenant asks for.
    """
    due = to_cents(annual_principal) + to_cents(annual_interest) + to_cents(annual_leases)
    if due == 0:
        raise invalid("annual_principal", "expected some principal, interest or leases, got none")
    cash = to_cents(operating_profit) + to_cents(depreciation) - to_cents(taxes_paid) - to_cents(owner_draws)
    most = max(0, int(cash / exact(required_ratio)))
    return DebtService(
        coverage_ratio=round_half_up(Fraction(100 * cash, due)) / 100,
        within_limits=due <= most,
        max_debt_service=usd(most),
        short_by=usd(max(0, due - most)),
    )
