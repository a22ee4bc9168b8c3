"""Lapses of order: calls that are made before the gate that should precede them."""

from __future__ import annotations

from typing import Any

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Asking, Seen, Steps
from teller_gym.scenarios.loans.lapses.careless import Careless, Late


class _EmploymentEarly(Careless):
    """Verifies each employment only once, although a lapse calls for it early."""

    def verify_job(self, customer: str) -> Steps:
        if customer not in self.jobs:
            yield from super().verify_job(customer)

    def verify_jobs(self) -> Steps:
        for customer in self.customers:
            yield from self.verify_job(customer)


@lapse("D18", "5.1.3")
class EmploymentBeforeIntake(_EmploymentEarly):
    """Verifies employments before checking that the application is complete."""

    def ask(self, name: str, /, **arguments: Any) -> Asking:
        if name == "check_application_completeness":
            yield from self.verify_jobs()
        return (yield from super().ask(name, **arguments))


@lapse("D18", "5.2.2")
class EmploymentBeforeIdentity(_EmploymentEarly):
    """Verifies employments before identities."""

    def identify(self) -> Steps:
        yield from self.verify_jobs()
        yield from super().identify()


@lapse("D18", "5.3.3")
class EmploymentBeforeWatchLists(_EmploymentEarly):
    """Verifies employments before screening the watch lists."""

    def screen(self) -> Steps:
        yield from self.verify_jobs()
        yield from super().screen()


@lapse("D18", "5.5.3", "5.5.2")
class EmploymentBeforeCredit(_EmploymentEarly):
    """Verifies employments before pulling the credit reports."""

    def check_credit(self) -> Steps:
        yield from self.verify_jobs()
        yield from super().check_credit()


@lapse("D18", "5.2.2", "5.3.3")
class ExposureBeforeIdentity(Careless):
    """Calculates the exposure before identities and watch lists."""

    def identify(self) -> Steps:
        yield from super().measure_exposure()
        yield from super().identify()

    def measure_exposure(self) -> Steps:
        yield from ()


@lapse("D18", "5.3.2", "5.3.3")
class MatchLeftOpen(Late):
    """Decides a possible match only when a tool requires it."""

    def screen(self) -> Steps:
        for customer in self.checks:
            yield from self.screen_person(customer)

    def catch_up(self) -> Steps:
        yield from self.resolve_matches()
        yield from self.end(self.match_ending())


@lapse("D18", "5.5.2")
class AlertLeftOpen(Late):
    """Contacts an applicant about a fraud alert only when pricing is refused without it."""

    def has_alert(self, report: Seen) -> bool:
        return self._caught_up and super().has_alert(report)

    def catch_up(self) -> Steps:
        confirmed = []
        for customer, report in self.reports.items():
            if self.has_alert(report):
                confirmed.append((yield from self.resolve_alert(customer)))
        yield from self.end(self.alert_ending(confirmed))


@lapse("D18", "5.6.2")
class CollateralBeforeEmployment(Careless):
    """Verifies the insurance before the employments."""

    def verify_employment(self) -> Steps:
        yield from super().check_collateral()
        yield from super().verify_employment()

    def check_collateral(self) -> Steps:
        yield from ()


@lapse("D18", "5.8.2")
class PriceBeforeInsurance(Careless):
    """Prices the loan before verifying the insurance."""

    def verify_insurance(self) -> Steps:
        amount = self.considered_amount()
        if not self.is_too_small(amount):
            yield from super().quote_price(amount)
        yield from super().verify_insurance()

    def quote_price(self, amount: float) -> Steps:
        if not self.quote:
            yield from super().quote_price(amount)
