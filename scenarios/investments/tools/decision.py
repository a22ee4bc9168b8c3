"""Decision, release and final review."""

from __future__ import annotations

from datetime import date
from typing import Literal

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents
from teller_gym.scenarios.banking.ids import AccountId, Code
from teller_gym.scenarios.banking.lookup import check_code, created, existing, obtained, too_early
from teller_gym.scenarios.investments.tools.lookup import DECISION, own_account, policy_of, request_of
from teller_gym.scenarios.investments.tools.types import (
    Decision,
    DecisionId,
    Delivery,
    Desk,
    PaymentMethod,
    Reason,
    RequestId,
    RequestType,
    Shares,
    SignedMoney,
)
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Act, Result, tool

_NEEDED = {
    "purchase": ("covered_amount", "check_available_cash"),
    "sale": ("disallowed_loss", "check_wash_sale"),
    "withdrawal": ("withdrawable_amount", "calculate_margin_requirement"),
    "transfer": ("transfer_value", "validate_transfer"),
    "distribution": ("covered_amount", "check_available_cash"),
}
"""Result that each type of request needs before it is carried out, and the tool that determines it."""


class RecordedDecision(Result):
    """The recorded decision, with the values that its release needs; the payment method is null without a payment."""

    decision_id: DecisionId
    decision: Decision
    reason: Reason
    quantity: Shares
    amount: SignedMoney
    decided_type: RequestType
    instructed_at: str
    payment_method: PaymentMethod | None
    assets_liquidated: bool
    delivery_method: Delivery


@tool(act=Act.REVISABLE)
def record_investment_decision(
    bank: Bank,
    request_id: RequestId,
    decision: Decision,
    reason: Reason,
    quantity: Shares,
    decided_amount: SignedMoney,
    review_desk: Desk,
) -> RecordedDecision:
    """Record how a request is decided, with reason, shares and amount; a later record replaces an earlier one.

    Args:
        request_id: The request.
        decision: The decision.
        reason: The main reason; none if the request is carried out as it was asked.
        quantity: Shares bought or sold; 0 for everything else.
        decided_amount: The amount that the SOP gives for this ending, in dollars; a loss is negative.
        review_desk: Desk that reviews the closed file.
    """
    case = request_of(bank, request_id)
    if (decision == "proceed") != (reason == "none"):
        raise invalid("reason", "expected none if and only if the decision is proceed")
    field, comes_first = _NEEDED[case["request_type"]]
    if decision in ("proceed", "adjust") and case.get(field) is None:
        raise too_early(f"nothing is found yet that {request_id} may rest on; {comes_first} comes first")
    fields = {"decision": decision, "reason": reason, "review_desk": review_desk}
    bank.update("requests", request_id, **fields, decided_quantity=quantity, decided_amount=to_cents(decided_amount))
    decision_id = created(bank, "decisions", "DE", request_id, decision=decision, amount=to_cents(decided_amount))
    transfer = existing(bank, "transfers", "TR", request_id) or {}
    return RecordedDecision(
        decision_id=decision_id,
        decision=decision,
        reason=reason,
        quantity=quantity,
        amount=decided_amount,
        decided_type=case["request_type"],
        instructed_at=case["instructed_at"],
        payment_method=case["payment_method"],
        assets_liquidated=bool(transfer.get("liquidated")),
        delivery_method=case["delivery_preference"],
    )


class Released(Result):
    """The released instruction."""

    instruction_id: str
    decision: Decision
    amount: SignedMoney
    effective_date: date


@tool(act=Act.FINAL)
def release_instruction(
    bank: Bank,
    request_id: RequestId,
    decision_id: DecisionId,
    instruction_type: Code,
    account_id: AccountId,
    quantity: Shares,
    amount: SignedMoney,
    effective_date: date,
    delivery_method: Delivery,
) -> Released:
    """Release what was decided: an order, a payment, a transfer request, a notice, a margin call or a referral.

    Args:
        request_id: The request.
        decision_id: The recorded decision.
        instruction_type: Code of the instruction.
        account_id: The account.
        quantity: Shares, as recorded.
        amount: Amount in dollars, as recorded.
        effective_date: Day on which it takes effect, or by which it is due.
        delivery_method: How the client gets the confirmation or notice, as the decision record says.
    """
    case = request_of(bank, request_id)
    own_account(bank, case, account_id)
    obtained(bank, DECISION, request_id, "decision_id", decision_id)
    check_code("instruction_type", instruction_type, policy_of(bank).instructions.values())
    if (quantity, to_cents(amount)) != (case["decided_quantity"], case["decided_amount"]):
        raise invalid("amount", "quantity or amount differs from the recorded decision")
    if effective_date < bank.today:
        raise invalid("effective_date", f"expected the business date {bank.today} or later, got {effective_date}")
    figures = {"quantity": quantity, "amount": to_cents(amount), "effective": effective_date.isoformat()}
    instruction_id = created(
        bank, "releases", "RI", request_id, kind=instruction_type, method=delivery_method, **figures
    )
    bank.update("requests", request_id, effective_date=effective_date.isoformat())
    return Released(
        instruction_id=instruction_id, decision=case["decision"], amount=amount, effective_date=effective_date
    )


class FinalReview(Result):
    """Confirmation that the case is closed."""

    status: Literal["recorded"]


@tool(act=Act.FINAL)
def submit_final_review(
    bank: Bank, request_id: RequestId, decision: Decision, amount: SignedMoney, effective_date: date
) -> FinalReview:
    """Close the case with its output fields. This ends the work: nothing can be changed afterwards.

    Args:
        request_id: The request.
        decision: The decision.
        amount: The amount decided on, in dollars; a loss is negative.
        effective_date: Day on which what was released takes effect, or by which it is due.
    """
    case: Record = request_of(bank, request_id)
    if existing(bank, "releases", "RI", request_id) is None:
        raise too_early(f"nothing is released for {request_id}; release_instruction comes first")
    if decision != case["decision"]:
        raise invalid("decision", f"it differs from the recorded decision, {case['decision']}")
    bank.update("requests", request_id, review_status="filed")
    return FinalReview(status="recorded")
