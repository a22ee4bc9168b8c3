"""Agents that know the calls of an ordinary case by heart and copy every value, but judge nothing."""

from __future__ import annotations

from datetime import date
from typing import Any

from teller_gym.procedure.lapses import CLEAN_PATH, CLEAN_PATH_CONSTANT, Expert, as_expert
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.procedure.written_lapses import answers
from teller_gym.scenarios.accounts.deposits import Split
from teller_gym.scenarios.accounts.judgement import Ending
from teller_gym.scenarios.accounts.lapses.careless import Careless
from teller_gym.scenarios.banking.officer.lapses import FirstRowCodes


@answers(
    is_in_force=True,
    same_birth=False,
    authority="owners",
    is_in_time=True,
    is_taken=True,
    finding_of="covered",
    liability=0,
    order_finding="",
    is_owner_activity=True,
    early_fee=0,
)
class FindingsFollowed(Careless):
    """Follows the records literally and looks codes up, but judges nothing else.

    It treats any restriction on record as in force, clears matches, lets everyone make requests, holds nothing, covers
    every transfer, stops every payment, treats the last movement as the owner's, and pays out the ledger balance.
    """

    def splits(self, items: list[Seen], day: date) -> dict[str, Split]:
        return {item["item_id"]: Split(0, 0, "none") for item in items}


class CleanPath(FindingsFollowed):
    """Carries out any request after making all the calls that lead there."""

    def disposition(self) -> str:
        return "clear" if self.screenings else "not_screened"

    def end(self, ending: Any) -> Steps:
        yield from ()

    def opening_ending(self) -> Ending:
        return Ending("carry_out", "none", self.case["opening_deposit"])

    def dormancy_ending(self) -> Ending:
        self.stage = "abandoned"
        return Ending("carry_out", "none", self.reported_amount() / 100)

    def is_unconfirmed(self) -> bool:
        return False

    def closing_ending(self) -> Ending:
        return Ending("carry_out", "none", max(0, self.payout()) / 100)


class CleanPathConstant(FirstRowCodes, CleanPath):
    """Does the same with constant codes: those of each table's first row."""


CLEAN_PATHS: dict[str, Expert] = {
    CLEAN_PATH: as_expert(CleanPath),
    CLEAN_PATH_CONSTANT: as_expert(CleanPathConstant),
}
