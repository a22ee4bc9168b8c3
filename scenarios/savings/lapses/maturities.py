"""Lapses about maturing deposits (5.5)."""

from __future__ import annotations

from datetime import date

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.savings.lapses.careless import Careless


@lapse("5.5.3", "schedule_maturity.new_principal")
class InterestAlwaysCapitalised(Careless):
    """Adds the interest to the principal though it is paid out."""

    def new_principal(self, record: Seen, interest: Seen, *, in_time: bool) -> int:
        return super().new_principal({**record, "interest_handling": "capitalise"}, interest, in_time=in_time)


@lapse("5.5.3", "schedule_maturity.new_principal")
class InterestNeverCapitalised(Careless):
    """Renews the old principal."""

    def new_principal(self, record: Seen, interest: Seen, *, in_time: bool) -> int:
        return super().new_principal({**record, "interest_handling": "paid_out"}, interest, in_time=in_time)


@lapse("5.5.3", "schedule_maturity.new_principal")
class PartLeftIn(Careless):
    """Forgets the part that is paid out at renewal."""

    def new_principal(self, record: Seen, interest: Seen, *, in_time: bool) -> int:
        return super().new_principal(record, interest, in_time=False)


@lapse("5.5.3", "5.5.1")
class PartPaidThoughLate(Careless):
    """Pays a part out though the instruction came too late."""

    def new_principal(self, record: Seen, interest: Seen, *, in_time: bool) -> int:
        return super().new_principal(record, interest, in_time=True)


@lapse("5.5.1", "schedule_maturity.term_months")
class NewTermThoughLate(Careless):
    """Takes the new term though the instruction came too late."""

    def new_term(self, record: Seen, *, in_time: bool) -> int:
        return super().new_term(record, in_time=True)


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
