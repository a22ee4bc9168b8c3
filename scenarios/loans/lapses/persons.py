"""Lapses of intake, identity and watch lists (5.1 to 5.3)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.banking.officer.lapses import ask_for_document
from teller_gym.scenarios.loans.judgement import Ending
from teller_gym.scenarios.loans.lapses.careless import Careless


@lapse("5.1.2", "check_application_completeness.earliest_id_expiry")
class ExpiryOfPrimaryAlone(Careless):
    """Looks at the identity document of the primary applicant alone."""

    def earliest_id_expiry(self) -> str:
        day: str = self.people[self.customers[0]]["document_expiry"]
        return day


@lapse("5.1.2")
class ExpiryTodayRefused(Careless):
    """Takes an identity document that expires on the business date for expired."""

    def intake_ending(self, check: Seen) -> Ending | None:
        if check["status"] == "complete" and self.earliest_id_expiry() <= self.case["business_date"]:
            return Ending("incomplete", "document_expired")
        return super().intake_ending(check)


@lapse("T5.4", "5.3.3")
class MatchDenied(Careless):
    """Denies an application whose match is true, and tells the applicant so."""

    def match_ending(self) -> Ending | None:
        ending = super().match_ending()
        return Ending("deny", ending.reason) if ending else None


@lapse("T5.4", "record_credit_decision.principal_reason")
class MatchCalledSanctions(Careless):
    """Takes the list of every true match for the sanctions list."""

    def match_ending(self) -> Ending | None:
        return Ending("refer", "sanctions_match") if self.matched() else None


@lapse("D17", "5.11.2", "5.3.3")
class ReferralTold(Careless):
    """Asks the applicant for the identity document anew because of a true match."""

    def end(self, ending: Ending | None) -> Steps:
        if ending is not None and ending.decision == "refer":
            yield from ask_for_document(self, self.customers[0])
        yield from super().end(ending)


@lapse("D3")
class FirstFindingEnds(Careless):
    """Ends the case at the first applicant's finding, before the other applicant's turn."""

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
    """Works the case of the primary applicant alone."""

    def take_in(self) -> Steps:
        self.customers = self.customers[:1]
        yield from super().take_in()


@lapse("D3")
class ApplicantByApplicant(Careless):
    """Screens the primary applicant before the other one's identity is verified."""

    def verify_identity(self, customer: str) -> Steps:
        yield from super().verify_identity(customer)
        if customer != self.customers[-1] and self.is_verified(customer):
            yield from self.screen_person(customer)

    def screen_person(self, customer: str) -> Steps:
        if customer not in self.screenings:
            yield from super().screen_person(customer)
