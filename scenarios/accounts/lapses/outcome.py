"""Lapses of deadlines, decision, routing and notice (5.8 to 5.10)."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import add_business_days
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.accounts.judgement import Ending
from teller_gym.scenarios.accounts.lapses.careless import Careless
from teller_gym.scenarios.banking.officer.lapses import ask_for_document


@lapse("D2")
class HolidaysCounted(Careless):
    """Counts holidays as business days where it counts by itself."""

    def after_business_days(self, start: date, days: int) -> date:
        return add_business_days(start, days, ())

    def banking_day(self, day: date, time: str, channel: str) -> date:
        found = super().banking_day(day, time, channel)
        return add_business_days(day, 1, ()) if found > day else found


@lapse("D2", "D19", "5.6.3", "5.7.1")
class WeekendsCounted(Careless):
    """Counts calendar days where it counts several business days by itself."""

    def after_business_days(self, start: date, days: int) -> date:
        return start + timedelta(days=days) if days > 1 else super().after_business_days(start, days)


@lapse("5.8.2", "set_deadline.start_date", "set_deadline.start_event")
class ClockFromReceipt(Careless):
    """Starts every clock on the day on which the request came in."""

    def start_of(self, event: str) -> date:
        return super().start_of(event) if event in ("owner_activity", "report_day") else self.received


@lapse("5.8.2", "set_deadline.start_date")
class ClockFromToday(Careless):
    """Starts clocks of the day of receipt on the business date."""

    def start_of(self, event: str) -> date:
        return self.today if event in ("received_date", "banking_day") else super().start_of(event)


@lapse("T6.3", "T7.22", "T7.23")
class OpeningRefusedLikeOthers(Careless):
    """Runs the clock of other refusals where an opening is declined."""

    def clocks_of(self, ending: Ending) -> tuple[str, str | None]:
        action, final = super().clocks_of(ending)
        return ("refusal" if action == "adverse_action" else action), final


@lapse("T6.14", "T6.15", "T7.24", "T7.26", "set_deadline.clock")
class RefusalsRunLikeInquiries(Careless):
    """Runs the clock for answers where a request is declined."""

    def clocks_of(self, ending: Ending) -> tuple[str, str | None]:
        action, final = super().clocks_of(ending)
        return action, "answer" if final == "objection" else final


@lapse("T8", "T7.27", "set_deadline.length")
class LongestEscalation(Careless):
    """Gives every referral the longest time."""

    def length_of(self, name: str, ending: Ending) -> int:
        if name == "escalation":
            return max(self.policy.escalation_business_days.values())
        return super().length_of(name, ending)


@lapse("5.9.1", "record_account_decision.decision", "T5")
class InPartCarriedOut(Careless):
    """Records what is carried out in part as carried out."""

    def record(self, ending: Ending, due: str, last: str):  # type: ignore[no-untyped-def]
        whole = ending._replace(decision="carry_out", reason="none")
        changed = whole if ending.decision == "in_part" else ending
        return (yield from super().record(changed, due, last))


@lapse("5.10.1", "send_customer_notice.customer_id")
class NoticeToFirstParty(Careless):
    """Sends every notice to the first party, were it a child."""

    def addressee(self, parties: list[Seen]) -> str:
        key: str = min(row["customer_id"] for row in parties)
        return key


@lapse("D22", "T9", "5.3.2")
class ReferralTold(Careless):
    """Asks the first party for a document because of a referral."""

    def record(self, ending: Ending, due: str, last: str):  # type: ignore[no-untyped-def]
        record = yield from super().record(ending, due, last)
        if ending.decision == "refer":
            yield from ask_for_document(self, record["parties"][0]["customer_id"])
        return record
