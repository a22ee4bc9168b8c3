"""Lapses of dormancy reviews (5.7.2, D16 to D18)."""

from __future__ import annotations

from datetime import date

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.accounts.lapses.careless import Careless
from teller_gym.scenarios.accounts.policy import StateRule


@lapse("D16")
class SilentSignsIgnored(Careless):
    """Takes deposits and withdrawals alone for signs of life."""

    def is_owner_activity(self, row: Seen) -> bool:
        return row["kind"] in ("owner_deposit", "owner_withdrawal")


@lapse("T3", "D17")
class StateOfTheBranch(Careless):
    """Takes the state of the branch for that of the mailing address."""

    def state_rule(self) -> StateRule:
        return self.policy.states[self.case["branch_state"]]


@lapse("5.7.2")
class AllFeesPutBack(Careless):
    """Puts back every maintenance fee, whenever it was charged."""

    def fees_put_back(self) -> int:
        return sum(to_cents(row["amount"]) for row in self.account["activity"] if row["kind"] == "maintenance_fee")


@lapse("D18")
class LetterOfAnyDay(Careless):
    """Takes a letter to the owner whenever it was sent."""

    def is_letter(self, row: Seen, report: date) -> bool:
        return bool(row["kind"] == "letter_to_owner")
