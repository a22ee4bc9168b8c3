"""Deposits: what is insured, and what is held back from a merchant."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, to_cents, usd
from teller_gym.scenarios.distractors.financial._banking import (
    CustomerIds,
    Share,
    balance_of,
    known_customer,
    open_accounts,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool

_LIMIT = 25_000_000
_MOST_BENEFICIARIES = 5
_CARD_DAYS, _CHECK_DAYS = 2, 5


class InsuredDeposits(Result):
    """Deposits of the customers together, in dollars, split at the limit."""

    amount_below_limit: Money
    amount_above_limit: float
    counted_accounts: list[str]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def calculate_insured_deposits(
    bank: Bank,
    customer_ids: CustomerIds,
    ownership: Literal["single", "joint", "trust"],
    beneficiaries: Annotated[int, Meta(ge=0, le=20)] = 0,
    planned_deposit: Money = 0,
    closing_accounts: Annotated[list[Annotated[str, Meta(max_length=12)]], Meta(max_length=20)] | None = None,
) -> InsuredDeposits:
    """Calculate how much of customers' deposits with this bank deposit insurance covers: 250,000 dollars for an owner,
    and for each of at most five beneficiaries of a trust. Loans do not count: it is no exposure.

    Args:
        customer_ids: The owners, each once.
        ownership: How the deposits are owned; single has one owner.
        beneficiaries: Beneficiaries of a trust.
        planned_deposit: A deposit that is planned, in dollars.
        closing_accounts: Accounts that will be closed and do not count.
    """
    owners = dict.fromkeys(customer_ids)
    for customer_id in owners:
        known_customer(bank, customer_id, "customer_ids")
    if len(owners) != len(customer_ids) or (ownership == "single" and len(owners) > 1):
        raise invalid("customer_ids", f"expected each owner once, one if single, got {', '.join(customer_ids)}")
    closing = set(closing_accounts or ())
    counted = {
        key: balance_of(row)
        for key, row in open_accounts(bank, owners).items()
        if row.get("kind") != "loan" and key not in closing
    }
    total = sum(counted.values()) + to_cents(planned_deposit)
    shares = min(beneficiaries, _MOST_BENEFICIARIES) if ownership == "trust" else 1
    insured = max(0, min(total, _LIMIT * len(owners) * max(1, shares)))
    return InsuredDeposits(
        amount_below_limit=usd(insured), amount_above_limit=usd(total - insured), counted_accounts=list(counted)
    )


class MerchantHold(Result):
    """What a shop gets at once and what is held, in dollars, for so many business days."""

    available_now: Money
    held_amount: Money
    hold_days: int
    hold_reason: Literal["none", "new_merchant", "many_chargebacks", "large_deposit", "remote_check"]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def calculate_merchant_hold(
    bank: Bank,
    deposit_amount: Money,
    deposit_kind: Literal["card_batch", "remote_check", "cash"],
    months_as_merchant: Annotated[int, Meta(ge=0, le=600)],
    chargeback_percent: Share,
    usual_deposit: Money,
    reserve_percent: Share = 10,
    weekend_batch: bool = False,
) -> MerchantHold:
    """Calculate what the merchant desk holds back from a shop's batch of card sales or scanned checks. It is the card
    contract's reserve for shops, not a hold on a check that a customer pays in, nor on an account.

    Args:
        deposit_amount: Amount of the batch in dollars.
        deposit_kind: What was paid in; cash is never held.
        months_as_merchant: Months since the contract began; below 6 the shop is new.
        chargeback_percent: Sales of the last quarter that were charged back, in percent; above 1 is many.
        usual_deposit: Usual batch in dollars; more than three times as much is large.
        reserve_percent: Reserve of the contract in percent.
        weekend_batch: Whether it came in at a weekend, which adds a day.
    """
    amount = to_cents(deposit_amount)
    reasons: dict[Literal["none", "new_merchant", "many_chargebacks", "large_deposit", "remote_check"], bool] = {
        "many_chargebacks": chargeback_percent > 1,
        "new_merchant": months_as_merchant < 6,
        "large_deposit": amount > 3 * to_cents(usual_deposit),
        "remote_check": deposit_kind == "remote_check",
    }
    met = [name for name, applies in reasons.items() if applies and deposit_kind != "cash"]
    share = min(Fraction(100), exact(reserve_percent) * len(met)) / 100
    held = int(amount * share)
    days = (_CHECK_DAYS if deposit_kind == "remote_check" else _CARD_DAYS) + len(met) + weekend_batch if met else 0
    return MerchantHold(
        available_now=usd(amount - held), held_amount=usd(held), hold_days=days, hold_reason=met[0] if met else "none"
    )
