"""Lapses about charges complained of (5.7)."""

from __future__ import annotations

from datetime import date

from teller_gym.base.money import to_cents
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


@lapse("5.7.2", "T6.14")
class OralNoticeTaken(Careless):
    """Takes a billing error that was told orally."""

    def is_written(self) -> bool:
        return True


@lapse("5.7.2")
class OralClaimsSentBack(Careless):
    """Asks for a written notice of claims, too."""

    def notice_ending(self) -> Ending | None:
        return None if self.is_written() else Ending("incomplete", "written_notice_missing")


@lapse("5.7.3", "T7.1", "D12", "open_dispute.credited_amount")
class CreditsOverlooked(Careless):
    """Overlooks what the merchant has credited already."""

    def credits_of(self, line: Seen) -> int:
        return 0


@lapse("5.7.4", "D12", "T5.3", "T5.5", "open_dispute.credited_amount")
class WholeLineCredited(Careless):
    """Credits the whole line where only a part of it is disputed."""

    def base_amount(self, complaint: Seen, line: Seen) -> int:
        return to_cents(line["amount"])


@lapse("5.7.3", "T7.4")
class NoticeNeverTooLate(Careless):
    """Takes a billing error however late it is told."""

    def is_late(self, line: Seen) -> bool:
        return False


@lapse("5.7.3", "T7.4", "D11")
class WindowFromPosting(Careless):
    """Counts the days of notice from the day the line posted."""

    def is_late(self, line: Seen) -> bool:
        return (self.received - date.fromisoformat(line["posted"])).days > self.policy.notice_window_days


@lapse("5.7.3", "T7.6")
class HomeStateIgnored(Careless):
    """Refuses claims against merchants far away in the holder's own state."""

    def is_home(self, line: Seen) -> bool:
        return False


@lapse("5.7.3", "T7.6")
class OtherStatesRefused(Careless):
    """Refuses claims against near merchants of another state."""

    def is_near(self, line: Seen) -> bool:
        return False


@lapse("5.7.3", "5.7.4", "T7.8", "T7.9", "D13", "open_dispute.credited_amount")
class PaymentsOverlooked(Careless):
    """Credits a claim in full, whatever was paid of the purchase."""

    def outstanding(self, line: Seen, disputed: int) -> int:
        return disputed


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


@lapse("5.7.3", "T7.2", "T7.3", "T5.4", "T5.6")
class ErrorsBelieved(Careless):
    """Believes that a charge was made twice or is not the holder's, whatever the account shows."""

    def is_no_error(self, complaint: Seen, line: Seen) -> bool:
        return False


@lapse("5.7.3", "T7.5", "T7.6", "T7.7")
class ClaimsBelieved(Careless):
    """Takes claims of any amount, against merchants anywhere, settled with them or not."""

    def is_small(self, amount: int) -> bool:
        return False

    def is_near(self, line: Seen) -> bool:
        return True

    def has_tried(self, complaint: Seen) -> bool:
        return True
