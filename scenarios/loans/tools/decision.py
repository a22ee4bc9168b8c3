"""Decision, disclosure, notice and final review."""

from __future__ import annotations

from datetime import date
from typing import Literal

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents
from teller_gym.scenarios.banking.ids import Routing
from teller_gym.scenarios.banking.lookup import created, day, obtained, too_early
from teller_gym.scenarios.loans.tools.lookup import DECISION, application, policy_of
from teller_gym.scenarios.loans.tools.types import (
    ApplicationId,
    Decision,
    DecisionId,
    Delivery,
    Product,
    Reason,
    ScoreOrZero,
)
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Act, Money, Percent, Result, tool

NOTICE_OF = {"deny": "denial", "counter_offer": "counter_offer", "incomplete": "incompleteness"}
"""Type of the notice for each decision; an approval needs a disclosure instead, a referral neither."""


class RecordedDecision(Result):
    """The recorded decision; ``clock_start`` is the day from which the next action's due date is counted."""

    decision_id: DecisionId
    decision: Decision
    routing: Routing
    principal_reason: Reason
    approved_amount: Money
    monthly_payment: Money
    product: Product
    delivery_preference: Delivery
    clock_start: date


@tool(act=Act.REVISABLE)
def record_credit_decision(
    bank: Bank,
    application_id: ApplicationId,
    decision: Decision,
    routing: Routing,
    principal_reason: Reason,
    approved_amount: Money,
    monthly_payment: Money,
    dti_percent: Percent,
    total_exposure: Money,
) -> RecordedDecision:
    """Record the credit decision with its routing, principal reason and terms; a later record replaces an earlier one.

    Args:
        application_id: The application.
        decision: The decision.
        routing: Desk that reviews the closed file.
        principal_reason: The main reason; none for an approval.
        approved_amount: Amount approved or offered in dollars; 0 if nothing is.
        monthly_payment: Payment of that amount, without mortgage insurance, in dollars; 0 if nothing is.
        dti_percent: Debt-to-income ratio last worked out, in percent; 0 if it was not.
        total_exposure: Total exposure in dollars; 0 if it was not worked out.
    """
    case = application(bank, application_id)
    amount, payment = to_cents(approved_amount), to_cents(monthly_payment)
    granted = decision in ("approve", "counter_offer")
    if granted != (amount > 0) or granted != (payment > 0):
        raise invalid(
            "approved_amount", f"expected amount and payment {'above 0' if granted else 'of 0'} for {decision}"
        )
    if (decision == "approve") != (principal_reason == "none"):
        raise invalid("principal_reason", "expected none if and only if the decision is approve")
    bank.update(
        "applications",
        application_id,
        decision=decision,
        routing=routing,
        principal_reason=principal_reason,
        approved_amount=amount,
        monthly_payment=payment,
        dti_percent=dti_percent,
        total_exposure=to_cents(total_exposure),
    )
    decision_id = bank.reference("DE", application_id)
    bank.put("decisions", decision_id, {"owner": application_id, "decision": decision, "amount": amount})
    return RecordedDecision(
        decision_id=decision_id,
        decision=decision,
        routing=routing,
        principal_reason=principal_reason,
        approved_amount=approved_amount,
        monthly_payment=monthly_payment,
        product=case["product"],
        delivery_preference=case["delivery_preference"],
        clock_start=_clock_start(bank, case, decision),
    )


def _clock_start(bank: Bank, case: Record, decision: str) -> date:
    if decision in ("deny", "counter_offer"):
        return day(case["completed_date"] or case["received_date"])
    return day(case["received_date"]) if decision == "incomplete" else bank.today


class Delivered(Result):
    """Confirmation that a document was sent."""

    document_id: str
    sent_on: date


@tool(act=Act.FINAL)
def issue_loan_disclosure(
    bank: Bank,
    application_id: ApplicationId,
    decision_id: DecisionId,
    disclosure_type: Literal["commitment_letter", "truth_in_lending"],
    approved_amount: Money,
    monthly_payment: Money,
    delivery_method: Delivery,
    due_date: date,
) -> Delivered:
    """Issue the disclosure of an approved loan.

    Args:
        application_id: The application.
        decision_id: The recorded decision.
        disclosure_type: The disclosure that the product asks for.
        approved_amount: Amount approved, in dollars.
        monthly_payment: Its monthly payment in dollars, without mortgage insurance and escrow.
        delivery_method: The delivery preference that record_credit_decision returned.
        due_date: Day by which it must have been delivered.
    """
    case = _decided(bank, application_id, decision_id)
    if case["decision"] != "approve":
        raise invalid("decision_id", f"a disclosure follows an approval, the recorded decision is {case['decision']}")
    if disclosure_type != policy_of(bank).products[case["product"]].disclosure:
        raise invalid("disclosure_type", f"{disclosure_type} is not the disclosure of this product")
    if to_cents(approved_amount) != case["approved_amount"]:
        raise invalid("approved_amount", "it differs from the recorded decision")
    letter = {"kind": disclosure_type, "payment": to_cents(monthly_payment), "method": delivery_method}
    return _deliver(bank, "DS", application_id, letter, due_date)


