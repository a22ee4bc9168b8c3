"""Meeting experts that each make one wrong judgement.

Codes such as MS1 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.wealth.tasks.meeting.expert import Expert, People, Span, Spans


@lapse("MS1")
class SpecialistNotAsked(Expert):
    """Assumes that the specialist is free whenever the others are."""

    def of_specialist(self, username: str, days: Sequence[date]) -> Spans:
        yield from ()
        return []


@lapse("MS1")
class WholeDaysMissed(Expert):
    """Reads only times in the specialist's answer, and misses a fully booked day."""

    def taken(self, day: date, what: str) -> list[Span]:
        return [] if what == "all day" else super().taken(day, what)


@lapse("MS2")
class ClientTimesAsUtc(Expert):
    """Reads the client's times as UTC."""

    def client_time(self, moment: datetime) -> datetime:
        return moment


@lapse("MS3")
class AnyMinute(Expert):
    """Allows meetings to begin at any multiple of five minutes."""

    def step(self) -> int:
        return 5


@lapse("MS3")
class RunsPastClosing(Expert):
    """Checks only that the meeting begins within office hours."""

    def is_in_hours(self, start: datetime) -> bool:
        return str(self.rules["opens"]) <= f"{start:%H:%M}" < str(self.rules["closes"])


@lapse("MS3")
class AnHourIsEnough(Expert):
    """Checks only that everybody is free for the first hour."""

    def is_free(self, start: datetime, busy: Sequence[Span]) -> bool:
        return all(start + timedelta(hours=1) <= begins or ends <= start for begins, ends in busy)


@lapse("MS4")
class ClosedDayCounted(Expert):
    """Counts a day on which the office is closed as notice."""

    def after_notice(self, weekdays: list[date], closed: set[date]) -> list[date]:
        return [day for day in weekdays[self.rules["notice"] - 1 :] if day not in closed]


@lapse("MS5")
class CalendarDays(Expert):
    """Counts calendar days as notice, instead of business days."""

    def after_notice(self, weekdays: list[date], closed: set[date]) -> list[date]:
        first = self.today + timedelta(days=self.rules["notice"])
        return [day for day in weekdays if day >= first and day not in closed]


@lapse("MS5")
class TodayCounted(Expert):
    """Counts today as the first day of notice."""

    def after_notice(self, weekdays: list[date], closed: set[date]) -> list[date]:
        return [day for day in weekdays if day not in closed][self.rules["notice"] - 2 :]


@lapse("MS6")
class TentativePassedOver(Expert):
    """Treats tentative entries as free time."""

    def takes_time(self, status: str) -> bool:
        return status != str(self.rules["tentative"]) and super().takes_time(status)


@lapse("MS6")
class CancelledKept(Expert):
    """Treats cancelled entries as busy time."""

    def takes_time(self, status: str) -> bool:
        return True


@lapse("MS7")
class CalendarAlone(Expert):
    """Ignores the meetings in the CRM."""

    def of_crm(self, people: People) -> Spans:
        yield from ()
        return []


@lapse("MS7")
class AssignedMeetingsOnly(Expert):
    """Ignores meetings assigned to others to which the adviser is invited."""

    def attends(self, user_id: str, meeting: Seen) -> bool:
        return bool(user_id == meeting["assignedUserId"])


@lapse("MS7")
class EverybodysMeetings(Expert):
    """Treats every CRM meeting as one of the adviser's."""

    def attends(self, user_id: str, meeting: Seen) -> bool:
        return True


@lapse("MS7")
class NotHeldKept(Expert):
    """Treats meetings that will not be held as busy time."""

    def is_on(self, status: str) -> bool:
        return True


@lapse("MS8")
class WeekdayPassedOver(Expert):
    """Overlooks the weekday on which the client is not available."""

    def never(self) -> str:
        return ""


@lapse("MS8")
class PostscriptUnread(Expert):
    """Overlooks the letter's postscript."""

    def out(self) -> set[date]:
        return set()


@lapse("MS8")
class GeneralTimesAlone(Expert):
    """Overlooks the day on which the client is available only later."""

    def later(self) -> dict[date, time]:
        return {}


@lapse("MS9")
class TouchingClashes(Expert):
    """Treats adjacent times as overlapping."""

    def is_free(self, start: datetime, busy: Sequence[Span]) -> bool:
        return all(self.end(start) < begins or ends < start for begins, ends in busy)


@lapse("MS10")
class LatestSlot(Expert):
    """Books the latest slot instead of the earliest."""

    def chosen(self, starts: list[datetime]) -> datetime | None:
        return max(starts, default=None)


@lapse("MS10")
class BookedInClientTime(Expert):
    """Enters the client's local time in the CRM."""

    def booked_at(self, moment: datetime) -> datetime:
        return self.client_time(moment)


@lapse("MS10")
class SpecialistNotInvited(Expert):
    """Invites only the adviser."""

    def invited(self, people: People) -> list[Seen]:
        return [people.adviser]


@lapse("MS10")
class AssignedToSpecialist(Expert):
    """Assigns the meeting to the specialist."""

    def assigned(self, people: People) -> Seen:
        return people.specialist


@lapse("MS11")
class NobodyTold(Expert):
    """Books the meeting and informs nobody."""

    def confirm(self, people: People, start: datetime) -> Steps:
        yield from ()


@lapse("MS11")
class SpecialistTold(Expert):
    """Reports to the specialist instead of the adviser."""

    def told(self, people: People) -> Seen:
        return people.specialist


@lapse("MS11")
class ToldInClientTime(Expert):
    """Reports the client's local time to the adviser."""

    def told_at(self, moment: datetime) -> datetime:
        return self.client_time(moment)
