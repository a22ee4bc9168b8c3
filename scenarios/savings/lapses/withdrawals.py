"""Lapses about withdrawals and interest (5.4)."""

from __future__ import annotations

from datetime import date

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.savings.expert import Settling
from teller_gym.scenarios.savings.lapses.careless import Careless


@lapse("D7", "5.4.1", "5.5.1")
class GraceByBusinessDate(Careless):
    """Takes the business date, not the day of receipt, for the grace period."""

    def counted_day(self) -> date:
        return self.today


@lapse("D7")
class GraceNotMovedOn(Careless):
    """Lets the grace period end on a day on which the bank is closed."""

    def moved_on(self, last: date) -> date:
        return last


@lapse("5.4.1", "T7.7", "assess_withdrawal.waiver")
class GraceOverlooked(Careless):
    """Charges a withdrawal in the grace period."""

    def is_in_grace(self, record: Seen) -> bool:
        return False


@lapse("D10", "calculate_interest.to_date", "5.5.2")
class InterestAfterMaturity(Careless):
    """Lets interest run on after maturity."""

    def interest_to_maturity(self, record: Seen) -> str:
        return self.today.isoformat()


@lapse("D10", "5.4.4")
class InterestFromTermStart(Careless):
    """Works interest out from the start of the term, not from the day it is paid to."""

    def interest_from(self, record: Seen) -> str:
        return str(record["term_started_on"] or record["interest_paid_to"])


@lapse("D10", "calculate_interest.principal", "5.4.4")
class InterestOnWholePrincipal(Careless):
    """Works out the interest on the whole principal though a part is withdrawn."""

    def assess(self, waiver: str, to_date: str, reason: str) -> Settling:
        principal = float(self.record["principal"])
        yield from self.work_out_interest(self.account_ids[0], principal, to_date)
        return (yield from self.assess_withdrawal(waiver, self.withdrawn(self.record), reason))


@lapse("D8", "5.4.2", "T7.8")
class WaiversForgotten(Careless):
    """Charges whatever has happened to an owner."""

    def waiver_of(self, record: Seen) -> str:
        return "none"


@lapse("D8", "5.4.2")
class AnybodysEventWaives(Careless):
    """Waives the charge for whomever the event has befallen."""

    def struck_owner(self, record: Seen) -> Seen | None:
        return next((r for r in record["owners"] if r["customer_id"] == self.case["event_customer_id"]), None)


@lapse("D8", "5.4.2")
class EarlierEventWaives(Careless):
    """Waives the charge for an event before the current term began."""

    def happened_in_term(self, record: Seen, day: str) -> bool:
        return True


@lapse("D8", "5.4.2")
class DocumentAloneWaives(Careless):
    """Waives the charge if the document is on file, whatever the record says."""

    def waiver_of(self, record: Seen) -> str:
        event = self.case["event"]
        return str(event) if event and self.is_proved(event) else "none"


@lapse("T7.5", "T7.21", "T10.6", "T10.7", "T6", "5.4.2", "5.7.2")
class DocumentsNotLookedFor(Careless):
    """Looks for no document, of an event or of a purpose."""

    def is_purpose_proved(self) -> bool:
        return True

    def is_proved(self, event: str) -> bool:
        return True


@lapse("D9", "5.4.3", "assess_withdrawal.withdrawn_amount", "5.5.3", "T7.12")
class MinimumForgotten(Careless):
    """Pays the part that is asked for, and renews what is left, though too little remains."""

    def is_too_small(self, record: Seen, principal: int) -> bool:
        return principal <= 0

    def withdrawn(self, record: Seen) -> float:
        return float(self.case["requested_amount"] or record["principal"])


@lapse("D11", "T2", "assess_withdrawal.charge_days", "5.4.5")
class ShortestChargeForAll(Careless):
    """Takes the first row of the charges, whatever the term."""

    def charge_days(self, record: Seen) -> int:
        return self.policy.charges[0].days


@lapse("D11", "T2", "assess_withdrawal.charge_days")
class ChargeByRemainingTerm(Careless):
    """Takes the charge by what remains of the term."""

    def charged_term(self, record: Seen) -> int:
        ends = date.fromisoformat(record["maturity_date"])
        return max(1, -(-(ends - self.today).days // 31))


@lapse("D11", "T2", "assess_withdrawal.charge_days")
class ChargeByElapsedTerm(Careless):
    """Takes the charge by what has run of the term."""

    def charged_term(self, record: Seen) -> int:
        start = date.fromisoformat(record["term_started_on"])
        return min(int(record["term_months"]), max(1, (self.today - start).days // 30))
