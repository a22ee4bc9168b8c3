"""Paper work around a request: documents asked for, letters drafted, what was recorded."""

from __future__ import annotations

from datetime import date
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from teller_gym.base.errors import invalid
from teller_gym.base.money import fmt_usd, to_cents
from teller_gym.scenarios.banking.business_days import check_days_ahead, check_due_day
from teller_gym.scenarios.banking.ids import CustomerId
from teller_gym.scenarios.banking.parties import party_of
from teller_gym.scenarios.banking.tools.casework import ShortText
from teller_gym.scenarios.banking.tools.history import history_tool
from teller_gym.scenarios.savings.tools.types import Delivery, RequestId
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Money, Result, tool

get_case_history = history_tool(
    {
        "verification": "verifications",
        "screening": "screenings",
        "interest": "interests",
        "withdrawal": "withdrawals",
        "term": "terms",
        "bonus": "bonuses",
        "coverage": "coverages",
        "decision": "decisions",
        "letter": "letters",
        "note": "notes",
        "document_request": "document_requests",
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
    document: Literal["government_id", "signature_card", "death_certificate", "court_order", "proof_of_purpose"],
    request_reason: Literal["missing", "expired", "illegible", "unsigned"],
    channel: Delivery,
    answer_by: date,
    original_required: bool,
    message: ShortText | None = None,
) -> DocumentRequested:
    """Ask a customer for a document. A courtesy request: it is not the notice that a decision asks for, and stops no
    deadline.

    Args:
        request_id: The request.
        customer_id: The customer who is asked, a party of the request.
        document: The document.
        request_reason: Why.
        channel: How the request goes out; an original cannot come by email.
        answer_by: Day by which it is wanted; a business day, at most 90 days ahead.
        original_required: Whether a copy is not enough.
        message: A line to the customer.
    """
    party_of(bank, request_id, customer_id)
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
    text = resources.files("teller_gym.scenarios.savings.tools").joinpath("letters.yaml").read_bytes()
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
        request_id: The request.
        customer_id: The customer who is addressed, a party of the request.
        letter_type: What the letter says.
        language: Language of the letter.
        tone: Tone of the greeting.
        amount_mentioned: Amount that the letter mentions, in dollars.
        day_mentioned: Day that the letter mentions; a business day.
    """
    addressee = party_of(bank, request_id, customer_id)
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
