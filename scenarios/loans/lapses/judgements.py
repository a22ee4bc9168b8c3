"""Lapses of loan applications that need code; the others are in ``lapses.yaml``."""

from __future__ import annotations

from datetime import date

from teller_gym.base.money import divide_half_up, to_cents, usd
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Asking, Seen, Steps
from teller_gym.scenarios.banking.officer.lapses import ask_for_document
from teller_gym.scenarios.loans.judgement import Ending
from teller_gym.scenarios.loans.lapses.careless import Careless


@lapse("5.1.3", "5.2.2", "5.3.3", "D4")
class WorkedOnAfterEarlyEnding(Careless):
    """Calculates the exposure although the case has ended at intake, identity or watch lists."""

    def end(self, ending: Ending | None) -> Steps:
        if ending is not None and self.exposure is None:
            yield from self.measure_exposure()
        yield from super().end(ending)


@lapse("5.5.2", "5.5.3", "5.6.2", "5.8.1", "5.8.2", "5.9.1", "D4")
class WorkedOnAfterLateEnding(Careless):
    """Makes the next step's call although a report, an employment or the collateral has ended the case."""

    def end(self, ending: Ending | None) -> Steps:
        if ending is not None and self.reports:
            yield from self.work_on()
        yield from super().end(ending)

    def work_on(self) -> Steps:
        """Make the call that the next step would begin with."""
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
    """Verifies an identity or employment again after it was not confirmed."""

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
    """Sends an application back as incomplete instead of denying it."""

    def end(self, ending: Ending | None) -> Steps:
        denied = ending is not None and ending.decision == "deny"
        yield from super().end(Ending("incomplete", ending.reason) if ending and denied else ending)


@lapse("T5.2", "T5.8", "T5.10", "5.10.1", "record_credit_decision.decision")
class IncompleteDenied(Careless):
    """Denies an incomplete application instead of sending it back."""

    def end(self, ending: Ending | None) -> Steps:
        incomplete = ending is not None and ending.decision == "incomplete"
        yield from super().end(Ending("deny", ending.reason) if ending and incomplete else ending)


@lapse("D1")
class AgeUpToReceipt(Careless):
    """Measures a report's age on the day the application was received."""

    @property
    def today(self) -> date:
        return date.fromisoformat(self.case["received_date"])


@lapse("5.5.3", "D6")
class MinimumScoreFails(Careless):
    """Denies a score that equals the minimum."""

    def score_ending(self) -> Ending | None:
        fails = self.qualifying_score() <= self.policy.min_credit_score
        return Ending("deny", self.main_factor()) if fails else None


@lapse("D14")
class FallingProfitAveraged(Careless):
    """Uses the mean of two years' profit although the latest is lower."""

    def total_income(self, incomes: dict[str, float]) -> float:
        return super().total_income({customer: self._mean(customer, income) for customer, income in incomes.items()})

    def _mean(self, customer: str, income: float) -> float:
        job = self.jobs[customer]
        if job["pay_type"] != "self_employed":
            return income
        return usd(divide_half_up(to_cents(job["prior_year_profit"]) + to_cents(job["latest_year_profit"]), 24))


@lapse("5.8.2")
class InsuranceNotVerified(Careless):
    """Skips the verification of the insurance."""

    def verify_insurance(self) -> Steps:
        self.insurance = {"insurance_status": "adequate", "monthly_escrow": 0.0}
        yield from ()


@lapse("5.8.2")
class InsuranceEndingTodayRefused(Careless):
    """Treats an insurance that ends on the business date as expired."""

    def insurance_ending(self) -> Ending | None:
        if self.item["insurance_expiry"] <= self.case["business_date"]:
            return Ending("incomplete", "insurance_insufficient")
        return super().insurance_ending()


@lapse("5.9.4", "record_credit_decision.dti_percent")
class SecondComparisonSkipped(Careless):
    """Calculates the payment for the offered amount, but does not compare it with the limits again."""

    def compare_again(self, amount: float) -> Steps:
        yield from self.work_out_payment(amount)


@lapse("5.9.4")
class SecondPaymentSkipped(Careless):
    """Offers the smaller amount with the payment for the considered one."""

    def compare_again(self, amount: float) -> Steps:
        self.granted = amount
        yield from ()


@lapse("5.9.4")
class OfferPricedAnew(Careless):
    """Prices the loan again for the offered amount."""

    def compare_again(self, amount: float) -> Steps:
        yield from self.quote_price(amount)
        yield from super().compare_again(amount)


@lapse("T5.14", "D10")
class CapApproved(Careless):
    """Approves the amount that the collateral supports, as if it had been requested."""

    def granted_ending(self, amount: float) -> Ending:
        return Ending("approve", "none")


@lapse("5.10.3")
class PaymentWithInsurance(Careless):
    """Records the payment including mortgage insurance."""

    def work_out_payment(self, amount: float) -> Asking:
        cost = yield from super().work_out_payment(amount)
        self.payment = usd(to_cents(cost["monthly_payment"]) + to_cents(cost["monthly_mortgage_insurance"]))
        return cost


@lapse("5.1.2")
class ExpiryTodayRefused(Careless):
    """Treats an identity document that expires on the business date as expired."""

    def intake_ending(self, check: Seen) -> Ending | None:
        if check["status"] == "complete" and self.earliest_id_expiry() <= self.case["business_date"]:
            return Ending("incomplete", "document_expired")
        return super().intake_ending(check)


@lapse("T5.4", "5.3.3")
class MatchDenied(Careless):
    """Denies an application with a true match, which informs the applicant."""

    def match_ending(self) -> Ending | None:
        ending = super().match_ending()
        return Ending("deny", ending.reason) if ending else None


@lapse("T5.4", "record_credit_decision.principal_reason")
class MatchCalledSanctions(Careless):
    """Treats every true match as one on the sanctions list."""

    def match_ending(self) -> Ending | None:
        return Ending("refer", "sanctions_match") if self.matched() else None


@lapse("D17", "5.11.2", "5.3.3")
class ReferralTold(Careless):
    """Requests the identity document again from an applicant with a true match."""

    def end(self, ending: Ending | None) -> Steps:
        if ending is not None and ending.decision == "refer":
            yield from ask_for_document(self, self.customers[0])
        yield from super().end(ending)


@lapse("D3")
class FirstFindingEnds(Careless):
    """Ends the case at the first applicant's finding, before checking the other applicant."""

    def verify_identity(self, customer: str) -> Steps:
        yield from super().verify_identity(customer)
        yield from self.end(self.identity_ending())

    def screen_person(self, customer: str) -> Steps:
        yield from super().screen_person(customer)
        screening = self.screenings[customer]
        if screening["list_entry_id"] is not None and self.same_birth(screening) and self.same_country(screening):
            yield from self.resolve_match(customer)
            yield from self.end(self.match_ending())

    def verify_job(self, customer: str) -> Steps:
        yield from super().verify_job(customer)
        yield from self.end(self.employment_ending())


@lapse("D3")
class PrimaryAlone(Careless):
    """Works only the primary applicant's case."""

    def take_in(self) -> Steps:
        self.customers = self.customers[:1]
        yield from super().take_in()


@lapse("D3")
class ApplicantByApplicant(Careless):
    """Screens the primary applicant before verifying the other one's identity."""

    def verify_identity(self, customer: str) -> Steps:
        yield from super().verify_identity(customer)
        if customer != self.customers[-1] and self.is_verified(customer):
            yield from self.screen_person(customer)

    def screen_person(self, customer: str) -> Steps:
        if customer not in self.screenings:
            yield from super().screen_person(customer)