@tool(act=Act.FINAL)
def send_adverse_action_notice(
    bank: Bank,
    application_id: ApplicationId,
    decision_id: DecisionId,
    notice_type: Literal["denial", "counter_offer", "incompleteness"],
    principal_reason: Reason,
    credit_score_used: ScoreOrZero,
    offered_amount: Money,
    delivery_method: Delivery,
    due_date: date,
) -> Delivered:
    """Send the notice of a denial, a counter-offer or an incomplete application, with its principal reason.

    Args:
        application_id: The application.
        decision_id: The recorded decision.
        notice_type: The notice that the decision asks for.
        principal_reason: The recorded principal reason.
        credit_score_used: The qualifying credit score if a report was obtained, new or reused, else 0.
        offered_amount: Amount of a counter-offer in dollars, else 0.
        delivery_method: The delivery preference that record_credit_decision returned.
        due_date: Day by which the notice must have been sent.
    """
    case = _decided(bank, application_id, decision_id)
    if NOTICE_OF.get(case["decision"]) != notice_type:
        raise invalid("notice_type", f"{notice_type} does not fit the recorded decision, {case['decision']}")
    if principal_reason != case["principal_reason"]:
        raise invalid("principal_reason", "it differs from the recorded decision")
    if (notice_type == "counter_offer") != (offered_amount > 0):
        raise invalid("offered_amount", "expected more than 0 if and only if the notice is a counter-offer")
    letter = {
        "kind": notice_type,
        "reason": principal_reason,
        "score": credit_score_used,
        "method": delivery_method,
    }
    return _deliver(bank, "NO", application_id, letter, due_date)


def _decided(bank: Bank, application_id: str, decision_id: str) -> Record:
    case = application(bank, application_id)
    obtained(bank, DECISION, application_id, "decision_id", decision_id)
    return case


def _deliver(bank: Bank, prefix: str, application_id: str, letter: Record, due: date) -> Delivered:
    """Send a letter that must arrive by ``due``, which must not be in the past."""
    if due < bank.today:
        raise invalid("due_date", f"expected the business date {bank.today} or later, got {due}")
    document_id = created(bank, "letters", prefix, application_id, **letter, due=due.isoformat())
    return Delivered(document_id=document_id, sent_on=bank.today)


class FinalReview(Result):
    """Confirmation that the case is closed."""

    status: Literal["recorded"]


@tool(act=Act.FINAL)
def submit_final_review(
    bank: Bank,
    application_id: ApplicationId,
    decision: Decision,
    routing: Routing,
    principal_reason: Reason,
    approved_amount: Money,
    monthly_payment: Money,
    action_due_date: date,
) -> FinalReview:
    """Close the case with its output fields. This ends the work: nothing can be changed afterwards.

    Args:
        application_id: The application.
        decision: The decision.
        routing: Desk that reviews the closed file.
        principal_reason: The main reason; none for an approval.
        approved_amount: Amount approved or offered in dollars; 0 if nothing is.
        monthly_payment: Payment of that amount, without mortgage insurance, in dollars; 0 if nothing is.
        action_due_date: Due date of the disclosure, notice or report that the decision asks for.
    """
    case = application(bank, application_id)
    recorded = case.get("decision")
    if recorded is None:
        raise too_early(f"no decision on {application_id} is recorded; record_credit_decision comes first")
    if decision != recorded:
        raise invalid("decision", f"it differs from the recorded decision, {recorded}")
    if recorded == "approve" and bank.get("letters", bank.reference("DS", application_id)) is None:
        raise too_early("the disclosure has not been issued; issue_loan_disclosure comes first")
    if recorded in NOTICE_OF:
        notice = bank.get("letters", bank.reference("NO", application_id))
        if notice is None or notice["kind"] != NOTICE_OF[recorded]:
            raise too_early("the notice has not been sent; send_adverse_action_notice comes first")
    bank.update("applications", application_id, action_due_date=action_due_date.isoformat())
    return FinalReview(status="recorded")
