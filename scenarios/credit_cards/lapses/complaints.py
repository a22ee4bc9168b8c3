"""Lapses about charges complained of (5.7)."""

from __future__ import annotations

from datetime import date

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.credit_cards.account_judgement import Finding
from teller_gym.scenarios.credit_cards.judgement import Ending
from teller_gym.scenarios.credit_cards.lapses.careless import Careless


@lapse("5.7.1", "T5.7", "open_dispute.track")
class FaultyGoodsAlwaysClaims(Careless):
    """Takes every complaint about faulty goods for a claim."""

    def track(self, complaint: Seen) -> str:
        return "claim_and_defense" if complaint["complaint"] == "faulty" else super().track(complaint)


@lapse("5.7.1", "T5.8", "open_dispute.track")
class FaultyGoodsAlwaysErrors(Careless):
    """Takes every complaint about faulty goods for a billing error."""

    def track(self, complaint: Seen) -> str:
        return "billing_error" if complaint["complaint"] == "faulty" else super().track(complaint)


@lapse("5.7.1", "T5.1", "T5.2", "open_dispute.track")
class LateDeliveryTakenForNone(Careless):
    """Takes goods that came late and were kept for goods that never came."""

    def track(self, complaint: Seen) -> str:
        return "billing_error" if complaint["complaint"] == "not_delivered" else super().track(complaint)


@lapse("5.7.2")
class OralClaimsSentBack(Careless):
    """Asks for a written notice of claims, too."""

    def notice_ending(self) -> Ending | None:
        return None if self.is_written() else Ending("incomplete", "written_notice_missing")


@lapse("5.7.3", "T7.4", "D11")
class WindowFromPosting(Careless):
    """Counts the days of notice from the day the line posted."""

    def is_late(self, line: Seen) -> bool:
        return (self.received - date.fromisoformat(line["posted"])).days > self.policy.notice_window_days


@lapse("5.7.4", "T6.15", "T6.16", "issue_card_decision.principal_reason")
class LastFindingNamed(Careless):
    """Names the last finding as the reason instead of the first."""

    def complaint_ending(self, findings: list[Finding]) -> Ending:
        ending = super().complaint_ending(findings)
        flawed = [finding.name for finding in findings if finding.name != "none"]
        return ending._replace(reason=flawed[-1]) if flawed else ending


@lapse("5.7.4", "T7.10", "issue_card_decision.amount")
class FirstComplaintAlone(Careless):
    """Judges the first complaint alone."""

    def notice_ending(self) -> Ending | None:
        self.case = {**self.case, "complaints": self.case["complaints"][:1]}
        return super().notice_ending()
