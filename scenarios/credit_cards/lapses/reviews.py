"""Lapses about the charges of a statement (5.10)."""

from __future__ import annotations

from datetime import date

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.credit_cards.lapses.careless import Careless


@lapse("5.10.1", "D17", "D2")
class DueDateTakenAsItIs(Careless):
    """Takes a payment after a due date on a weekend or holiday for late."""

    def payment_day(self, row: Seen) -> date:
        return date.fromisoformat(row["due_date"])


@lapse("5.10.1", "D18", "calculate_finance_charge.interest_basis")
class NoGrace(Careless):
    """Works every statement out on the full basis."""

    def basis(self, closing: str) -> str:
        return "full"


@lapse("5.10.1", "D18", "calculate_finance_charge.interest_basis")
class ResidualInterestForgotten(Careless):
    """Charges nothing as soon as the last statement was paid in full."""

    def basis(self, closing: str) -> str:
        basis = super().basis(closing)
        return "none" if basis == "carried" else basis


@lapse("5.10.1", "D17", "D18")
class LatePaymentsTaken(Careless):
    """Takes a statement for paid in full whenever it was."""

    def is_paid_in_full(self, row: Seen) -> bool:
        paid = sum(
            to_cents(line["amount"])
            for line in self.lines()
            if line["type"] in ("payment", "credit") and line["posted"] > row["closing_date"]
        )
        return paid >= to_cents(row["closing_balance"])


@lapse("5.10.2", "D19", "calculate_finance_charge.excluded_line_ids")
class DisputedLinesCharged(Careless):
    """Charges interest on lines in dispute."""

    def is_in_dispute(self, line: Seen) -> bool:
        return False


@lapse("5.10.2", "D19", "calculate_finance_charge.excluded_line_ids")
class PromotionsCharged(Careless):
    """Charges interest on promotional lines."""

    def is_promotional(self, line: Seen, closing: str) -> bool:
        return False


@lapse("5.10.2", "D19", "calculate_finance_charge.excluded_line_ids")
class EndedPromotionsFreed(Careless):
    """Frees promotional lines of interest after their last day, too."""

    def is_promotional(self, line: Seen, closing: str) -> bool:
        return str(line["mark"]).startswith("promo:")


@lapse("5.10.3", "D20", "calculate_finance_charge.purchase_rate")
class RateAsShown(Careless):
    """Takes the account's present rate for every statement."""

    def is_raise_in_force(self, first: date) -> bool:
        return True


@lapse("5.10.3", "D20", "calculate_finance_charge.purchase_rate")
class NoticeOfRaiseNotCounted(Careless):
    """Applies a raise without the time of notice."""

    def is_announced(self, first: date, notice: date) -> bool:
        return True


@lapse("5.10.3", "D20", "calculate_finance_charge.purchase_rate")
class FirstYearNotCounted(Careless):
    """Applies a raise in an account's first year."""

    def is_old_enough_account(self, first: date) -> bool:
        return True


@lapse("5.10.4", "D21", "calculate_finance_charge.late_fee")
class LateFeeBelieved(Careless):
    """Takes the late fee that was charged for the one due."""

    def late_fee(self, closing: str) -> int:
        return to_cents(self.charged(closing)["late_fee"])


@lapse("5.10.4", "D21", "calculate_finance_charge.late_fee")
class EveryLateFeeTheFirst(Careless):
    """Takes every late fee for a first one."""

    def is_repeated(self, closing: str) -> bool:
        return False


@lapse("5.10.4", "D21", "calculate_finance_charge.late_fee")
class LateFeeUncapped(Careless):
    """Lets the late fee exceed the minimum due."""

    def most_of_fee(self, row: Seen) -> int:
        return 10**9


@lapse("5.10.4", "D21", "calculate_finance_charge.late_fee")
class LateFeeForWhatIsOwed(Careless):
    """Takes the late fee for due unless the statement was paid in full."""

    def is_minimum_paid(self, row: Seen) -> bool:
        return self.is_paid_in_full(row)


@lapse("5.10.5", "T6.22", "issue_card_decision.amount")
class LastStatementAlone(Careless):
    """Reviews the last of the statements asked about alone."""

    def take_in(self) -> Steps:
        self.statements = self.statements[-1:]
        yield from super().take_in()


@lapse("5.10.5", "T6.22", "T6.23", "issue_card_decision.amount")
class FeesNotGivenBack(Careless):
    """Gives back interest alone."""

    def given_back(self, closing: str, interest: float, late_fee: int) -> int:
        return super().given_back(closing, interest, 10**9)
