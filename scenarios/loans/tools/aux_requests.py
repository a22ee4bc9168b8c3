"""Requests for documents: they go out to an applicant and change no application."""

from __future__ import annotations

from datetime import date
from typing import Literal

from teller_gym.base.errors import invalid
from teller_gym.scenarios.banking.ids import CustomerId
from teller_gym.scenarios.banking.tools.casework import ShortText
from teller_gym.scenarios.banking.tools.correspondence import days_to_answer, put_request
from teller_gym.scenarios.loans.tools.aux_reference import applicant_of
from teller_gym.scenarios.loans.tools.lookup import application
from teller_gym.scenarios.loans.tools.types import ApplicationId, Delivery, Document
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool


class DocumentRequested(Result):
    """The request as stored."""

    request_id: str
    requested_on: date
    days_to_answer: int


@tool(act=Act.FINAL, category=Category.AUXILIARY)
def request_document(
    bank: Bank,
    application_id: ApplicationId,
    customer_id: CustomerId,
    document: Document,
    request_reason: Literal["missing", "expired", "illegible", "unsigned"],
    channel: Delivery,
    answer_by: date,
    original_required: bool,
    message: ShortText | None = None,
) -> DocumentRequested:
    """Ask an applicant for a document. A courtesy request: it is no notice of incompleteness and stops no deadline.

    Args:
        application_id: The application.
        customer_id: The applicant who is asked.
        document: The document.
        request_reason: Why; a missing document is one that is not on file, the other reasons ask for one on file anew.
        channel: How the request goes out; an original cannot come by email.
        answer_by: Day by which it is wanted; a business day, at most 90 days ahead.
        original_required: Whether a copy is not enough.
        message: A line to the applicant.
    """
    applicant_of(bank, application_id, customer_id)
    ahead = days_to_answer(bank, answer_by)
    on_file = document in application(bank, application_id)["documents"]
    if on_file == (request_reason == "missing"):
        whether = "on file" if on_file else "not on file"
        raise invalid("request_reason", f"{document} is {whether}; {request_reason} does not fit")
    if original_required and channel == "email":
        raise invalid("channel", "expected mail or branch_pickup for an original, got email")
    request = {
        "customer": customer_id,
        "document": document,
        "reason": request_reason,
        "channel": channel,
        "answer_by": answer_by.isoformat(),
        "original": original_required,
        "message": message,
    }
    request_id = put_request(bank, "document_requests", "DQ", application_id, request)
    return DocumentRequested(request_id=request_id, requested_on=bank.today, days_to_answer=ahead)
