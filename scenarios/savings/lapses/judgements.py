"""Lapses of savings requests that need code; the others are in ``lapses.yaml``."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Asking, Seen
from teller_gym.scenarios.savings.expert import Settling
from teller_gym.scenarios.savings.findings import Ending
from teller_gym.scenarios.savings.lapses.careless import Careless
from teller_gym.scenarios.savings.policy import Product

# -- coverages -------------------------------------------------------------------------------------------------------


@lapse("D17", "5.8.2", "5.7.1", "T7.18")
class AccruedInterestLeftOut(Careless):
    """Uses principals without accrued interest, for coverage and for a beneficiary of age."""

    def pay_custodial(self) -> Settling:
        ending = yield from super().pay_custodial()
        return ending._replace(amount=self.record["principal"]) if ending.reason == "of_age" else ending

    def covered_balance(self, account_id: str) -> int:
        return to_cents(self.records[account_id]["principal"])


@lapse("D17", "calculate_coverage.trust_beneficiaries")
class BeneficiariesAsListed(Careless):
    """Counts every listed beneficiary of every trust account, even if dead or listed twice."""

    def beneficiary_ids(self, counted: list[str]) -> list[str]:
        trusts = [self.records[key] for key in counted if self.category_of(self.records[key]) == "trust"]
        return [row["customer_id"] for record in trusts for row in record["owners"] if row["role"] == "beneficiary"]


# -- custodials ------------------------------------------------------------------------------------------------------


@lapse("5.7.1", "T5")
class LawOfTheBranch(Careless):
    """Applies the age of majority of the branch's state, or of the first state in the table."""

    def governing_state(self, record: Seen) -> str:
        state = str(self.case["branch_state"])
        return state if state in self.policy.custodial_ages else next(iter(self.policy.custodial_ages))


@lapse("5.7.1", "T7.19", "T7.18")
class OfAgeAtEighteen(Careless):
    """Treats every beneficiary of eighteen or older as of age."""

    def is_of_age(self, record: Seen) -> bool:
        child = next(row for row in record["owners"] if row["role"] == "beneficiary")
        born = date.fromisoformat(child["date_of_birth"])
        return (self.today.year - born.year, self.today.month, self.today.day) >= (18, born.month, born.day)


# -- outcome ---------------------------------------------------------------------------------------------------------


@lapse("T8", "5.9.3")
class AnswerOnClosedDay(Careless):
    """Sets the due date of an answer without moving it off a day on which the bank is closed."""

    def answer_day(self) -> date:
        return self.answer_start() + timedelta(days=self.policy.answer_days)


@lapse("D2", "T8", "5.9.3", "record_savings_decision.value_date")
class CalendarDaysCounted(Careless):
    """Counts calendar days instead of business days."""

    def business_days_on(self, count: int) -> date:
        return self.today + timedelta(days=count)


@lapse("D2", "5.9.3")
class HolidaysForgotten(Careless):
    """Counts holidays as business days."""

    def business_days_on(self, count: int) -> date:
        day = self.today
        while count:
            day += timedelta(days=1)
            count -= day.weekday() < 5
        return day


@lapse("5.9.1", "T7", "record_savings_decision.decision", "record_savings_decision.reason")
class WaivedCalledGrace(Careless):
    """Gives the reason charged for every payout from a time deposit."""

    def record_decision(self, ending: Ending) -> Asking:
        plain = ending.reason in ("waived_death", "waived_incapacity", "grace_period", "below_minimum")
        return (yield from super().record_decision(ending._replace(reason="charged") if plain else ending))


@lapse("5.9.1", "T7", "record_savings_decision.decision")
class PendingDeclined(Careless):
    """Declines requests that are only incomplete or that must be referred."""

    def record_decision(self, ending: Ending) -> Asking:
        stopped = ending.decision in ("pend", "refer")
        return (yield from super().record_decision(ending._replace(decision="decline") if stopped else ending))


@lapse("5.9.1", "T7.10", "T7.26", "D22", "record_savings_decision.amount")
class NothingForWhatIsNotDone(Careless):
    """Records the amount 0 for every request that is not carried out."""

    def record_decision(self, ending: Ending) -> Asking:
        nothing = ending.decision in ("decline", "refer", "pend")
        return (yield from super().record_decision(ending._replace(amount=0.0) if nothing else ending))


@lapse("5.9.4")
class ChargeNotRecorded(Careless):
    """Records no charge."""

    def record_decision(self, ending: Ending) -> Asking:
        self.charge = 0.0
        return (yield from super().record_decision(ending))


@lapse("5.9.1", "T7.16", "record_savings_decision.decision")
class PartlyCalledWhole(Careless):
    """Records a request that is carried out in part as carried out in full."""

    def record_decision(self, ending: Ending) -> Asking:
        partly = ending.decision == "in_part"
        return (yield from super().record_decision(ending._replace(decision="carry_out") if partly else ending))


# -- persons ---------------------------------------------------------------------------------------------------------


@lapse("D6")
class LiftedTodayInForce(Careless):
    """Treats a restriction that is lifted on the business date as still in force."""

    def is_in_force(self, row: Seen) -> bool:
        return super().is_in_force(row) or row["lifted_on"] == self.today.isoformat()


# -- withdrawals -----------------------------------------------------------------------------------------------------


@lapse("D10", "calculate_interest.principal", "5.4.4")
class InterestOnWholePrincipal(Careless):
    """Computes the interest on the whole principal although only a part is withdrawn."""

    def assess(self, waiver: str, to_date: str, reason: str) -> Settling:
        principal = float(self.record["principal"])
        yield from self.work_out_interest(self.account_ids[0], principal, to_date)
        return (yield from self.assess_withdrawal(waiver, self.withdrawn(self.record), reason))


@lapse("D8", "5.4.2")
class AnybodysEventWaives(Careless):
    """Waives the charge no matter whom the event concerns."""

    def struck_owner(self, record: Seen) -> Seen | None:
        return next((r for r in record["owners"] if r["customer_id"] == self.case["event_customer_id"]), None)


@lapse("D8", "5.4.2")
class DocumentAloneWaives(Careless):
    """Waives the charge if the document is on file, regardless of the record."""

    def waiver_of(self, record: Seen) -> str:
        event = self.case["event"]
        return str(event) if event and self.is_proved(event) else "none"


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
