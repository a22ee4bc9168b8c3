"""Whether the two sides of an entry agree."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.money import to_cents, usd
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool


class JournalBalance(Result):
    """Sums of both sides in dollars; the difference is debits less credits."""

    total_debits: float
    total_credits: float
    difference: float
    balanced: bool
    likely_cause: Literal["none", "amount_left_out", "amount_on_wrong_side", "digits_swapped", "unknown"]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def check_journal_balance(
    bank: Bank,
    debit_amounts: Annotated[list[Money], Meta(min_length=1, max_length=50)],
    credit_amounts: Annotated[list[Money], Meta(min_length=1, max_length=50)],
) -> JournalBalance:
    """Check that the debits and credits of a journal entry or trial balance agree, and guess the slip if they do not: a
    line left out, on the wrong side, or with two neighbouring digits swapped (a difference divisible by 9).

    Args:
        debit_amounts: Amounts on the debit side in dollars.
        credit_amounts: Amounts on the credit side in dollars.
    """
    return compare_sides(
        debit_amounts,
        credit_amounts,
    )


def compare_sides(
    debit_amounts: list[float],
    credit_amounts: list[float],
) -> JournalBalance:
    """Compare debits and credits; see the tool ``check_journal_balance``."""
    debits, credits = ([to_cents(amount) for amount in side] for side in (debit_amounts, credit_amounts))
    difference = sum(debits) - sum(credits)
    gap, heavier = abs(difference), debits if difference > 0 else credits
    cause: Literal["none", "amount_left_out", "amount_on_wrong_side", "digits_swapped", "unknown"] = "unknown"
    if gap == 0:
        cause = "none"
    elif gap in heavier:
        cause = "amount_left_out"
    elif gap % 2 == 0 and gap // 2 in heavier:
        cause = "amount_on_wrong_side"
    elif gap % 9 == 0:
        cause = "digits_swapped"
    return JournalBalance(
        total_debits=usd(sum(debits)),
        total_credits=usd(sum(credits)),
        difference=usd(difference),
        balanced=gap == 0,
        likely_cause=cause,
    )
