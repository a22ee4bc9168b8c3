"""The IT help desk: tickets, printing, backups and names of files."""

from __future__ import annotations

import unicodedata
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Act, Category, Result, tool

System = Literal["email", "network", "printing", "phones", "laptop", "door_access"]
Priority = Literal["P1", "P2", "P3", "P4"]
Copies = Annotated[int, Meta(ge=0, le=60)]
Percent = Annotated[float, Meta(ge=0, le=100)]
FileNames = Annotated[list[Annotated[str, Meta(max_length=80)]], Meta(min_length=1, max_length=10)]

_TICKETS = "misc_support_tickets"
_IMPACT = {"one_person": 0, "team": 1, "building": 2}
_URGENCY = {"can_wait": 0, "slowed_down": 1, "blocked": 2}
_PRIORITIES: tuple[Priority, ...] = ("P4", "P3", "P2", "P1")
_RESPOND_HOURS = {"P1": 1, "P2": 4, "P3": 8, "P4": 24}
_MANY_USERS, _SHOWN = 50, 10
_DAYS_OF_A_CYCLE = 6
_MEGABITS_PER_GIGABYTE = 8000
_FORBIDDEN = {"windows": '<>:"/\\|?*', "linux": "/", "web": ""}
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(1, 10))}
_LONGEST_SUFFIX = 10


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


