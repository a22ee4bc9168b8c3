"""Casework: notes, requests for documents and reminders. They add records of their own and change no application."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.dates import is_business_day
from teller_gym.base.errors import invalid
from teller_gym.scenarios.loans.tools.aux_reference import applicant_of, check_days_ahead, check_due_day
from teller_gym.scenarios.loans.tools.lookup import application, policy_of
from teller_gym.scenarios.loans.tools.types import ApplicationId, CustomerId, Delivery, Document, Routing
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

NoteText = Annotated[str, Meta(min_length=1, max_length=500)]
ShortText = Annotated[str, Meta(min_length=1, max_length=120)]


class NoteAdded(Result):
    """The note as stored."""

    note_id: str
    added_on: date


@tool(act=Act.NOTE, category=Category.AUXILIARY)
def add_case_note(
    bank: Bank,
    application_id: ApplicationId,
    note_category: Literal["general", "phone_call", "visit", "review"],
    note_text: NoteText,
    about_customer_id: CustomerId | None = None,
    confidential: bool = False,
) -> NoteAdded:
    """Add a note to an application's case file for colleagues. It informs nobody outside and records no decision.

    Args:
        application_id: The application.
        note_category: What the note is about.
        note_text: The note.
        about_customer_id: The applicant it concerns, if it concerns one only.
        confidential: Whether the case history leaves its text out.
    """
    application(bank, application_id)
    if about_customer_id is not None:
        applicant_of(bank, application_id, about_customer_id)
    note = {"category": note_category, "text": note_text, "about": about_customer_id, "confidential": confidential}
    note_id = bank.reference("NT", application_id, *map(str, note.values()))
    bank.put("notes", note_id, {"owner": application_id, **note, "added_on": bank.today.isoformat()})
    return NoteAdded(note_id=note_id, added_on=bank.today)


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
    check_due_day(bank, answer_by, "answer_by")
    ahead = check_days_ahead(bank, answer_by, "answer_by")
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
    request_id = bank.reference("DQ", application_id, *map(str, request.values()))
    bank.put("document_requests", request_id, {"owner": application_id, **request})
    return DocumentRequested(request_id=request_id, requested_on=bank.today, days_to_answer=ahead)


class ReminderCreated(Result):
    """The reminder as stored."""

    reminder_id: str
    first_reminder_on: date
    reminders_in_all: int


@tool(act=Act.NOTE, category=Category.AUXILIARY)
def create_reminder(
    bank: Bank,
    application_id: ApplicationId,
    assigned_desk: Routing,
    task_text: ShortText,
    due_on: date,
    priority: Literal["low", "normal", "high"] = "normal",
    business_days_before: Annotated[int, Meta(ge=0, le=10)] = 0,
    repeat: Literal["once", "each_business_day"] = "once",
) -> ReminderCreated:
    """Put a task with a reminder on a desk's list. It routes no application to that desk and sets no legal deadline.

    Args:
        application_id: The application.
        assigned_desk: The desk that is reminded.
        task_text: What is to be done.
        due_on: Day by which it is to be done; a business day, at most 90 days ahead.
        priority: How urgent it is; a high priority reminds at once.
        business_days_before: How many business days ahead of the due day to remind.
        repeat: Whether to remind once, or on each business day until the due day.
    """
    application(bank, application_id)
    check_due_day(bank, due_on, "due_on")
    ahead = check_days_ahead(bank, due_on, "due_on")
    holidays = policy_of(bank).holidays
    open_days = [
        day for day in (bank.today + timedelta(days=i) for i in range(ahead + 1)) if is_business_day(day, holidays)
    ]
    reminded = open_days if priority == "high" else open_days[-1 - business_days_before :]
    reminder = {
        "desk": assigned_desk,
        "task": task_text,
        "due_on": due_on.isoformat(),
        "priority": priority,
        "remind_on": reminded[0].isoformat(),
        "repeat": repeat,
    }
    reminder_id = bank.reference("RM", application_id, *reminder.values())
    bank.put("reminders", reminder_id, {"owner": application_id, **reminder})
    in_all = 1 if repeat == "once" else len(reminded)
    return ReminderCreated(reminder_id=reminder_id, first_reminder_on=reminded[0], reminders_in_all=in_all)
