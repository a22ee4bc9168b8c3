"""Lapses of order: steps done before the gate that precedes them (D25)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.credit_cards.lapses.careless import Careless


@lapse("D25", "5.2.1")
class IdentityBeforeBlock(Careless):
    """Verifies identities before the cards are blocked."""

    def block(self) -> Steps:
        for customer in self.customers:
            yield from self.verify_identity(customer)
        yield from super().block()

    def identify(self) -> Steps:
        if self.kind != "lost_card":
            yield from super().identify()
        else:
            yield from self.end(self.identity_ending())


@lapse("D25", "5.2.3")
class ScreenedBeforeAllAreIdentified(Careless):
    """Screens one person before the next one's identity is verified."""

    def identify(self) -> Steps:
        for customer in self.customers:
            yield from self.verify_identity(customer)
            if self.kind == "new_card" and self.is_verified(customer):
                yield from self.screen_person(customer)
        yield from self.end(self.identity_ending())

    def screen(self) -> Steps:
        yield from self.end(self.match_ending())


@lapse("D25", "5.3.2", "5.2.3")
class ReportBeforeAllAreScreened(Careless):
    """Pulls one person's report before the next one is screened."""

    def screen(self) -> Steps:
        for customer in self.checks:
            yield from self.screen_person(customer)
            if not self.paper_ending():
                yield from self.pull_report(customer)
        yield from self.end(self.match_ending())

    def check_credit(self) -> Steps:
        if self.kind != "new_card":
            yield from super().check_credit()
            return
        yield from self.end(self.paper_ending())
        yield from self.end(self.alert_ending())


@lapse("D25", "5.4.2")
class ReportBeforeAccount(Careless):
    """Pulls the reports for an increase before the account is read."""

    def read_account(self) -> Steps:
        if self.kind == "limit_increase" and not self.paper_ending():
            for customer in self.checks:
                yield from self.pull_report(customer)
        yield from super().read_account()

    def check_credit(self) -> Steps:
        if self.kind == "new_card":
            yield from super().check_credit()
            return
        yield from self.end(self.paper_ending())
        yield from self.end(self.alert_ending())


@lapse("D25", "5.11.3", "D24")
class LetterSentTwice(Careless):
    """Issues the decision a second time before it closes the case."""

    def close(self, ending: object) -> Steps:
        first = True
        steps = super().close(ending)  # type: ignore[arg-type]
        call = next(steps)
        while True:
            seen = yield call
            if first and call.name == "issue_card_decision" and "error" not in seen:
                seen = yield call
                first = False
            try:
                call = steps.send(seen)
            except StopIteration:
                return
