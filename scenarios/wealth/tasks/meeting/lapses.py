"""The expert of arranging a meeting with one judgement left out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.wealth.tasks.meeting.expert import Expert, People, Span, Spans


@lapse("MS1")
class SpecialistNotAsked(Expert):
    """Takes the specialist to be free whenever the others are."""

    def of_specialist(self, username: str, days: Sequence[date]) -> Spans:
        yield from ()
        return []


@lapse("MS1")
class WholeDaysMissed(Expert):
    """Reads times in the specialist's answer only, not that a whole day is taken."""

    def taken(self, day: date, what: str) -> list[Span]:
        return [] if what == "all day" else super().taken(day, what)


@lapse("MS2")
class ClientTimesAsUtc(Expert):
    """Takes the client's times for UTC."""

    def client_time(self, moment: datetime) -> datetime:
        return moment


@lapse("MS3")
class AnyMinute(Expert):
    """Lets a meeting begin at any five minutes."""

    def step(self) -> int:
        return 5


@lapse("MS3")
class RunsPastClosing(Expert):
    """Looks only that the meeting begins within office hours."""

    def is_in_hours(self, start: datetime) -> bool:
        return str(self.rules["opens"]) <= f"{start:%H:%M}" < str(self.rules["closes"])


@lapse("MS3")
class AnHourIsEnough(Expert):
    """Looks only that all are free for the first hour."""

    def is_free(self, start: datetime, busy: Sequence[Span]) -> bool:
        return all(start + timedelta(hours=1) <= begins or ends <= start for begins, ends in busy)


@lapse("MS4")
class ClosedDayCounted(Expert):
    """Counts the day on which the office is closed as notice."""

    def after_notice(self, weekdays: list[date], closed: set[date]) -> list[date]:
        return [day for day in weekdays[self.rules["notice"] - 1 :] if day not in closed]


@lapse("MS5")
class CalendarDays(Expert):
    """Counts the days of notice by the calendar."""

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
    """Takes what is tentative to be free."""

    def takes_time(self, status: str) -> bool:
        return status != str(self.rules["tentative"]) and super().takes_time(status)


@lapse("MS6")
class CancelledKept(Expert):
    """Takes what was cancelled to be taken."""

    def takes_time(self, status: str) -> bool:
        return True


@lapse("MS7")
class CalendarAlone(Expert):
    """Does not look into the CRM."""

    def of_crm(self, people: People) -> Spans:
        yield from ()
        return []


@lapse("MS7")
class AssignedMeetingsOnly(Expert):
    """Passes over the meetings of others to which the adviser is invited."""

    def attends(self, user_id: str, meeting: Seen) -> bool:
        return bool(user_id == meeting["assignedUserId"])


@lapse("MS7")
class EverybodysMeetings(Expert):
    """Takes every meeting in the CRM for one of the adviser's."""

    def attends(self, user_id: str, meeting: Seen) -> bool:
        return True


@lapse("MS7")
class NotHeldKept(Expert):
    """Takes a meeting that will not be held to take its time."""

    def is_on(self, status: str) -> bool:
        return True


@lapse("MS8")
class WeekdayPassedOver(Expert):
    """Reads over the day of the week that does not suit the client."""

    def never(self) -> str:
        return ""


@lapse("MS8")
class PostscriptUnread(Expert):
    """Does not read the letter's postscript."""

    def out(self) -> set[date]:
        return set()


@lapse("MS8")
class GeneralTimesAlone(Expert):
    """Reads over the day on which the client can only come later."""

    def later(self) -> dict[date, time]:
        return {}


@lapse("MS9")
class TouchingClashes(Expert):
    """Takes times that touch to clash."""

    def is_free(self, start: datetime, busy: Sequence[Span]) -> bool:
        return all(self.end(start) < begins or ends < start for begins, ends in busy)


@lapse("MS10")
class LatestSlot(Expert):
    """Books the last slot that suits all."""

    def chosen(self, starts: list[datetime]) -> datetime | None:
        return max(starts, default=None)


@lapse("MS10")
class BookedInClientTime(Expert):
    """Enters the client's own time into the CRM."""

    def booked_at(self, moment: datetime) -> datetime:
        return self.client_time(moment)


@lapse("MS10")
class SpecialistNotInvited(Expert):
    """Invites only the adviser."""

    def invited(self, people: People) -> list[Seen]:
        return [people.adviser]


@lapse("MS10")
class AssignedToSpecialist(Expert):
    """Assigns the meeting to the specialist, who is to prepare it."""

    def assigned(self, people: People) -> Seen:
        return people.specialist


@lapse("MS11")
class NobodyTold(Expert):
    """Books the meeting and informs nobody."""

    def confirm(self, people: People, start: datetime) -> Steps:
        yield from ()


@lapse("MS11")
class SpecialistTold(Expert):
    """Tells the specialist instead of the adviser."""

    def told(self, people: People) -> Seen:
        return people.specialist


@lapse("MS11")
class ToldInClientTime(Expert):
    """Tells the adviser the client's own time."""

    def told_at(self, moment: datetime) -> datetime:
        return self.client_time(moment)
