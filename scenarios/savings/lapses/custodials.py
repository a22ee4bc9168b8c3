"""Lapses about custodial accounts (5.7)."""

from __future__ import annotations

from datetime import date

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.savings.lapses.careless import Careless


@lapse("5.7.1", "T5")
class LawOfTheBranch(Careless):
    """Takes the age of the branch's state, or of the first row."""

    def governing_state(self, record: Seen) -> str:
        state = str(self.case["branch_state"])
        return state if state in self.policy.custodial_ages else next(iter(self.policy.custodial_ages))


@lapse("5.7.1", "T7.17", "T7.19", "T5")
class AnybodyMayAsk(Careless):
    """Lets whoever asks have the money, whatever the beneficiary's age."""

    def is_of_age(self, record: Seen) -> bool:
        return not self.asks_as_custodian(record)


@lapse("5.7.1", "T7.19", "T7.18")
class OfAgeAtEighteen(Careless):
    """Takes everybody of eighteen for of age."""

    def is_of_age(self, record: Seen) -> bool:
        child = next(row for row in record["owners"] if row["role"] == "beneficiary")
        born = date.fromisoformat(child["date_of_birth"])
        return (self.today.year - born.year, self.today.month, self.today.day) >= (18, born.month, born.day)


@lapse("D16")
class OwnTransfersAsWithdrawals(Careless):
    """Adds up transfers to own accounts."""

    def is_yearly_withdrawal(self, row: Seen) -> bool:
        return super().is_yearly_withdrawal(row) or row["kind"] == "own_transfer_out"


@lapse("5.6.1", "D16", "get_account_activity.posted_from", "get_account_activity.posted_to")
class LastTwelveMonths(Careless):
    """Adds up the last twelve months."""

    def year_start(self) -> date:
        return date(self.today.year - 1, self.today.month, min(self.today.day, 28))
