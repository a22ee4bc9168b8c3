"""Lapses of deposited items: banking day, class, what is taken (5.5.1 and 5.5.2)."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import on_or_before_business_day
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.accounts.lapses.careless import Careless


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
