"""Lapses about maturing deposits (5.5)."""

from __future__ import annotations

from datetime import date

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.savings.lapses.careless import Careless


@lapse("D12", "schedule_maturity.anchor_day", "5.5.4")
class AnchoredOnLastMaturity(Careless):
    """Anchors the new term on the day on which the old one ended."""

    def anchor_day(self, record: Seen) -> int:
        return date.fromisoformat(record["maturity_date"]).day


@lapse("D13", "T3", "schedule_maturity.annual_rate")
class RateOfReceipt(Careless):
    """Takes the rates of the day on which the instruction came in."""

    def rate_day(self, record: Seen) -> date:
        return max(self.received, self.policy.rate_sheets[0].since)


@lapse("D13")
class AdditionByOldPrincipal(Careless):
    """Judges the addition by the old principal."""

    def new_rate(self, record: Seen, months: int, principal: int) -> float:
        return super().new_rate(record, months, to_cents(record["principal"]))
