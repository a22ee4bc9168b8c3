"""Places the calendars: a table, a letter, CRM meetings, and the tax specialist's knowledge."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import groupby

from teller_gym.office.chat.profiles import Absence, Fact
from teller_gym.office.documents.dates import MONTHS
from teller_gym.office.documents.tables import TextTable
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.tasks.meeting.facts import DAY, Facts, Letter, Taken

_COLUMNS = ("Date", "From", "To", "Subject", "Status")
_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_ASKS = (
    "calendar|diary|schedule*|availab*|unavailab*|free|busy|taken|booked|booking|blocked|occupied|slot|time*|hour*|week*"
    "|meet*|appointment|engage*|commit*|open*|suit*|possible|attend*"
)


def place(plan: Plan, case: Case) -> None:
    """Place the calendar and letter as files, the CRM meetings and the specialist's knowledge."""
    facts: Facts = case.facts
    rows = tuple(
        (entry.day.isoformat(), *_times(entry.start, entry.end), entry.subject, entry.status) for entry in facts.entries
    )
    plan.table(case.client, case.rules["calendar"], TextTable(_COLUMNS, rows))
    adviser = case.world.colleague(case.client.adviser)
    plan.text(case.client, case.rules["letter"], list(_letter(facts.letter, adviser.name, case.client.name)))
    _place_meetings(plan, facts)
    place_knowledge(plan, facts)


def place_knowledge(plan: Plan, facts: Facts) -> None:
    """Add the calendar to the specialist's knowledge.

    Under the perturbation ``away``, the trust officer deputises.
    """
    specialist = plan.world.staff["tax"]
    for monday, week in groupby(facts.taken, lambda one: one.day - timedelta(days=one.day.weekday())):
        plan.knows(specialist.username, _fact(specialist.name, monday, tuple(week)))
    if "away" in plan.perturb:
        today = facts.today
        absence = Absence(first=today - timedelta(days=1), last=today + timedelta(days=2), reason="at a conference")
        plan.absent(specialist.username, absence, plan.world.staff["trusts"].username)


def _place_meetings(plan: Plan, facts: Facts) -> None:
    for number, one in enumerate(facts.bookings, 1):
        values = {
            "name": one.name,
            "status": one.status,
            "dateStart": f"{one.day} {clock(one.start)}:00",
            "dateEnd": f"{one.day} {clock(one.end)}:00",
            "parentType": "Contact",
            "parentId": one.client,
            "assignedUserId": one.assigned,
            "usersIds": list(one.users),
            "createdAt": f"{plan.world.now - timedelta(days=60 + number):%Y-%m-%d %H:%M:%S}",
        }
        plan.record("Meeting", f"meeting {number}", values)


def clock(minute: int) -> str:
    """Format a time of day, such as 15:30."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _times(start: int, end: int) -> tuple[str, str]:
    return ("", "") if (start, end) == (0, DAY) else (clock(start), clock(end))


def _letter(letter: Letter, adviser: str, client: str) -> Iterator[str]:
    """Yield the lines of the client's letter."""
    times = (
        f"On weekdays I can come from {_spoken(letter.opens)} to {_spoken(letter.closes)}.",
        f"{_NAMES[letter.never]}s do not suit me at all.",
        f"On {_long(letter.later_day)} I cannot come before {_spoken(letter.later_from)}.",
    )
    yield from (f"Dear {adviser.split()[0]},", "", "Thank you for arranging the tax review.")
    yield f"All times in this letter are my own local time, which is UTC-{-letter.offset:02d}:00."
    yield from (times[number] for number in letter.order)
    yield from ("", "With kind regards", client, "")
    yield f"PS: {_long(letter.out)} is out after all: {letter.reason}."


def _spoken(minute: int) -> str:
    """Format a time of day in American style, such as 3:30 pm."""
    hour, half = minute // 60, "am" if minute < DAY // 2 else "pm"
    return f"{(hour - 1) % 12 + 1}:{minute % 60:02d} {half}"


def _long(day: date) -> str:
    return f"{_NAMES[day.weekday()]}, {MONTHS[day.month - 1]} {day.day}, {day.year}"


def _fact(name: str, monday: date, week: tuple[Taken, ...]) -> Fact:
    """Build the specialist's fact for a week.

    The simulated tax specialist uses it to answer calendar questions that mention a date in the given week.
    """
    dates = "|".join((monday + timedelta(days=number)).isoformat() for number in range(7))
    lines = {f"day{number}": f"{one.day.isoformat()}: {_said(one)}" for number, one in enumerate(week)}
    answer = "Taken in the calendar of {name} (UTC): " + "; ".join(f"{{{key}}}" for key in lines) + "."
    return Fact(
        key=f"calendar {monday.isoformat()}",
        asks=(f"{_ASKS} {dates}",),
        answer=answer,
        values={"name": name, **lines},
        topic=f"the tax calendar in the week of {monday.isoformat()}",
        direct_only=True,
    )


def _said(one: Taken) -> str:
    if not one.spans:
        return "nothing"
    if one.spans == ((0, DAY),):
        return "all day"
    return ", ".join(f"{clock(start)}-{clock(end)}" for start, end in one.spans)
