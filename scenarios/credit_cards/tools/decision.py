"""Tools for the decision with its letter, and for the final review."""

from __future__ import annotations

from datetime import date
from typing import Literal

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents
from teller_gym.scenarios.banking.lookup import created, existing, too_early
from teller_gym.scenarios.credit_cards.tools.lookup import policy_of, request
from teller_gym.scenarios.credit_cards.tools.types import (
    Decision,
    DecisionId,
    Delivery,
    LetterCode,
    Reason,
    RequestId,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Money, Result, tool


class Decided(Result):
    """The recorded decision."""

    decision_id: DecisionId
    decision: Decision
    amount: Money
    due_date: date


@tool(act=Act.FINAL)
def issue_card_decision(
    bank: Bank,
    request_id: RequestId,
    decision: Decision,
    principal_reason: Reason,
    letter_code: LetterCode,
    amount: Money,
    due_date: date,
    delivery_method: Delivery,
) -> Decided:
    """Record the decision on a request and send its letter at once; a referral's goes to the desk in the house.

    Args:
        request_id: The request.
        decision: The decision.
        principal_reason: The main reason; none for an approval.
        letter_code: Code of the letter.
        amount: Limit granted or amount credited, else the amount at issue, in dollars.
        due_date: Day by which the next action is due.
        delivery_method: The delivery preference of the request.
    """
    request(bank, request_id)
    cents = to_cents(amount)
    if (decision == "approve") != (principal_reason == "none"):
        raise invalid("principal_reason", "expected none if and only if the decision is approve")
    if decision in ("approve", "partial") and not cents:
        raise invalid("amount", f"expected more than 0 for {decision}")
    policy = policy_of(bank)
    if letter_code not in {
        code for item in policy.letters.values() for code in (item.granted, item.refused, item.other)
    }:
        raise invalid("letter_code", f"there is no letter {letter_code}; the SOP lists them")
    if due_date < bank.today:
        raise invalid("due_date", f"expected the business date {bank.today} or later, got {due_date}")
    bank.update(
        "requests",
        request_id,
        decision=decision,
        principal_reason=principal_reason,
        amount=cents,
        due_date=due_date.isoformat(),
    )
    decision_id = created(
        bank, "decisions", "DC", request_id,
        decision=decision, letter=letter_code, method=delivery_method,
    )  # fmt: skip
    return Decided(decision_id=decision_id, decision=decision, amount=amount, due_date=due_date)


class FinalReview(Result):
    """Confirmation that the case is closed."""

    status: Literal["recorded"]


@tool(act=Act.FINAL)
def submit_final_review(
    bank: Bank, request_id: RequestId, decision: Decision, amount: Money, due_date: date
) -> FinalReview:
    """Close the case with its output fields. This ends the work: nothing can be changed afterwards.

    Args:
        request_id: The request.
        decision: The decision as recorded.
        amount: The amount as recorded, in dollars.
        due_date: The due date as recorded.
    """
    case = request(bank, request_id)
    if existing(bank, "decisions", "DC", request_id) is None:
        raise too_early(f"no decision on {request_id} is recorded; issue_card_decision comes first")
    if decision != case["decision"]:
        raise invalid("decision", f"it differs from the recorded decision, {case['decision']}")
    bank.put("reviews", request_id, {"owner": request_id, "amount": to_cents(amount), "due": due_date.isoformat()})
    return FinalReview(status="recorded")
