"""Card sales of a shop that a cardholder disputes."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents, usd
from teller_gym.scenarios.distractors.financial._checks import check_day
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool

Evidence = Literal["receipt", "delivery_proof", "refund_slip", "signed_contract", "chip_log", "correspondence"]
Reason = Literal["fraud", "not_received", "not_as_described", "duplicate", "refund_missing"]

_NEEDED: dict[Reason, tuple[Evidence, ...]] = {
    "fraud": ("receipt", "chip_log"),
    "not_received": ("delivery_proof",),
    "not_as_described": ("signed_contract", "correspondence"),
    "duplicate": ("receipt",),
    "refund_missing": ("refund_slip",),
}
_DAYS_TO_ANSWER = 20
_FEE = 1500


class ChargebackResponse(Result):
    """What the shop should do, what it lacks, and the days left to answer (negative if too late)."""

    response: Literal["contest", "accept", "collect_evidence", "too_late"]
    missing_evidence: list[Evidence]
    days_left: int
    at_stake: Money


@tool(category=Category.FINANCIAL_DISTRACTOR)
def assess_chargeback_response(
    bank: Bank,
    reason: Reason,
    transaction_amount: Money,
    transaction_date: date,
    dispute_received_on: date,
    evidence: Annotated[list[Evidence], Meta(max_length=6)],
    card_present: bool,
    refunded_amount: Money = 0,
) -> ChargebackResponse:
    """Assess how a shop with a card contract should answer a chargeback. It is the merchant's side: a cardholder's
    dispute of a transaction is neither opened nor decided here, and no credit is given.

    Args:
        reason: Reason of the chargeback.
        transaction_amount: Amount of the sale in dollars.
        transaction_date: Day of the sale.
        dispute_received_on: Day on which the shop was told; it has 20 calendar days to answer.
        evidence: What the shop has, each once.
        card_present: Whether the card was there, without which no chip log is asked for.
        refunded_amount: What the shop has given back, in dollars.
    """
    check_day("transaction_date", transaction_date)
    check_day("dispute_received_on", dispute_received_on)
    if dispute_received_on < transaction_date:
        raise invalid("dispute_received_on", f"expected {transaction_date} or later, got {dispute_received_on}")
    if len(set(evidence)) < len(evidence):
        raise invalid("evidence", f"expected each piece once, got {', '.join(evidence)}")
    open_amount = max(0, to_cents(transaction_amount) - to_cents(refunded_amount))
    needed = [piece for piece in _NEEDED[reason] if card_present or piece != "chip_log"]
    missing = [piece for piece in needed if piece not in evidence]
    left = (dispute_received_on + timedelta(days=_DAYS_TO_ANSWER) - bank.today).days
    response: Literal["contest", "accept", "collect_evidence", "too_late"] = "contest"
    if left < 0:
        response = "too_late"
    elif open_amount <= _FEE:
        response = "accept"
    elif missing:
        response = "collect_evidence"
    return ChargebackResponse(
        response=response, missing_evidence=missing, days_left=left, at_stake=usd(open_amount + _FEE)
    )
