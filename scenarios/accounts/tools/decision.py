"""Tools for the decision, the notice and the final review."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents
from teller_gym.scenarios.accounts.tools.lookup import parties_of, party, service_request
from teller_gym.scenarios.accounts.tools.types import (
    AuthorityBasis,
    Decision,
    DecisionId,
    Delivery,
    Desk,
    Disposition,
    Kind,
    NoticeType,
    Reason,
    RequestId,
)
from teller_gym.scenarios.banking.ids import CustomerId
from teller_gym.scenarios.banking.lookup import Origin, created, obtained, too_early
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Money, Result, tool

DECISION = Origin("decisions", "DC", "record_account_decision")
NOTICES: dict[tuple[str, str], str] = {
    ("open_account", "carry_out"): "account_terms",
    ("open_account", "decline"): "adverse_action_notice",
    ("open_account", "pend"): "information_request",
    ("deposit_review", "carry_out"): "availability_statement",
    ("deposit_review", "in_part"): "hold_notice",
    ("deposit_review", "decline"): "return_notice",
    ("deposit_review", "pend"): "information_request",
    ("transfer_claim", "carry_out"): "provisional_credit_notice",
    ("transfer_claim", "in_part"): "provisional_credit_notice",
    ("transfer_claim", "decline"): "denial_notice",
    ("transfer_claim", "pend"): "information_request",
    ("stop_payment", "carry_out"): "stop_confirmation",
    ("stop_payment", "in_part"): "stop_confirmation",
    ("stop_payment", "decline"): "denial_notice",
    ("dormancy_review", "carry_out"): "report_notice",
    ("dormancy_review", "pend"): "dormancy_warning",
    ("close_account", "carry_out"): "closing_confirmation",
    ("close_account", "decline"): "denial_notice",
    ("close_account", "pend"): "information_request",
}
"""Notice type by kind and decision; pairs that are not listed have none."""


class DecisionRecorded(Result):
    """The recorded decision. ``parties`` (customer_id, role) are the persons of the request or else the owners."""

    decision_id: DecisionId
    kind: Kind
    decision: Decision
    reason: Reason
    routing: Desk
    amount: Money
    action_due_date: date
    final_date: date
    delivery_preference: Delivery
    parties: list[dict[str, Any]]


@tool(act=Act.REVISABLE)
def record_account_decision(
    bank: Bank,
    request_id: RequestId,
    decision: Decision,
    reason: Reason,
    routing: Desk,
    amount: Money,
    action_due_date: date,
    final_date: date,
    authority_basis: AuthorityBasis,
    screening_disposition: Disposition,
) -> DecisionRecorded:
    """Record how a request is decided, with its reason, amount and dates; a later record replaces an earlier one.

    Args:
        request_id: The request.
        decision: The decision.
        reason: The main reason; none if and only if it is carried out in full.
        routing: Desk that reviews the closed file.
        amount: Amount decided on, in dollars; 0 if there is none.
        action_due_date: Due date of the next action; not before the request came in.
        final_date: Day on which the matter is over; of a dormancy review, the day of abandonment.
        authority_basis: On what the authority of those who request rests; none if it is not reached.
        screening_disposition: What the screening of all persons came to: the gravest outcome.
    """
    case = service_request(bank, request_id)
    if (decision == "carry_out") != (reason == "none"):
        raise invalid("reason", "expected none if and only if the decision is carry_out")
    if action_due_date.isoformat() < case["received_date"]:
        raise invalid("action_due_date", f"expected {case['received_date']} or later, got {action_due_date}")
    bank.update(
        "requests",
        request_id,
        decision=decision,
        reason=reason,
        routing=routing,
        amount=to_cents(amount),
        action_due_date=action_due_date.isoformat(),
        final_date=final_date.isoformat(),
        authority_basis=authority_basis,
        screening_disposition=screening_disposition,
    )
    return DecisionRecorded(
        decision_id=created(bank, "decisions", "DC", request_id, decision=decision, reason=reason),
        kind=case["kind"],
        decision=decision,
        reason=reason,
        routing=routing,
        amount=amount,
        action_due_date=action_due_date,
        final_date=final_date,
        delivery_preference=case["delivery_preference"],
        parties=parties_of(bank, case),
    )


class NoticeSent(Result):
    """ID and date of the notice."""

    notice_id: str
    sent_on: date


@tool(act=Act.FINAL)
def send_customer_notice(
    bank: Bank,
    request_id: RequestId,
    decision_id: DecisionId,
    customer_id: CustomerId,
    notice_type: NoticeType,
    reason: Reason,
    amount: Money,
    delivery_method: Delivery,
    due_date: date,
) -> NoticeSent:
    """Send the notice of a recorded decision.

    Args:
        request_id: The request.
        decision_id: The recorded decision.
        customer_id: The party who is addressed.
        notice_type: The notice that kind and decision ask for.
        reason: The recorded reason.
        amount: The recorded amount in dollars.
        delivery_method: The delivery preference that record_account_decision returned.
        due_date: The recorded due date of the action.
    """
    case = service_request(bank, request_id)
    party(bank, request_id, customer_id)
    obtained(bank, DECISION, request_id, "decision_id", decision_id)
    if NOTICES.get((case["kind"], case["decision"])) != notice_type:
        raise invalid("notice_type", f"{notice_type} does not fit the recorded decision, {case['decision']}")
    if reason != case["reason"]:
        raise invalid("reason", "it differs from the recorded decision")
    letter = {
        "kind": notice_type,
        "customer": customer_id,
        "reason": reason,
        "amount": to_cents(amount),
        "method": delivery_method,
        "due": due_date.isoformat(),
    }
    return NoticeSent(notice_id=created(bank, "letters", "NO", request_id, **letter), sent_on=bank.today)


class FinalReview(Result):
    """Confirmation that the case is closed."""

    status: Literal["recorded"]


@tool(act=Act.FINAL)
def submit_final_review(
    bank: Bank,
    request_id: RequestId,
    decision: Decision,
    reason: Reason,
    routing: Desk,
    amount: Money,
    action_due_date: date,
    final_date: date,
) -> FinalReview:
    """Close the case with its output fields. This ends the work: nothing can be changed afterwards.

    Args:
        request_id: The request.
        decision: The decision.
        reason: The main reason; none for what is carried out in full.
        routing: Desk that reviews the closed file.
        amount: Amount decided on, in dollars; 0 if there is none.
        action_due_date: Due date of the next action.
        final_date: Day on which the matter is over; of a dormancy review, the day of abandonment.
    """
    case = service_request(bank, request_id)
    recorded = case.get("decision")
    if recorded is None:
        raise too_early(f"no decision on {request_id} is recorded; record_account_decision comes first")
    if decision != recorded:
        raise invalid("decision", f"it differs from the recorded decision, {recorded}")
    wanted = NOTICES.get((case["kind"], recorded))
    sent = bank.get("letters", bank.reference("NO", request_id))
    if wanted is not None and (sent is None or sent["kind"] != wanted):
        raise too_early("the notice has not been sent; send_customer_notice comes first")
    created(bank, "reviews", "RV", request_id, decision=decision, routing=routing)
    return FinalReview(status="recorded")
