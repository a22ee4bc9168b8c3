"""Lapses of withdrawals, transfers and distributions (5.8 to 5.10)."""

from __future__ import annotations

from datetime import date

from teller_gym.base.dates import whole_years
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.investments.judgement import total
from teller_gym.scenarios.investments.lapses.careless import Careless

# -- 5.8 margin -------------------------------------------------------------------------------------------------------


@lapse("5.5.1", "D7", "value_positions.account_ids")
class OwnAccountsValuedForAWithdrawal(Careless):
    """Values the client's other accounts with the margin account."""

    def valued(self) -> list[str]:
        return self.counted("purchase") if self.request_type == "withdrawal" else super().valued()


@lapse("5.8.1", "D16", "calculate_margin_requirement.debit_balance")
class OpenOrdersInTheDebit(Careless):
    """Counts open buy orders in the debit."""

    def pending(self, row: Seen) -> int:
        return total([item for item in row["cash_items"] if self.is_debit(item)], "amount")


@lapse("5.8.3", "D18", "T8.14")
class PaidToTheCent(Careless):
    """Pays whatever there is, to the cent and however little."""

    def rounded_down(self, amount: int) -> int:
        return amount

    def is_too_little(self, payable: int) -> bool:
        return payable <= 0


# -- 5.9 transfer -----------------------------------------------------------------------------------------------------


@lapse("5.9.1", "T8.17", "validate_transfer.title_matches")
class TitlesComparedLetterByLetter(Careless):
    """Takes titles for different that are not the same letter by letter."""

    def people_of(self, title: str) -> list[str]:
        return [title]


@lapse("5.9.1", "T7.5", "T7.7", "T7.9", "T7.11", "validate_transfer.type_matches")
class TypesComparedByWord(Careless):
    """Takes types for different that are not called the same."""

    def type_matches(self) -> bool:
        return bool(self.statement["account_word"] == self.file["account_type"])


# -- 5.10 required distribution ---------------------------------------------------------------------------------------


@lapse(
    "5.10.1",
    "5.10.2",
    "D17",
    "T9",
    "calculate_required_distribution.age_reached",
    "calculate_required_distribution.divisor",
)
class AgeOnTheBusinessDate(Careless):
    """Takes the age that the owner has on the business date."""

    def age_reached(self) -> int:
        return whole_years(date.fromisoformat(self.own_row()["owner_birth_date"]), self.today)


@lapse("5.10.1", "D7", "calculate_required_distribution.account_ids")
class EveryRetirementAccountCounted(Careless):
    """Counts Roth and inherited accounts for the required distribution."""

    def is_required(self, row: Seen) -> bool:
        return bool(row["account_type"].endswith("_ira"))


@lapse("5.10.1", "D7", "calculate_required_distribution.account_ids")
class AccountsOfOneTypeCounted(Careless):
    """Counts the accounts of the account's own type alone."""

    def is_required(self, row: Seen) -> bool:
        return bool(row["account_type"] == self.file["account_type"])


@lapse("5.10.3", "D17", "calculate_required_distribution.taken_this_year")
class ConversionsTaken(Careless):
    """Counts conversions among what was taken."""

    def taken_this_year(self) -> int:
        return super().taken_this_year() + total(self.required_rows(), "conversions_this_year")


@lapse("T7.1", "T7.2", "T7.3", "T7.4", "5.9.2", "validate_transfer.clearing_number")
class FirstClearingNumberTaken(Careless):
    """Takes the clearing number of the first firm."""

    def clearing_number(self) -> str:
        return next(iter(self.policy.clearing_numbers.values()))
