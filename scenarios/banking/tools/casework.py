"""Casework: notes and reminders. They add records of their own and change no case."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.dates import is_business_day
from teller_gym.scenarios.banking.business_days import check_days_ahead, check_due_day
from teller_gym.scenarios.banking.ids import CaseId, CustomerId, Routing
from teller_gym.scenarios.banking.lookup import case_record, policy_of
from teller_gym.scenarios.banking.parties import party_of
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
    case_id: CaseId,
    note_category: Literal["general", "phone_call", "visit", "review"],
    note_text: NoteText,
    about_customer_id: CustomerId | None = None,
    confidential: bool = False,
) -> NoteAdded:
    """Add a note to a case's file for colleagues. It informs nobody outside and records no decision.

    Args:
        case_id: The case.
        note_category: What the note is about.
        note_text: The note.
        about_customer_id: The customer it concerns, if it concerns one only.
        confidential: Whether the case history leaves its text out.
    """
    case_record(bank, case_id)
    if about_customer_id is not None:
        party_of(bank, case_id, about_customer_id)
    note = {"category": note_category, "text": note_text, "about": about_customer_id, "confidential": confidential}
    note_id = bank.reference("NT", case_id, *map(str, note.values()))
    bank.put("notes", note_id, {"owner": case_id, **note, "added_on": bank.today.isoformat()})
    return NoteAdded(note_id=note_id, added_on=bank.today)


class ReminderCreated(Result):
    """The reminder as stored."""

    reminder_id: str
    first_reminder_on: date
    reminders_in_all: int


@tool(act=Act.NOTE, category=Category.AUXILIARY)
def create_reminder(
    bank: Bank,
    case_id: CaseId,
    assigned_desk: Routing,
    task_text: ShortText,
    due_on: date,
    priority: Literal["low", "normal", "high"] = "normal",
    business_days_before: Annotated[int, Meta(ge=0, le=10)] = 0,
    repeat: Literal["once", "each_business_day"] = "once",
) -> ReminderCreated:
    """Put a task with a reminder on a desk's list. It routes no case to that desk and sets no legal deadline.

    Args:
        case_id: The case.
        assigned_desk: The desk that is reminded.
        task_text: What is to be done.
        due_on: Day by which it is to be done; a business day, at most 90 days ahead.
        priority: How urgent it is; a high priority reminds at once.
        business_days_before: How many business days ahead of the due day to remind.
        repeat: Whether to remind once, or on each business day until the due day.
    """
    case_record(bank, case_id)
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
    reminder_id = bank.reference("RM", case_id, *reminder.values())
    bank.put("reminders", reminder_id, {"owner": case_id, **reminder})
    in_all = 1 if repeat == "once" else len(reminded)
    return ReminderCreated(reminder_id=reminder_id, first_reminder_on=reminded[0], reminders_in_all=in_all)
