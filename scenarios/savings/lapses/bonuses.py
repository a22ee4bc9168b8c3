"""Lapses about bonus interest (5.6)."""

from __future__ import annotations

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.savings.lapses.careless import Careless


@lapse("D14", "5.6.2", "assess_bonus_months.qualifying_months")
class AverageBalanceJudged(Careless):
    """Compares the average balance of a month, not its lowest."""

    def keeps_balance(self, month: Seen) -> bool:
        return to_cents(month["average_balance"]) >= self.policy.bonus_lowest_balance


@lapse("D14", "5.6.2")
class EveryCreditCounted(Careless):
    """Counts deposits of any size, and transfers from the customer's own accounts."""

    def is_deposit_kind(self, row: Seen) -> bool:
        return super().is_deposit_kind(row) or row["kind"] == "own_transfer_in"

    def is_large_enough(self, row: Seen) -> bool:
        return True


@lapse("D14", "5.6.2")
class ReversedDepositsCounted(Careless):
    """Counts deposits that were reversed."""

    def is_counted_deposit(self, row: Seen) -> bool:
        return self.is_deposit_kind(row) and self.is_large_enough(row)


@lapse("D14", "5.6.2")
class CountedWhenOrdered(Careless):
    """Counts a movement in the month in which it was ordered."""

    def month_of(self, row: Seen) -> str:
        return str(row["ordered_on"])[:7]


@lapse("D14", "5.6.2")
class EveryDebitCounted(Careless):
    """Counts fees and transfers to the customer's own accounts as withdrawals."""

    def is_counted_withdrawal(self, row: Seen) -> bool:
        return super().is_counted_withdrawal(row) or row["kind"] in ("service_fee", "own_transfer_out")


@lapse("5.6.3", "assess_bonus_months.required_months", "T7.14", "D15")
class EveryMonthRequired(Careless):
    """Lets no month fail."""

    def required_months(self) -> int:
        return len(self.activity["months"])
