"""Expert for arranging a meeting.

Codes such as MS1 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple

from teller_gym.office.documents.dates import parse_date
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.wealth.worker import Row, Worker
from teller_gym.tools.call import Call

Span = tuple[datetime, datetime]
Spans = Generator[Call, Seen, list[Span]]

_DATE = r"[A-Z][a-z]+day, (?P<date>[A-Z][a-z]+ \d{1,2}, \d{4})"
_SPOKEN = r"\d{1,2}:\d\d [ap]m"
_OFFSET: Final = re.compile(r"UTC(?P<sign>[+-])(?P<hours>\d\d):(?P<minutes>\d\d)")
_GENERAL: Final = re.compile(rf"On weekdays I can come from (?P<opens>{_SPOKEN}) to (?P<closes>{_SPOKEN})")
_NEVER: Final = re.compile(r"(?P<day>[A-Z][a-z]+day)s do not suit me")
_LATER: Final = re.compile(rf"On {_DATE} I cannot come before (?P<opens>{_SPOKEN})")
_OUT: Final = re.compile(rf"{_DATE} is out")
_TAKEN: Final = re.compile(r"(?P<date>\d{4}-\d\d-\d\d): (?P<what>all day|nothing|[\d:, -]+\d)")
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""English weekday names. Those of the `calendar` module depend on the locale."""
_SPAN: Final = re.compile(r"(\d\d:\d\d)-(\d\d:\d\d)")
_DEPUTY: Final = re.compile(r"please ask .+ \(@(?P<username>[^)\s]+)\)")


class People(NamedTuple):
    """The adviser and the specialist, each as an entry in the chat's user list with the user's CRM id."""

    adviser: Seen
    specialist: Seen


