"""Lapses of how a case ends (D4 and T5)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.loans.judgement import Ending
from teller_gym.scenarios.loans.lapses.careless import Careless


@lapse("5.1.3", "5.2.2", "5.3.3", "D4")
class WorkedOnAfterEarlyEnding(Careless):
    """Works out the exposure though the case has ended at intake, identity or watch lists."""

    def end(self, ending: Ending | None) -> Steps:
        if ending is not None and self.exposure is None:
            yield from self.measure_exposure()
        yield from super().end(ending)


@lapse("5.5.2", "5.5.3", "5.6.2", "5.8.1", "5.8.2", "5.9.1", "D4")
class WorkedOnAfterLateEnding(Careless):
    """Makes the next step's call though the case has ended with a report, an employment or the collateral."""

    def end(self, ending: Ending | None) -> Steps:
        if ending is not None and self.reports:
            yield from self.work_on()
        yield from super().end(ending)

    def work_on(self) -> Steps:
        """Make the call that would come next."""
        if not self.jobs:
            yield from self.verify_job(self.customers[0])
        elif not self.income:
            yield from self.measure_debts()
        elif not self.insurance:
            yield from self.verify_insurance()
        else:
            yield from self.quote_price(self.considered_amount())


@lapse("D4", "D17")
class TriedAgain(Careless):
    """Verifies an identity or an employment again when it was not confirmed."""

    def verify_identity(self, customer: str) -> Steps:
        yield from super().verify_identity(customer)
        if not self.is_verified(customer):
            yield from super().verify_identity(customer)

    def verify_job(self, customer: str) -> Steps:
        yield from super().verify_job(customer)
        if self.jobs[customer]["employment_status"] == "not_confirmed":
            yield from super().verify_job(customer)


@lapse("T5.1", "T5.3", "T5.5", "T5.6", "T5.7", "T5.9", "T5.11", "5.10.1", "record_credit_decision.decision")
class DenialsSentBack(Careless):
    """Sends back as incomplete what is to be denied."""

    def end(self, ending: Ending | None) -> Steps:
        denied = ending is not None and ending.decision == "deny"
        yield from super().end(Ending("incomplete", ending.reason) if ending and denied else ending)


@lapse("T5.2", "T5.8", "T5.10", "5.10.1", "record_credit_decision.decision")
class IncompleteDenied(Careless):
    """Denies what is incomplete."""

    def end(self, ending: Ending | None) -> Steps:
        incomplete = ending is not None and ending.decision == "incomplete"
        yield from super().end(Ending("deny", ending.reason) if ending and incomplete else ending)
