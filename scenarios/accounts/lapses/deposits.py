"""Lapses of deposited items: banking day, class, what is taken (5.5.1 and 5.5.2)."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import on_or_before_business_day
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.accounts.lapses.careless import Careless


@lapse("D5", "T1")
class CutOffIgnored(Careless):
    """Counts whatever comes in on a business day for that day."""

    def is_in_time(self, time: str, channel: str) -> bool:
        return True


@lapse("T1.1", "T1.2", "T1.3", "T1.4", "T1.5")
class CutOffOfTheBranch(Careless):
    """Takes the branch's cut-off for every channel."""

    def is_in_time(self, time: str, channel: str) -> bool:
        return time <= self.policy.cutoffs["branch"]


@lapse("D5")
class ClosedDaysCount(Careless):
    """Counts what comes in on a closed day for the business day before."""

    def banking_day(self, day: date, time: str, channel: str) -> date:
        before = on_or_before_business_day(day, self.policy.holidays)
        return super().banking_day(day, time, channel) if before == day else before


@lapse("D9", "calculate_availability.schedule_class")
class PayeeIgnored(Careless):
    """Takes the kind of a check for its class, whoever it is payable to."""

    def is_payable_to_owner(self, item: Seen) -> bool:
        return True


@lapse("T4.1", "T4.2", "T4.6", "T4.7", "calculate_availability.schedule_class")
class PlaceOfDepositIgnored(Careless):
    """Takes every item for deposited at the branch."""

    def is_in_person(self, channel: str) -> bool:
        return True


@lapse("D10", "5.5.1", "T5.12", "T5.13")
class OldChecksTaken(Careless):
    """Takes checks of any age."""

    def is_stale(self, item: Seen) -> bool:
        return False


@lapse("D10", "5.5.1", "T5.12", "T5.13")
class PostdatedChecksTaken(Careless):
    """Takes checks that are dated ahead."""

    def is_postdated(self, item: Seen) -> bool:
        return False


@lapse("5.5.1", "T5.11", "T5.12")
class ChecksNotExamined(Careless):
    """Takes every check, endorsed or not, of whatever date."""

    def lacks_endorsement(self) -> bool:
        return False

    def is_taken(self, item: Seen) -> bool:
        return True


@lapse("5.5.5", "D1")
class ThereTheDayAfter(Careless):
    """Takes what becomes available on a day for not there yet that morning."""

    def available_by(self, part: Seen, day: str) -> int:
        return super().available_by(part, (date.fromisoformat(day) - timedelta(days=1)).isoformat())


@lapse("5.5.5", "record_account_decision.amount")
class WholeDepositAvailable(Careless):
    """Takes everything that is not held for available."""

    def available_by(self, part: Seen, day: str) -> int:
        cents: int = round(100 * (part["next_day_amount"] + part["regular_amount"]))
        return cents


@lapse("T6.4", "T7.4", "T7.5", "T7.6")
class NoticeAlwaysAtOnce(Careless):
    """Gives every notice of a deposit on its day, whatever is held and wherever it came in."""

    def deposit_review_clocks(self) -> tuple[str, str | None]:
        return "hold_notice_in_person", None
