"""Drafts, requests for papers and short-term locks: near the procedure's own acts, and none of them."""

from __future__ import annotations

from datetime import date
from typing import Literal

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents
from teller_gym.scenarios.banking.business_days import check_days_ahead
from teller_gym.scenarios.banking.ids import CustomerId
from teller_gym.scenarios.banking.parties import party_of
from teller_gym.scenarios.banking.tools.casework import ShortText
from teller_gym.scenarios.banking.tools.correspondence import days_to_answer, put_request
from teller_gym.scenarios.credit_cards.tools.ledger import lines_named
from teller_gym.scenarios.credit_cards.tools.lookup import account_of, request
from teller_gym.scenarios.credit_cards.tools.types import (
    CardAccountId,
    CardId,
    Complaint,
    Decision,
    Delivery,
    Document,
    LineId,
    RequestId,
    Track,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Money, Result, tool


class Locked(Result):
    """The lock as stored."""

    lock_id: str
    days_locked: int


@tool(act=Act.FINAL, category=Category.AUXILIARY)
def lock_card_for_a_while(
    bank: Bank,
    request_id: RequestId,
    account_id: CardAccountId,
    card_id: CardId,
    locked_until: date,
    scope: Literal["all", "online", "abroad", "cash"],
    tell_holder: bool,
    unlock_by: Literal["phone", "branch", "app"] = "phone",
) -> Locked:
    """Lock a card for some days; the holder is told and may unlock it. It is no block after loss or theft, and orders
    no replacement.

    Args:
        request_id: The request.
        account_id: The card account.
        card_id: The card.
        locked_until: Last day of the lock; at most 90 days ahead.
        scope: Which uses are locked.
        tell_holder: Whether the holder gets a message.
        unlock_by: How it can be unlocked earlier.
    """
    account_of(bank, request_id, account_id)
    if card_id not in [row["card_id"] for row in request(bank, request_id)["cards"]]:
        raise invalid("card_id", f"{card_id} is no card of {account_id}")
    if locked_until < bank.today:
        raise invalid("locked_until", f"expected the business date {bank.today} or later, got {locked_until}")
    ahead = check_days_ahead(bank, locked_until, "locked_until")
    lock = {"card": card_id, "until": locked_until.isoformat(), "kind": scope, "told": tell_holder, "by": unlock_by}
    lock_id = bank.reference("LK", request_id, *map(str, lock.values()))
    bank.put("locks", lock_id, {"owner": request_id, **lock})
    return Locked(lock_id=lock_id, days_locked=ahead)


class DocumentAsked(Result):
    """The request as stored."""

    document_request_id: str
    asked_on: date
    days_to_answer: int


@tool(act=Act.FINAL, category=Category.AUXILIARY)
def request_card_document(
    bank: Bank,
    request_id: RequestId,
    customer_id: CustomerId,
    document: Document,
    why: Literal["missing", "expired", "illegible", "unsigned"],
    channel: Delivery,
    answer_by: date,
    original_required: bool,
    message: ShortText | None = None,
) -> DocumentAsked:
    """Ask a customer for a paper. A courtesy: it ends no case and stops no clock.

    Args:
        request_id: The request.
        customer_id: The person who is asked.
        document: The paper.
        why: Why; a missing paper is one that is not on file, the other reasons ask for one on file anew.
        channel: How the request goes out; an original cannot come by email.
        answer_by: Day by which it is wanted; a business day, at most 90 days ahead.
        original_required: Whether a copy is not enough.
        message: A line to the customer.
    """
    party_of(bank, request_id, customer_id)
    ahead = days_to_answer(bank, answer_by)
    on_file = document in request(bank, request_id)["documents"]
    if on_file == (why == "missing"):
        raise invalid("why", f"{document} is {'on file' if on_file else 'not on file'}; {why} does not fit")
    if original_required and channel == "email":
        raise invalid("channel", "expected mail or branch_pickup for an original, got email")
    asked = {
        "customer": customer_id,
        "document": document,
        "reason": why,
        "channel": channel,
        "answer_by": answer_by.isoformat(),
        "original": original_required,
        "message": message,
    }
    key = put_request(bank, "document_requests", "DQ", request_id, asked)
    return DocumentAsked(document_request_id=key, asked_on=bank.today, days_to_answer=ahead)


class Draft(Result):
    """The draft as stored."""

    draft_id: str
    drafted_on: date


@tool(act=Act.NOTE, category=Category.AUXILIARY)
def draft_dispute(
    bank: Bank,
    request_id: RequestId,
    account_id: CardAccountId,
    line_id: LineId,
    complaint: Complaint,
    likely_track: Track,
    asked_amount: Money,
    remark: ShortText | None = None,
) -> Draft:
    """Draft a dispute for a colleague to look over. Nothing is credited, nobody is told, and no clock runs.

    Args:
        request_id: The request.
        account_id: The card account.
        line_id: The line complained of.
        complaint: What is complained of.
        likely_track: The track that seems likely.
        asked_amount: What the holder asks for, in dollars; at most the line's amount.
        remark: A line to the colleague.
    """
    lines = lines_named(account_of(bank, request_id, account_id), (line_id,))
    if line_id not in lines:
        raise invalid("line_id", f"{line_id} is no line of {account_id}")
    if to_cents(asked_amount) > lines[line_id].amount:
        raise invalid("asked_amount", "expected at most the line's amount")
    return _drafted(bank, request_id, "dispute", line_id, complaint, likely_track, str(asked_amount), remark or "")


@tool(act=Act.NOTE, category=Category.AUXILIARY)
def draft_card_letter(
    bank: Bank,
    request_id: RequestId,
    customer_id: CustomerId,
    likely_decision: Decision,
    likely_amount: Money,
    language: Literal["english", "spanish"],
    tone: Literal["plain", "formal"],
    opening: ShortText | None = None,
) -> Draft:
    """Draft a letter to a customer for review. It is not sent and records no decision.

    Args:
        request_id: The request.
        customer_id: The person to whom it would go.
        likely_decision: The decision that seems likely; incomplete and refer have no letter to draft.
        likely_amount: The amount that would be named, in dollars.
        language: Its language.
        tone: Its tone.
        opening: A first line of one's own.
    """
    party_of(bank, request_id, customer_id)
    if likely_decision in ("incomplete", "refer"):
        raise invalid("likely_decision", f"expected approve, partial or deny, got {likely_decision}")
    return _drafted(
        bank, request_id, "letter", customer_id, likely_decision, str(likely_amount), language, tone, opening or ""
    )


def _drafted(bank: Bank, request_id: str, kind: str, *parts: str) -> Draft:
    key = bank.reference("DR", request_id, kind, *parts)
    bank.put("drafts", key, {"owner": request_id, "kind": kind, "parts": list(parts)})
    return Draft(draft_id=key, drafted_on=bank.today)
