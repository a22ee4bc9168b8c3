"""Paper work around a request: documents asked for, letters drafted, alerts put on accounts, what was recorded."""

from __future__ import annotations

from datetime import date
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from teller_gym.base.errors import invalid
from teller_gym.base.money import fmt_usd, to_cents
from teller_gym.scenarios.accounts.tools.lookup import account, party, service_request
from teller_gym.scenarios.accounts.tools.types import Delivery, RequestId
from teller_gym.scenarios.banking.business_days import check_days_ahead, check_due_day
from teller_gym.scenarios.banking.ids import AccountId, CustomerId
from teller_gym.scenarios.banking.ranges import check_order
from teller_gym.scenarios.banking.tools.casework import ShortText
from teller_gym.scenarios.banking.tools.history import history_tool
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Money, Result, tool

get_case_history = history_tool(
    {
        "verification": "verifications",
        "screening": "screenings",
        "availability": "availabilities",
        "assessment": "assessments",
        "deadline": "deadlines",
        "decision": "decisions",
        "letter": "letters",
        "note": "notes",
        "document_request": "document_requests",
        "alert": "alerts",
        "draft": "drafts",
        "reminder": "reminders",
    }
)


class DocumentRequested(Result):
    """The request as stored."""

    document_request_id: str
    requested_on: date
    days_to_answer: int


@tool(act=Act.FINAL, category=Category.AUXILIARY)
def request_document(
    bank: Bank,
    request_id: RequestId,
    customer_id: CustomerId,
    document: Literal[
        "government_id", "signature_card", "power_of_attorney", "written_confirmation", "proof_of_address"
    ],
    request_reason: Literal["missing", "expired", "illegible", "unsigned"],
    channel: Delivery,
    answer_by: date,
    original_required: bool,
    message: ShortText | None = None,
) -> DocumentRequested:
    """Ask a customer for a document. A courtesy request: it is not the notice that a decision asks for, and stops no
    deadline.

    Args:
        request_id: The service request.
        customer_id: The customer who is asked, a party of the request.
        document: The document.
        request_reason: Why.
        channel: How the request goes out; an original cannot come by email.
        answer_by: Day by which it is wanted; a business day, at most 90 days ahead.
        original_required: Whether a copy is not enough.
        message: A line to the customer.
    """
    party(bank, request_id, customer_id)
    check_due_day(bank, answer_by, "answer_by")
    ahead = check_days_ahead(bank, answer_by, "answer_by")
    if original_required and channel == "email":
        raise invalid("channel", "expected mail or branch_pickup for an original, got email")
    asked = {
        "customer": customer_id,
        "document": document,
        "reason": request_reason,
        "channel": channel,
        "answer_by": answer_by.isoformat(),
        "original": original_required,
        "message": message,
    }
    key = bank.reference("DQ", request_id, *map(str, asked.values()))
    bank.put("document_requests", key, {"owner": request_id, **asked})
    return DocumentRequested(document_request_id=key, requested_on=bank.today, days_to_answer=ahead)


class LetterDraft(Result):
    """The draft as stored; it has not been sent."""

    draft_id: str
    draft_text: str


@cache
def _letters() -> dict[str, dict[str, str]]:
    text = resources.files("teller_gym.scenarios.accounts.tools").joinpath("letters.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=dict[str, dict[str, str]])


@tool(act=Act.NOTE, category=Category.AUXILIARY)
def draft_customer_letter(
    bank: Bank,
    request_id: RequestId,
    customer_id: CustomerId,
    letter_type: Literal["status_update", "thank_you", "explanation", "appointment"],
    language: Literal["english", "spanish"],
    tone: Literal["formal", "friendly"],
    amount_mentioned: Money,
    day_mentioned: date,
) -> LetterDraft:
    """Draft a courtesy letter for a person to look over. Nothing is sent: a draft is not the notice that a decision
    asks for.

    Args:
        request_id: The service request.
        customer_id: The customer who is addressed, a party of the request.
        letter_type: What the letter says.
        language: Language of the letter.
        tone: Tone of the greeting.
        amount_mentioned: Amount that the letter mentions, in dollars.
        day_mentioned: Day that the letter mentions; a business day.
    """
    addressee = party(bank, request_id, customer_id)
    check_due_day(bank, day_mentioned, "day_mentioned")
    wording = _letters()[language]
    text = f"{wording[tone]} {wording[letter_type]}".format(
        name=addressee["full_name"],
        request=request_id,
        amount=fmt_usd(to_cents(amount_mentioned)),
        date=day_mentioned.isoformat(),
    )
    draft_id = bank.reference("DR", request_id, customer_id, text)
    bank.put("drafts", draft_id, {"owner": request_id, "customer": customer_id, "kind": letter_type, "text": text})
    return LetterDraft(draft_id=draft_id, draft_text=text)


class AlertPlaced(Result):
    """The alert as stored."""

    alert_id: str
    days_in_force: int


@tool(act=Act.REVISABLE, category=Category.AUXILIARY)
def place_account_alert(
    bank: Bank,
    request_id: RequestId,
    account_id: AccountId,
    alert_kind: Literal["watch_deposits", "call_before_paying", "no_new_checks", "verify_twice"],
    in_force_from: date,
    in_force_to: date,
    limit_amount: Money,
    visible_to: Literal["tellers", "back_office", "everybody"],
    alert_text: ShortText | None = None,
) -> AlertPlaced:
    """Put an alert on an account that colleagues see. It is no restriction, no hold and no stop order.

    Args:
        request_id: The service request that it rests on.
        account_id: The account.
        alert_kind: What it asks of colleagues.
        in_force_from: First day; not before the business date.
        in_force_to: Last day.
        limit_amount: Amount from which it matters, in dollars.
        visible_to: Who sees it.
        alert_text: A line beside it.
    """
    service_request(bank, request_id)
    account(bank, account_id)
    check_order(bank.today, in_force_from, "business_date", "in_force_from")
    check_order(in_force_from, in_force_to, "in_force_from", "in_force_to")
    alert = {
        "kind": alert_kind,
        "from": in_force_from.isoformat(),
        "to": in_force_to.isoformat(),
        "limit": to_cents(limit_amount),
        "visible_to": visible_to,
        "text": alert_text,
    }
    alert_id = bank.reference("AL", account_id, alert_kind)
    bank.put("alerts", alert_id, {"owner": account_id, "request": request_id, **alert})
    return AlertPlaced(alert_id=alert_id, days_in_force=(in_force_to - in_force_from).days + 1)