class Expert(Worker):
    """Finds the earliest slot for all participants, with a separate method for each rule of the chapter."""

    def work(self) -> Steps:
        """Read the calendars, ask the specialist, book the slot and inform the adviser."""
        yield from self.find_client()
        people = yield from self.people()
        rows = yield from self.table(self.rules["calendar"])
        self.letter = yield from self.text(self.rules["letter"])
        days = self.days(rows)
        busy = self.of_calendar(rows) + (yield from self.of_crm(people))
        busy += yield from self.of_specialist(people.specialist["username"], days)
        start = self.chosen([slot for slot in self.slots(days) if self.is_free(slot, busy)])
        if start is None:
            return
        yield from self.book(people, start)
        yield from self.confirm(people, start)

    def people(self) -> Generator[Call, Seen, People]:
        """Return the adviser, who is the Contact's assigned user, and the specialist, found by title (MS1)."""
        found = (yield from self.ask("list_people"))["people"]
        users = (yield from self.ask("search_crm", entity="User"))["records"]
        ids = {one["userName"]: one["id"] for one in users}
        here = [{**one, "id": ids[one["username"]]} for one in found if one["username"] in ids]
        adviser = next(one for one in here if one["id"] == self.contact["assignedUserId"])
        return People(adviser, next(one for one in here if one["title"] == self.rules["specialist"]))

    # -- days and slots -----------------------------------------------------------------------------------------------

    def days(self, rows: list[Row]) -> list[date]:
        """Return the days that may have a slot (MS3 to MS5)."""
        last = max(parse_date(row["date"]) for row in rows)
        day, later = self.today, []
        while day < last:
            day += timedelta(days=1)
            if day.weekday() < 5:
                later.append(day)
        closed = {parse_date(row["date"]) for row in rows if row["subject"] == self.rules["closed"]}
        return self.after_notice(later, closed)

    def after_notice(self, weekdays: list[date], closed: set[date]) -> list[date]:
        """Return the business days after the notice period (MS4 and MS5)."""
        return [day for day in weekdays if day not in closed][self.rules["notice"] - 1 :]

    def slots(self, days: Iterable[date]) -> Iterator[datetime]:
        """Yield the starts of all slots within office hours that suit the client, in order (MS3)."""
        for day in days:
            for minute in range(0, 24 * 60, self.step()):
                start = datetime.combine(day, time()) + timedelta(minutes=minute)
                if self.is_in_hours(start) and self.suits_client(start):
                    yield start

    def step(self) -> int:
        """Return the number of minutes between possible starts (MS3)."""
        return int(self.rules["step"])

    def end(self, start: datetime) -> datetime:
        """Return the end of a slot (MS3)."""
        return start + timedelta(minutes=self.rules["minutes"])

    def is_in_hours(self, start: datetime) -> bool:
        """Return True if a slot is within office hours (MS3)."""
        opens, closes = (_at(start.date(), self.rules[name]) for name in ("opens", "closes"))
        return opens <= start and self.end(start) <= closes

    def is_free(self, start: datetime, busy: Sequence[Span]) -> bool:
        """Return True if a slot does not overlap with any busy time.

        Adjacent times do not overlap (MS9).
        """
        return all(self.end(start) <= begins or ends <= start for begins, ends in busy)

    def chosen(self, starts: list[datetime]) -> datetime | None:
        """Return the start of the slot to book, or None if there are no slots (MS10)."""
        return min(starts, default=None)

    # -- the adviser --------------------------------------------------------------------------------------------------

    def of_calendar(self, rows: list[Row]) -> list[Span]:
        """Return the busy times from calendar entries (MS6)."""
        return [self.span(row) for row in rows if self.takes_time(row["status"])]

    def takes_time(self, status: str) -> bool:
        """Return True if a calendar entry counts as busy time (MS6)."""
        return status != str(self.rules["cancelled"])

    def span(self, row: Row) -> Span:
        """Return the time span of a calendar entry, which may be the whole day (MS6)."""
        day = parse_date(row["date"])
        return (_at(day, row["from"]), _at(day, row["to"])) if row["from"] else _whole(day)

    def of_crm(self, people: People) -> Spans:
        """Return the adviser's busy times from CRM meetings (MS7)."""
        meetings: list[Seen] = []
        while True:
            found = yield from self.ask("search_crm", entity="Meeting", offset=len(meetings))
            meetings += found["records"]
            if len(meetings) >= found["total"] or not found["records"]:
                break
        spans = []
        for one in meetings:
            if self.is_on(one["status"]) and one["dateStart"] >= self.today.isoformat():
                whole = (yield from self.ask("get_crm_record", entity="Meeting", record_id=one["id"]))["record"]
                if self.attends(people.adviser["id"], whole):
                    spans.append((datetime.fromisoformat(one["dateStart"]), datetime.fromisoformat(one["dateEnd"])))
        return spans

    def is_on(self, status: str) -> bool:
        """Return True if meetings with the given status take place (MS7)."""
        return status == str(self.rules["planned"])

    def attends(self, user_id: str, meeting: Seen) -> bool:
        """Return True if a user attends a meeting (MS7)."""
        return user_id == meeting["assignedUserId"] or user_id in meeting.get("usersIds", ())

    # -- the client ---------------------------------------------------------------------------------------------------

    def suits_client(self, start: datetime) -> bool:
        """Return True if a slot suits the client (MS2, MS8 and MS9)."""
        begins, ends = (self.client_time(moment) for moment in (start, self.end(start)))
        day = begins.date()
        if _WEEKDAYS[day.weekday()] == self.never() or day in self.out() or ends.date() != day:
            return False
        opens, closes = self.general()
        opens = self.later().get(day, opens)
        return opens <= begins.time() and ends.time() <= closes

    def client_time(self, moment: datetime) -> datetime:
        """Return a time in the client's time zone (MS2)."""
        found = _OFFSET.search(self.letter)
        if found is None:
            raise LookupError("the letter states no offset")
        offset = timedelta(hours=int(found["hours"]), minutes=int(found["minutes"]))
        return moment + offset if found["sign"] == "+" else moment - offset

    def general(self) -> tuple[time, time]:
        """Return the client's first and last available time on any weekday (MS8)."""
        found = _GENERAL.search(self.letter)
        if found is None:
            raise LookupError("the letter gives no times")
        return _spoken(found["opens"]), _spoken(found["closes"])

    def never(self) -> str:
        """Return the weekday that does not suit the client.

        The result is empty if there is none (MS8).
        """
        found = _NEVER.search(self.letter)
        return found["day"] if found else ""

    def later(self) -> dict[date, time]:
        """Return the earliest time by day, for days on which the client is available only later (MS8)."""
        return {parse_date(one["date"]): _spoken(one["opens"]) for one in _LATER.finditer(self.letter)}

    def out(self) -> set[date]:
        """Return the days on which the client is not available (MS8)."""
        return {parse_date(one["date"]) for one in _OUT.finditer(self.letter)}

    # -- the specialist -----------------------------------------------------------------------------------------------

    def of_specialist(self, username: str, days: Sequence[date]) -> Spans:
        """Ask the specialist or the deputy, and return the busy times (MS1 and MS8)."""
        dates = ", ".join(day.isoformat() for day in days)
        question = f"When is your calendar taken for a tax review? I am looking at these days: {dates}."
        said = yield from self.answer_of(username, question)
        deputy = _DEPUTY.search(said)
        if deputy:
            said = yield from self.answer_of(deputy["username"], question)
        return [span for one in _TAKEN.finditer(said) for span in self.taken(parse_date(one["date"]), one["what"])]

    def answer_of(self, username: str, question: str) -> Generator[Call, Seen, str]:
        """Ask a question in a direct message and return the answer.

        The result is empty if there is none.
        """
        sent = yield from self.ask("send_message", to=f"@{username}", text=question)
        if not sent["answers"]:
            return ""
        found = yield from self.ask("read_messages", room=f"@{username}", count=sent["answers"])
        return "\n".join(one["text"] for one in found["messages"])

    def taken(self, day: date, what: str) -> list[Span]:
        """Parse the busy times of a day (MS8)."""
        if what == "all day":
            return [_whole(day)]
        return [(_at(day, begins), _at(day, ends)) for begins, ends in _SPAN.findall(what)]

    # -- booking ------------------------------------------------------------------------------------------------------

    def book(self, people: People, start: datetime) -> Steps:
        """Create the meeting in the CRM (MS10)."""
        values = {
            "name": f"{self.rules['meeting']} {self.contact['name']}",
            "dateStart": f"{self.booked_at(start):%Y-%m-%d %H:%M:%S}",
            "dateEnd": f"{self.booked_at(self.end(start)):%Y-%m-%d %H:%M:%S}",
            "status": self.rules["planned"],
            "parentType": "Contact",
            "parentId": self.contact["id"],
            "assignedUserId": self.assigned(people)["id"],
            "usersIds": [one["id"] for one in self.invited(people)],
        }
        yield from self.ask("create_crm_record", entity="Meeting", values=values)

    def booked_at(self, moment: datetime) -> datetime:
        """Return the time to enter in the CRM for a meeting time (MS10)."""
        return moment

    def assigned(self, people: People) -> Seen:
        """Return the user to assign the meeting to (MS10)."""
        return people.adviser

    def invited(self, people: People) -> list[Seen]:
        """Return the users to invite (MS10)."""
        return [people.adviser, people.specialist]

    def confirm(self, people: People, start: datetime) -> Steps:
        """Report the meeting to the adviser (MS11)."""
        begins, ends = self.told_at(start), self.told_at(self.end(start))
        lines = (
            f"The tax review of {self.contact['name']} is booked.",
            f"{self.rules['date_label']}: {begins:%Y-%m-%d}",
            f"{self.rules['time_label']}: {begins:%H:%M}-{ends:%H:%M} UTC",
        )
        yield from self.ask("send_message", to=f"@{self.told(people)['username']}", text="\n".join(lines))

    def told(self, people: People) -> Seen:
        """Return the recipient of the report (MS11)."""
        return people.adviser

    def told_at(self, moment: datetime) -> datetime:
        """Return the time to report to the adviser for a meeting time (MS11)."""
        return moment


def _at(day: date, clock: str) -> datetime:
    return datetime.combine(day, time.fromisoformat(clock))


def _whole(day: date) -> Span:
    return datetime.combine(day, time()), datetime.combine(day + timedelta(days=1), time())


def _spoken(text: str) -> time:
    """Parse a time of day such as 3:30 pm."""
    hour, minute = map(int, text[:-3].split(":"))
    return time(hour % 12 + (12 if text.endswith("pm") else 0), minute)