class PrintJob(Result):
    """Paper and time; ``blank_sides`` are backs that stay empty, minutes with one decimal."""

    sheets: int
    printed_sides: int
    blank_sides: int
    tray_refills: int
    minutes: float


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_print_job(
    bank: Bank,
    document_pages: Annotated[int, Meta(ge=1, le=5000)],
    copies: Annotated[int, Meta(ge=1, le=1000)] = 1,
    pages_per_side: Literal[1, 2, 4, 6, 9, 16] = 1,
    two_sided: bool = True,
    first_page: Annotated[int, Meta(ge=1, le=5000)] = 1,
    last_page: Annotated[int, Meta(ge=1, le=5000)] | None = None,
    separator_sheets: bool = False,
    tray_sheets: Annotated[int, Meta(ge=50, le=3000)] = 500,
    sides_per_minute: Annotated[int, Meta(ge=1, le=200)] = 40,
) -> PrintJob:
    """Work out how much paper a print job takes, how often the tray is refilled, and how long it runs.

    Args:
        document_pages: Pages of the document.
        copies: How many copies; each begins on a new sheet.
        pages_per_side: Pages put together on one side of a sheet.
        two_sided: Whether both sides are printed.
        first_page: First page to print.
        last_page: Last page to print; the end of the document if left out.
        separator_sheets: Whether an empty sheet is put before each copy.
        tray_sheets: Sheets in a full tray, with which the job starts.
        sides_per_minute: Speed of the printer.
    """
    last = document_pages if last_page is None else last_page
    if not first_page <= last <= document_pages:
        expected = f"expected pages from first_page, {first_page}, to {document_pages}"
        raise invalid("first_page" if last_page is None else "last_page", f"{expected}, got a last page of {last}")
    sides = -(-(last - first_page + 1) // pages_per_side)
    sheets = -(-sides // 2) if two_sided else sides
    in_all = copies * (sheets + separator_sheets)
    return PrintJob(
        sheets=in_all,
        printed_sides=copies * sides,
        blank_sides=copies * (2 * sheets - sides),
        tray_refills=-(-in_all // tray_sheets) - 1,
        minutes=round(copies * sides / sides_per_minute, 1),
    )


class BackupPlan(Result):
    """Sizes in GB after compression and hours, with two decimals."""

    full_backup_gb: float
    largest_daily_gb: float
    storage_gb: float
    full_backup_hours: float
    restore_points: int


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_backup_rotation(
    bank: Bank,
    data_gb: Annotated[float, Meta(ge=1, le=1_000_000)],
    daily_change_percent: Percent,
    daily_method: Literal["full", "differential", "incremental"],
    daily_copies: Copies,
    weekly_copies: Copies,
    monthly_copies: Copies,
    compression_percent: Annotated[float, Meta(ge=0, le=90)] = 0,
    link_mbit_per_second: Annotated[float, Meta(ge=1, le=100_000)] = 1000,
) -> BackupPlan:
    """Work out the storage of a backup rotation (daily, weekly, monthly) and how long a full backup takes.

    Args:
        data_gb: Data to be saved, in GB of 1000 MB.
        daily_change_percent: Share of the data that changes from day to day.
        daily_method: Daily copies are full, all since the weekly copy, or all since the day before.
        daily_copies: Daily copies kept, six between two weekly ones.
        weekly_copies: Weekly copies kept; they are full. Other daily methods than full need one.
        monthly_copies: Monthly copies kept; they are full.
        compression_percent: By how much compression shrinks the data.
        link_mbit_per_second: Speed of the line to the backup server.
    """
    if daily_method != "full" and not weekly_copies:
        raise invalid("weekly_copies", f"expected 1 or more, since {daily_method} copies rest on one, got 0")
    if not daily_copies + weekly_copies + monthly_copies:
        raise invalid("daily_copies", "expected at least one copy of any kind, got none")
    full = Fraction(repr(data_gb)) * (100 - Fraction(repr(compression_percent))) / 100
    change = Fraction(repr(daily_change_percent)) / 100
    since = {"full": 0, "differential": _DAYS_OF_A_CYCLE, "incremental": 1}[daily_method]
    one = Fraction(1)
    shares = [min(change * min(since, i % _DAYS_OF_A_CYCLE + 1), one) if since else one for i in range(daily_copies)]
    return BackupPlan(
        full_backup_gb=round(float(full), 2),
        largest_daily_gb=round(float(full * max(shares, default=Fraction(0))), 2),
        storage_gb=round(float(full * (sum(shares) + weekly_copies + monthly_copies)), 2),
        full_backup_hours=round(float(full) * _MEGABITS_PER_GIGABYTE / link_mbit_per_second / 3600, 2),
        restore_points=daily_copies + weekly_copies + monthly_copies,
    )


class CleanNames(Result):
    """The names in the same order, and how many differ from what was given."""

    names: list[str]
    changed: int


@tool(category=Category.GENERAL_DISTRACTOR)
def clean_file_names(
    bank: Bank,
    file_names: FileNames,
    target_system: Literal["windows", "linux", "web"],
    replacement: Literal["_", "-"] = "_",
    longest: Annotated[int, Meta(ge=16, le=80)] = 80,
    lower_case: bool = False,
    ascii_only: bool = False,
) -> CleanNames:
    """Clean up file names so that a system accepts them: forbidden characters, device names, length, names twice.

    Args:
        file_names: The names, without folders.
        target_system: Where the files will lie; web leaves letters, digits, dots, hyphens and underscores.
        replacement: What stands in for a forbidden character.
        longest: Most characters of a name; the suffix after the last dot is kept.
        lower_case: Whether capitals become small letters.
        ascii_only: Whether accents and other writing are dropped.
    """
    names: list[str] = []
    seen: set[str] = set()
    for given in file_names:
        text = unicodedata.normalize("NFKD" if ascii_only else "NFC", given.lower() if lower_case else given)
        if ascii_only:
            text = text.encode("ascii", "ignore").decode()
        text = "".join(c if _is_allowed(c, target_system) else replacement for c in text)
        stem, suffix = _cut(text, longest)
        if stem.lower() in _DEVICES and target_system == "windows":
            stem += replacement
        name, number = stem + suffix, 1
        while name.lower() in seen:
            number += 1
            name = f"{stem[: longest - len(suffix) - 3]}{replacement}{number}{suffix}"
        seen.add(name.lower())
        names.append(name)
    changed = sum(old != new for old, new in zip(file_names, names, strict=True))
    return CleanNames(names=names, changed=changed)


def _is_allowed(character: str, system: str) -> bool:
    if system == "web":
        return character.isascii() and (character.isalnum() or character in "._-")
    return character.isprintable() and character not in _FORBIDDEN[system]


def _cut(text: str, longest: int) -> tuple[str, str]:
    """Cut a name to its length, in stem and suffix; neither begins or ends with a blank or ends with a dot."""
    text = text.strip().rstrip(". ")
    stem, dot, suffix = text.rpartition(".")
    if not stem.strip(". ") or not 0 < len(suffix) <= _LONGEST_SUFFIX or suffix != suffix.strip():
        stem, dot, suffix = text, "", ""
    stem = stem[: longest - len(dot + suffix)].rstrip(". ")
    return stem or "unnamed", dot + suffix
