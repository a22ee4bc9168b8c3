"""Lapses about withdrawals and interest (5.4)."""

from __future__ import annotations

from datetime import date

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.savings.expert import Settling
from teller_gym.scenarios.savings.lapses.careless import Careless
from teller_gym.scenarios.savings.policy import Product


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


@lapse("D8", "5.4.2")
class AnybodysEventWaives(Careless):
    """Waives the charge for whomever the event has befallen."""

    def struck_owner(self, record: Seen) -> Seen | None:
        return next((r for r in record["owners"] if r["customer_id"] == self.case["event_customer_id"]), None)


@lapse("D8", "5.4.2")
class DocumentAloneWaives(Careless):
    """Waives the charge if the document is on file, whatever the record says."""

    def waiver_of(self, record: Seen) -> str:
        event = self.case["event"]
        return str(event) if event and self.is_proved(event) else "none"


@lapse("D9", "5.4.3", "assess_withdrawal.withdrawn_amount", "5.5.3", "T7.12")
class MinimumForgotten(Careless):
    """Pays the part that is asked for, and renews what is left, though too little remains."""

    def is_too_small(self, record: Seen, principal: int) -> bool:
        return principal <= 0

    def withdrawn(self, record: Seen) -> float:
        return float(self.case["requested_amount"] or record["principal"])


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


class _MistakenProduct(Careless):
    """Works out the interest of some products by the next row of T1."""

    mistaken: tuple[str, ...] = ()

    def earning(self, record: Seen) -> Product:
        if record["product"] not in self.mistaken:
            return super().earning(record)
        names = list(self.policy.products)
        return self.policy.products[names[(names.index(record["product"]) + 1) % len(names)]]


@lapse("T1.1", "5.4.4", "calculate_interest.method", "calculate_interest.day_count")
class InterestOfFixedTermMistaken(_MistakenProduct):
    """Works out the interest of a fixed term by another row."""

    mistaken = ("fixed_term",)


@lapse("T1.2", "5.4.4", "calculate_interest.method", "calculate_interest.day_count")
class InterestOfGrowthTermMistaken(_MistakenProduct):
    """Works out the interest of a growth term by another row."""

    mistaken = ("growth_term",)


@lapse("T1.3", "5.4.4", "calculate_interest.method", "calculate_interest.day_count")
class InterestOfMonthlyTermMistaken(_MistakenProduct):
    """Works out the interest of a monthly term by another row."""

    mistaken = ("monthly_term",)


@lapse("T1.4", "T1.5", "5.4.4", "calculate_interest.method", "calculate_interest.day_count")
class InterestOfBonusSaverMistaken(_MistakenProduct):
    """Works out the interest of a bonus saver by another row."""

    mistaken = ("bonus_saver", "young_saver")
