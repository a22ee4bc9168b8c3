"""Lapses about decision, dates, desks and notices (5.9 and 5.10)."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Asking
from teller_gym.scenarios.savings.findings import Ending
from teller_gym.scenarios.savings.lapses.careless import Careless


@lapse("5.9.2", "record_savings_decision.routing")
class EverythingToBranch(Careless):
    """Leaves every file but a referral with the branch."""

    def routing(self, ending: Ending) -> str:
        return "compliance" if ending.decision == "refer" else "branch"


@lapse("5.9.2", "record_savings_decision.routing", "T7.2", "T7.3")
class ReferralsToBranch(Careless):
    """Leaves referrals with the branch."""

    def routing(self, ending: Ending) -> str:
        return "branch" if ending.decision == "refer" else super().routing(ending)


@lapse("T8", "5.9.3")
class AnswerOnClosedDay(Careless):
    """Lets the answer be due on a day on which the bank is closed."""

    def answer_day(self) -> date:
        return self.answer_start() + timedelta(days=self.policy.answer_days)


@lapse("D2", "T8", "5.9.3", "record_savings_decision.value_date")
class CalendarDaysCounted(Careless):
    """Counts calendar days where business days are meant."""

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
    """Gives the reason charged for whatever is paid out of a time deposit."""

    def record_decision(self, ending: Ending) -> Asking:
        plain = ending.reason in ("waived_death", "waived_incapacity", "grace_period", "below_minimum")
        return (yield from super().record_decision(ending._replace(reason="charged") if plain else ending))


@lapse("5.9.1", "T7", "record_savings_decision.decision")
class PendingDeclined(Careless):
    """Declines what is only incomplete, and what is to be referred."""

    def record_decision(self, ending: Ending) -> Asking:
        stopped = ending.decision in ("pend", "refer")
        return (yield from super().record_decision(ending._replace(decision="decline") if stopped else ending))


@lapse("5.9.1", "T7.10", "T7.26", "D22", "record_savings_decision.amount")
class NothingForWhatIsNotDone(Careless):
    """Records 0 for whatever is not carried out."""

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
    """Records that a request is carried out though it is in part."""

    def record_decision(self, ending: Ending) -> Asking:
        partly = ending.decision == "in_part"
        return (yield from super().record_decision(ending._replace(decision="carry_out") if partly else ending))
