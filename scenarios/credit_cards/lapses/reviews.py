"""Lapses about the charges of a statement (5.9)."""

from __future__ import annotations

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.credit_cards.lapses.careless import Careless


@lapse("5.9.4", "D21", "calculate_finance_charge.late_fee")
class LateFeeBelieved(Careless):
    """Takes the late fee that was charged for the one due."""

    def late_fee(self, closing: str) -> int:
        return to_cents(self.charged(closing)["late_fee"])


@lapse("5.9.5", "T6.22", "issue_card_decision.amount")
class LastStatementAlone(Careless):
    """Reviews the last of the statements asked about alone."""

    def take_in(self) -> Steps:
        self.statements = self.statements[-1:]
        yield from super().take_in()
