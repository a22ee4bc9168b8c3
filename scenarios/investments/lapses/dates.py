"""Lapses of dates (D1, D2 and T8)."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import add_business_days, on_or_before_business_day
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.investments.lapses.careless import Careless


@lapse("D2")
class CutoffItselfInTime(Careless):
    """Takes an instruction of exactly the cutoff for one in time."""

    def is_late(self, instructed_at: str) -> bool:
        return super().is_late(instructed_at) and not instructed_at.endswith(self.policy.order_cutoff)


@lapse("D2", "list_tax_lots.acquired_to", "calculate_realized_gain.sold_on")
class TimeOfDayAlone(Careless):
    """Compares the time of day alone, also of instructions of an earlier day."""

    def is_late(self, instructed_at: str) -> bool:
        return instructed_at[-5:] >= self.policy.order_cutoff


@lapse("D2", "5.5.2", "5.7.1", "value_positions.valuation_date")
class PricesBeforeTheBusinessDate(Careless):
    """Takes the prices of the last business day before the business date, whatever the trade date."""

    def price_date(self) -> date:
        return on_or_before_business_day(self.today - timedelta(days=1), self.policy.holidays)


@lapse("D1", "5.13.2")
class CalendarDaysCounted(Careless):
    """Counts calendar days where business days are meant."""

    def effective_date(self, record: Seen) -> date:
        right = super().effective_date(record)
        start = self.today if record["decision"] in ("refuse", "refer") else self.trade_date(record["instructed_at"])
        days = sum(add_business_days(start, count, self.policy.holidays) <= right for count in range(1, 30))
        return start + timedelta(days=days)


@lapse("T8.8", "T8.16", "5.13.2", "release_instruction.effective_date")
class CountedFromTheBusinessDate(Careless):
    """Counts from the business date where the trade date is meant."""

    def effective_date(self, record: Seen) -> date:
        if record["decision"] in ("refuse", "refer"):
            return super().effective_date(record)
        return self.after_business_days(self.today, self.working_days(record))


@lapse("T8.2")
class LongestTimeForReferrals(Careless):
    """Gives every referral the longest time."""

    def effective_date(self, record: Seen) -> date:
        if record["decision"] != "refer":
            return super().effective_date(record)
        return self.after_business_days(self.today, max(self.policy.referral_days.values()))
