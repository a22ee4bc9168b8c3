"""Lapses of card requests that need code; the others are in ``lapses.yaml``."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.credit_cards.account_judgement import Finding
from teller_gym.scenarios.credit_cards.judgement import Ending
from teller_gym.scenarios.credit_cards.lapses.careless import Careless

# -- complaints ------------------------------------------------------------------------------------------------------


@lapse("5.7.2")
class OralClaimsSentBack(Careless):
    """Requires a written notice of claims, too."""

    def notice_ending(self) -> Ending | None:
        return None if self.is_written() else Ending("incomplete", "written_notice_missing")


@lapse("5.7.4", "T6.15", "T6.16", "issue_card_decision.principal_reason")
class LastFindingNamed(Careless):
    """Gives the last finding as the reason instead of the first."""

    def complaint_ending(self, findings: list[Finding]) -> Ending:
        ending = super().complaint_ending(findings)
        flawed = [finding.name for finding in findings if finding.name != "none"]
        return ending._replace(reason=flawed[-1]) if flawed else ending


@lapse("5.7.4", "T7.10", "issue_card_decision.amount")
class FirstComplaintAlone(Careless):
    """Judges only the first complaint."""

    def notice_ending(self) -> Ending | None:
        self.case = {**self.case, "complaints": self.case["complaints"][:1]}
        return super().notice_ending()


# -- outcome ---------------------------------------------------------------------------------------------------------


@lapse("5.10.1", "D24", "D4")
class OpenedBeforeReferral(Careless):
    """Opens the disputes before it checks its authority."""

    def check_authority(self, ending: Ending) -> Steps:
        for dispute in self.disputes(ending):
            yield from self.open_dispute(dispute)
        if self.is_beyond(ending.amount):
            yield from self.end(Ending("refer", "above_authority", ending.amount))


@lapse("5.11.1", "T6", "issue_card_decision.decision")
class PartsCalledApproved(Careless):
    """Records a request that is granted in part as approved."""

    def close(self, ending: Ending) -> Steps:
        yield from super().close(Ending("approve", "none", ending.amount) if ending.decision == "partial" else ending)


@lapse("D4", "D24")
class WorkedOnAfterEnding(Careless):
    """Pulls a credit report or reads the account although the case has already ended."""

    def end(self, ending: Ending | None) -> Steps:
        if ending is not None and self.checks and not self.reports and self.kind in ("new_card", "limit_increase"):
            for customer in self.checks:
                if self.checks[customer]["verification_id"] and self.is_verified(customer):
                    yield from self.pull_report(customer)
        yield from super().end(ending)


@lapse("D4", "D24")
class TriedAgain(Careless):
    """Verifies an identity again when it was not confirmed."""

    def verify_identity(self, customer: str) -> Steps:
        yield from super().verify_identity(customer)
        if not super().is_verified(customer):
            yield from super().verify_identity(customer)


# -- reviews ---------------------------------------------------------------------------------------------------------


@lapse("5.9.5", "T6.22", "issue_card_decision.amount")
class LastStatementAlone(Careless):
    """Reviews only the last of the statements in question."""

    def take_in(self) -> Steps:
        self.statements = self.statements[-1:]
        yield from super().take_in()
