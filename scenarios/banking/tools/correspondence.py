"""Tools for the letters of a service desk: documents asked for, courtesy letters drafted. None stops a deadline."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import cache
from importlib import resources
from typing import Any, Literal

import msgspec

from teller_gym.base.errors import invalid
from teller_gym.base.money import fmt_usd, to_cents
from teller_gym.scenarios.banking.business_days import check_days_ahead, check_due_day
from teller_gym.scenarios.banking.ids import CustomerId
from teller_gym.scenarios.banking.tools.casework import ShortText
from teller_gym.scenarios.banking.tools.named import auxiliary_tool
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Act, Money, Result, Tool

PartyOf = Callable[[Bank, str, str], Record]
"""Returns the record of a customer who takes part in a case: of (bank, case id, customer id)."""


class DocumentRequested(Result):
    """The request as stored."""

    document_request_id: str
    requested_on: date
    days_to_answer: int


class LetterDraft(Result):
    """The draft as stored; it has not been sent."""

    draft_id: str
    draft_text: str


def days_to_answer(bank: Bank, answer_by: date) -> int:
    """Return how many days a customer has to answer, after a look at the day."""
    check_due_day(bank, answer_by, "answer_by")
    return check_days_ahead(bank, answer_by, "answer_by")


def put_request(bank: Bank, table: str, prefix: str, case_id: str, asked: Record) -> str:
    """Store a request for a paper under an id that depends on what is asked; return the id."""
    key = bank.reference(prefix, case_id, *map(str, asked.values()))
    bank.put(table, key, {"owner": case_id, **asked})
    return key


def put_letter(bank: Bank, case_id: str, customer_id: str, kind: str, text: str) -> str:
    """Store the draft of a letter; return its id."""
    draft_id = bank.reference("DR", case_id, customer_id, text)
    bank.put("drafts", draft_id, {"owner": case_id, "customer": customer_id, "kind": kind, "text": text})
    return draft_id


def document_request_tool(request_type: Any, documents: Any, party_of: PartyOf, the_request: str) -> Tool:
    """Return the tool that asks a customer for a document.

    Args:
        request_type, documents: types of the request's id and of the documents.
        party_of: finds a customer who takes part in a request.
        the_request: what the tool calls a request.
    """

    def request_document(
        bank: Bank,
        request_id: str,
        customer_id: CustomerId,
        document: str,
        request_reason: Literal["missing", "expired", "illegible", "unsigned"],
        channel: Literal["mail", "email", "branch_pickup"],
        answer_by: date,
        original_required: bool,
        message: ShortText | None = None,
    ) -> DocumentRequested:
        """Ask a customer for a document. A courtesy request: it is not the notice that a decision asks for, and stops
        no deadline.

        Args:
            request_id: THE REQUEST.
            customer_id: The customer who is asked, a party of the request.
            document: The document.
            request_reason: Why.
            channel: How the request goes out; an original cannot come by email.
            answer_by: Day by which it is wanted; a business day, at most 90 days ahead.
            original_required: Whether a copy is not enough.
            message: A line to the customer.
        """
        party_of(bank, request_id, customer_id)
        ahead = days_to_answer(bank, answer_by)
        if original_required and channel == "email":
            raise invalid("channel", "expected mail or branch_pickup for an original, got email")
        asked = {
            "customer": customer_id, "document": document, "reason": request_reason, "channel": channel,
            "answer_by": answer_by.isoformat(), "original": original_required, "message": message,
        }  # fmt: skip
        key = put_request(bank, "document_requests", "DQ", request_id, asked)
        return DocumentRequested(document_request_id=key, requested_on=bank.today, days_to_answer=ahead)

    types = {"request_id": request_type, "document": documents}
    return auxiliary_tool(request_document, act=Act.FINAL, types=types, texts={"THE REQUEST": the_request})


@cache
def _letters() -> dict[str, dict[str, str]]:
    text = resources.files(__package__).joinpath("letters.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=dict[str, dict[str, str]])


def letter_tool(request_type: Any, party_of: PartyOf, the_request: str) -> Tool:
    """Return the tool that drafts a courtesy letter; arguments as for :func:`document_request_tool`."""

    def draft_customer_letter(
        bank: Bank,
        request_id: str,
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
            request_id: THE REQUEST.
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
        draft_id = put_letter(bank, request_id, customer_id, letter_type, text)
        return LetterDraft(draft_id=draft_id, draft_text=text)

    return auxiliary_tool(
        draft_customer_letter, act=Act.NOTE, types={"request_id": request_type}, texts={"THE REQUEST": the_request}
    )
