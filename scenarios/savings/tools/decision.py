"""Tools for the decision, the notice and the final review."""

from __future__ import annotations

from datetime import date
from typing import Literal

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents
from teller_gym.scenarios.banking.ids import CustomerId
from teller_gym.scenarios.banking.lookup import check_code, created, obtained, too_early
from teller_gym.scenarios.banking.parties import party_of
from teller_gym.scenarios.savings.tools.lookup import DECISION, policy_of, savings_request
from teller_gym.scenarios.savings.tools.types import (
    Decision,
    DecisionId,
    Delivery,
    Desk,
    Disposition,
    FileCode,
    NoticeType,
    Reason,
    RequestId,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Money, Result, tool

NOTICES = {
    "carry_out": "confirmation",
    "in_part": "partial_confirmation",
    "decline": "denial_notice",
    "pend": "information_request",
}
"""Notice type by decision; a referral has none."""


class DecisionRecorded(Result):
    """The recorded decision."""

    decision_id: DecisionId
    decision: Decision
    reason: Reason
    routing: Desk
    amount: Money
    value_date: date
    delivery_preference: Delivery


@tool(act=Act.REVISABLE)
def record_savings_decision(
    bank: Bank,
    request_id: RequestId,
    decision: Decision,
    reason: Reason,
    routing: Desk,
    amount: Money,
    charge: Money,
    value_date: date,
    file_code: FileCode,
    screening_disposition: Disposition,
) -> DecisionRecorded:
    """Record how a request is decided; a later record replaces an earlier one.

    Args:
        request_id: The request.
        decision: The decision.
        reason: The reason; none with carry_out alone.
        routing: Desk that reviews the closed file.
        amount: Amount decided on, in dollars; 0 if there is none.
        charge: Charge on an early withdrawal, in dollars; 0 if there is none.
        value_date: Day on which the decision takes effect or is due.
        file_code: Code under which the file is kept.
        screening_disposition: What the screening of all persons came to: the gravest outcome.
    """
    case = savings_request(bank, request_id)
    if reason == "none" and decision != "carry_out":
        raise invalid("reason", f"expected a reason with {decision}, got none")
    check_code("file_code", file_code, policy_of(bank).all_file_codes)
    bank.update(
        "requests",
        request_id,
        decision=decision,
        reason=reason,
        routing=routing,
        amount=to_cents(amount),
        value_date=value_date.isoformat(),
        screening_disposition=screening_disposition,
    )
    kept = {"decision": decision, "reason": reason, "charge": to_cents(charge), "file": file_code}
    return DecisionRecorded(
        decision_id=created(bank, "decisions", "DC", request_id, **kept),
        decision=decision,
        reason=reason,
        routing=routing,
        amount=amount,
        value_date=value_date,
        delivery_preference=case["delivery_preference"],
    )


class NoticeSent(Result):
    """ID and date of the notice."""

    notice_id: str
    sent_on: date


@tool(act=Act.FINAL)
def send_savings_notice(
    bank: Bank,
    request_id: RequestId,
    customer_id: CustomerId,
    decision_id: DecisionId,
    notice_type: NoticeType,
    reason: Reason,
    amount: Money,
    delivery_method: Delivery,
    value_date: date,
) -> NoticeSent:
    """Send the notice of a recorded decision.

    Args:
        request_id: The request.
        customer_id: The person who is addressed.
        decision_id: The recorded decision.
        notice_type: The notice that the decision asks for.
        reason: The recorded reason.
        amount: The recorded amount in dollars.
        delivery_method: The delivery preference that record_savings_decision returned.
        value_date: The recorded value date.
    """
    case = savings_request(bank, request_id)
    party_of(bank, request_id, customer_id)
    obtained(bank, DECISION, request_id, "decision_id", decision_id)
    if NOTICES.get(case["decision"]) != notice_type:
        raise invalid("notice_type", f"{notice_type} does not fit the recorded decision, {case['decision']}")
    if reason != case["reason"]:
        raise invalid("reason", "it differs from the recorded decision")
    letter = {
        "kind": notice_type,
        "customer": customer_id,
        "reason": reason,
        "amount": to_cents(amount),
        "method": delivery_method,
        "value_date": value_date.isoformat(),
    }
    return NoticeSent(notice_id=created(bank, "letters", "NO", request_id, **letter), sent_on=bank.today)


class FinalReview(Result):
    """Confirmation that the case is closed."""

    status: Literal["recorded"]


@tool(act=Act.FINAL)
def submit_final_review(
    bank: Bank, request_id: RequestId, decision: Decision, amount: Money, value_date: date
) -> FinalReview:
    """Close the case with its output fields. This ends the work: nothing can be changed afterwards.

    Args:
        request_id: The request.
        decision: The decision.
        amount: Amount decided on, in dollars; 0 if there is none.
        value_date: Day on which the decision takes effect or is due.
    """
    case = savings_request(bank, request_id)
    recorded = case.get("decision")
    if recorded is None:
        raise too_early(f"no decision on {request_id} is recorded; record_savings_decision comes first")
    if decision != recorded:
        raise invalid("decision", f"it differs from the recorded decision, {recorded}")
    wanted = NOTICES.get(recorded)
    sent = bank.get("letters", bank.reference("NO", request_id))
    if wanted is not None and (sent is None or sent["kind"] != wanted):
        raise too_early("the notice has not been sent; send_savings_notice comes first")
    created(bank, "reviews", "RV", request_id, decision=decision)
    return FinalReview(status="recorded")
