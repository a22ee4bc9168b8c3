"""Lapses of holds: reason, held amount, next-day amount (5.5.3, D11 to D15)."""

from __future__ import annotations

from datetime import date

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.accounts.deposits import Split
from teller_gym.scenarios.accounts.lapses.careless import Careless


@lapse("D13", "D14", "calculate_availability.held_amount")
class LargeDepositIgnored(Careless):
    """Holds nothing of a large deposit."""

    def splits(self, items: list[Seen], day: date) -> dict[str, Split]:
        return {
            key: Split(split.early, 0, "none") if split.reason == "large_deposit" else split
            for key, split in super().splits(items, day).items()
        }


@lapse("D14")
class WholeCheckHeld(Careless):
    """Holds the whole of a check that goes beyond the threshold."""

    def beyond(self, amount: int, before: int) -> int:
        return amount if super().beyond(amount, before) else 0


@lapse("D14")
class NewAccountHoldsAll(Careless):
    """Holds every check to a new account as a whole."""

    def splits(self, items: list[Seen], day: date) -> dict[str, Split]:
        found = super().splits(items, day)
        for item in items:
            if self.is_check(item) and not self.is_redeposited(item) and self.is_new_account(day):
                found[item["item_id"]] = Split(0, to_cents(item["amount"]), "new_account")
        return found


@lapse("D15")
class AllowanceForEachCheck(Careless):
    """Gives the first amount of each check the next day."""

    def splits(self, items: list[Seen], day: date) -> dict[str, Split]:
        found = super().splits(items, day)
        for item in items:
            split = found[item["item_id"]]
            if self.is_check(item) and self.class_of(item) == "other_check":
                early = min(self.first_day_allowance(), to_cents(item["amount"]) - split.held)
                found[item["item_id"]] = split._replace(early=early)
        return found
