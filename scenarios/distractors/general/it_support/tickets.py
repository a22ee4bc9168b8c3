"""Tickets of the help desk."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Act, Category, Result, tool

System = Literal["email", "network", "printing", "phones", "laptop", "door_access"]
Priority = Literal["P1", "P2", "P3", "P4"]

_TICKETS = "misc_support_tickets"
_IMPACT = {"one_person": 0, "team": 1, "building": 2}
_URGENCY = {"can_wait": 0, "slowed_down": 1, "blocked": 2}
_PRIORITIES: tuple[Priority, ...] = ("P4", "P3", "P2", "P1")
_RESPOND_HOURS = {"P1": 1, "P2": 4, "P3": 8, "P4": 24}
_MANY_USERS, _SHOWN = 50, 10


class TicketOpened(Result):
    """The ticket; ``tickets_ahead`` counts the others of the same or a higher priority."""

    ticket_id: str
    priority: Priority
    respond_within_hours: int
    tickets_ahead: int


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def open_support_ticket(
    bank: Bank,
    reporter: Annotated[str, Meta(pattern="^E[0-9]{4}$", max_length=5)],
    subject: Annotated[str, Meta(min_length=1, max_length=40)],
    affected_system: System,
    impact: Literal["one_person", "team", "building"],
    urgency: Literal["can_wait", "slowed_down", "blocked"],
    affected_users: Annotated[int, Meta(ge=1, le=5000)] = 1,
    workaround_known: bool = False,
) -> TicketOpened:
    """Open a ticket at the IT help desk; its priority follows from impact, urgency, users and workaround.

    Args:
        reporter: Staff number of who reports it, such as E1042.
        subject: What is wrong, in a few words.
        affected_system: Which system.
        impact: Who is affected.
        urgency: How badly.
        affected_users: How many people; 50 or more raise the priority by one.
        workaround_known: Whether people can work around it, which lowers the priority by one.
    """
    if (impact == "one_person") != (affected_users == 1):
        raise invalid("affected_users", f"expected 1 for one_person, else 2 or more, got {affected_users}, {impact}")
    if not subject.strip() or not subject.isprintable():
        raise invalid("subject", f"expected a line of readable text, got {subject!r}")
    level = _IMPACT[impact] + _URGENCY[urgency] + (affected_users >= _MANY_USERS) - workaround_known
    priority = _PRIORITIES[min(3, max(0, level))]
    fields: Record = {"reporter": reporter, "subject": subject, "system": affected_system, "impact": impact}
    fields |= {"urgency": urgency, "users": affected_users, "workaround": workaround_known}
    ticket_id = bank.reference("TK", *map(str, fields.values()))
    ahead = sum(row["priority"] <= priority for key, row in bank.rows(_TICKETS) if key != ticket_id)
    bank.put(_TICKETS, ticket_id, {"owner": "misc", **fields, "priority": priority, "status": "open"})
    return TicketOpened(
        ticket_id=ticket_id, priority=priority, respond_within_hours=_RESPOND_HOURS[priority], tickets_ahead=ahead
    )


class TicketEntry(Result):
    """An open ticket."""

    ticket_id: str
    priority: str
    affected_system: str
    reporter: str
    subject: str


class TicketList(Result):
    """Open tickets by priority and id; ``affected_users`` of all that were found."""

    tickets: list[TicketEntry]
    total_found: int
    affected_users: int


@tool(category=Category.GENERAL_DISTRACTOR)
def list_support_tickets(
    bank: Bank,
    priority: Priority | None = None,
    affected_system: System | None = None,
    limit: Annotated[int, Meta(ge=1, le=_SHOWN)] = _SHOWN,
) -> TicketList:
    """List the open tickets of the IT help desk, the most pressing first.

    Args:
        priority: Only tickets of this priority.
        affected_system: Only tickets about this system.
        limit: Most tickets to show.
    """
    found = [
        (row["priority"], key, row)
        for key, row in bank.rows(_TICKETS)
        if priority in (None, row["priority"]) and affected_system in (None, row["system"])
    ]
    found.sort(key=lambda entry: entry[:2])
    entries = [
        TicketEntry(
            ticket_id=key,
            priority=urgent,
            affected_system=row["system"],
            reporter=row["reporter"],
            subject=row["subject"],
        )
        for urgent, key, row in found[:limit]
    ]
    return TicketList(tickets=entries, total_found=len(found), affected_users=sum(row["users"] for *_, row in found))
