"""The petty-cash box: pieces counted against fund and vouchers."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import fmt_usd, to_cents, usd
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool

Pieces = Annotated[int, Meta(ge=0, le=10_000)]


class CashCount(Result):
    """What lies in the box and what should, in dollars; a negative difference is money missing."""

    cash_counted: float
    cash_expected: float
    difference: float
    finding: Literal["balanced", "over", "short"]
    refill_needed: float


@tool(category=Category.FINANCIAL_DISTRACTOR)
def count_petty_cash(
    bank: Bank,
    fund_amount: Money,
    vouchers_total: Money,
    twenties: Pieces = 0,
    tens: Pieces = 0,
    fives: Pieces = 0,
    ones: Pieces = 0,
    quarters: Pieces = 0,
    dimes: Pieces = 0,
    nickels: Pieces = 0,
    pennies: Pieces = 0,
) -> CashCount:
    """Count an office's petty-cash box by bills and coins, and compare it with the fund less the paid vouchers.

    Args:
        fund_amount: Fixed amount of the fund in dollars.
        vouchers_total: Sum of the vouchers paid out of the box since the last refill, in dollars.
        twenties: Number of 20-dollar bills.
        tens: Number of 10-dollar bills.
        fives: Number of 5-dollar bills.
        ones: Number of 1-dollar bills and coins.
        quarters: Number of 25-cent coins.
        dimes: Number of 10-cent coins.
        nickels: Number of 5-cent coins.
        pennies: Number of 1-cent coins.
    """
    fund = to_cents(fund_amount)
    expected = fund - to_cents(vouchers_total)
    if expected < 0:
        raise invalid("vouchers_total", f"expected at most the fund, {fmt_usd(fund)}, got {vouchers_total}")
    bills = 2000 * twenties + 1000 * tens + 500 * fives + 100 * ones
    counted = bills + 25 * quarters + 10 * dimes + 5 * nickels + pennies
    difference = counted - expected
    return CashCount(
        cash_counted=usd(counted),
        cash_expected=usd(expected),
        difference=usd(difference),
        finding="balanced" if difference == 0 else "over" if difference > 0 else "short",
        refill_needed=usd(max(fund - counted, 0)),
    )
