"""What can be paid in coins and notes."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact
from teller_gym.scenarios.distractors.financial.foreign_exchange._rate_card import Direction, find_currency
from teller_gym.scenarios.distractors.financial.foreign_exchange._types import Code
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class CashAmount(Result):
    """What is paid in cash; ``difference`` is the paid amount less the one asked for."""

    cash_amount: float
    difference: float
    smallest_coin: float


@tool(category=Category.FINANCIAL_DISTRACTOR)
def round_cash_amount(
    bank: Bank,
    amount: Annotated[float, Meta(ge=0, le=10_000_000)],
    currency: Code,
    direction: Direction = "nearest",
) -> CashAmount:
    """Round an amount to what can be paid in coins and notes, by the smallest coin in use of the currency.

    Args:
        amount: The amount on the bill, with no more decimals than the currency has.
        currency: ISO 4217 code.
        direction: Nearest payable amount (halves up), or always up or down.
    """
    money = find_currency(currency, "currency")
    asked = exact(amount)
    if (asked * 10**money.decimals).denominator != 1:
        raise invalid("amount", f"expected at most {money.decimals} decimals for {currency}, got {amount!r}")
    cash, coin = money.in_cash(asked, direction), float(money.smallest_coin)
    return CashAmount(cash_amount=float(cash), difference=float(cash - asked), smallest_coin=coin)
