"""Lapses about authority, disputes, letters, due dates and ended cases (5.10 and 5.11)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.credit_cards.account_judgement import Dispute
from teller_gym.scenarios.credit_cards.judgement import Ending
from teller_gym.scenarios.credit_cards.lapses.careless import Careless


@lapse("5.10.1", "D24", "D4")
class OpenedBeforeReferral(Careless):
    """Opens the disputes before it looks at its authority."""

    def check_authority(self, ending: Ending) -> Steps:
        for dispute in self.disputes(ending):
            yield from self.open_dispute(dispute)
        if self.is_beyond(ending.amount):
            yield from self.end(Ending("refer", "above_authority", ending.amount))


@lapse("5.10.2", "D24")
class OneDisputeAlone(Careless):
    """Opens the first dispute alone."""

    def disputes(self, ending: Ending) -> list[Dispute]:
        return super().disputes(ending)[:1]


@lapse("5.10.2", "D11", "open_dispute.first_statement_date")
class LastStatementNamed(Careless):
    """Names the last statement as the first that shows a line."""

    def first_statement(self, line: Seen) -> str | None:
        first = super().first_statement(line)
        return first if first is None else str(self.account["statements"][-1]["closing_date"])


@lapse("5.11.3", "T8.4", "issue_card_decision.due_date")
class LastDisputeDue(Careless):
    """Takes the latest of the disputes' days for the due date."""

    def due_date(self, ending: Ending, opened: list[date], closing: date | None) -> date:
        return super().due_date(ending, sorted(opened)[-1:], closing)


@lapse("D2", "D1", "5.11.3", "T8.3", "T8.5", "T8.6", "T8.10", "issue_card_decision.due_date")
class CalendarDaysForBusinessDays(Careless):
    """Counts every day where business days are meant."""

    def after_business_days(self, start: date, days: int) -> date:
        return start + timedelta(days=days)


@lapse("5.11.2", "T3", "issue_card_decision.letter_code")
class LettersOfNewCards(Careless):
    """Sends the letters of new cards, whatever was asked."""

    def letter(self, decision: str) -> str:
        codes = self.policy.letters["new_card"]
        granted = decision in ("approve", "partial")
        return codes.granted if granted else codes.refused if decision == "deny" else codes.other


@lapse("5.11.1", "T6", "issue_card_decision.decision")
class PartsCalledApproved(Careless):
    """Calls approved what was granted in part."""

    def close(self, ending: Ending) -> Steps:
        yield from super().close(Ending("approve", "none", ending.amount) if ending.decision == "partial" else ending)


@lapse("D4", "D24")
class WorkedOnAfterEnding(Careless):
    """Pulls a credit report, or reads the account, though the case has ended before."""

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


@lapse("5.10.2", "T5", "open_dispute.reason_code")
class OneReasonCode(Careless):
    """Gives every complaint the reason code of goods that were not delivered."""

    def code(self, table: str, situation: str) -> Any:
        return super().code(table, "not_delivered" if table == "reason_codes" else situation)
