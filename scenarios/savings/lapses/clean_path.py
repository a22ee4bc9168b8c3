"""Agents that know the calls of an ordinary case by heart and copy every value, but judge nothing."""

from __future__ import annotations

from datetime import date
from typing import Any

from teller_gym.procedure.lapses import CLEAN_PATH, CLEAN_PATH_CONSTANT, Expert, as_expert
from teller_gym.procedure.officer import Seen
from teller_gym.procedure.written_lapses import answers
from teller_gym.scenarios.banking.officer.lapses import FirstRowCodes
from teller_gym.scenarios.savings.lapses.careless import Careless
from teller_gym.scenarios.savings.policy import Product


@answers(is_in_force=True, same_birth=False, is_in_time=True, qualifies=True, is_living=True)
class FindingsFollowed(Careless):
    """Follows the records literally and looks codes up, but judges nothing else.

    It treats any restriction on record as in force, clears matches, charges every withdrawal, pays the requested
    amount, follows every instruction, lets all months qualify, accepts every request of a custodian, and counts every
    account in full.
    """

    def waiver_of(self, record: Seen) -> str:
        event = self.case["event"]
        return str(event) if event and self.is_proved(event) else "none"

    def withdrawn(self, record: Seen) -> float:
        return float(self.case["requested_amount"] or record["principal"])

    def rate_day(self, record: Seen) -> date:
        return self.today

    def anchor_day(self, record: Seen) -> int:
        return date.fromisoformat(record["maturity_date"]).day

    def yearly_rest(self) -> int:
        return self.policy.yearly_limit

    def share_of(self, record: Seen, cents: int) -> int:
        return cents

    def category_of(self, record: Seen) -> str | None:
        return super().category_of(record) or "single"


@answers(restriction_ending=None, is_in_grace=False, is_too_young=False)
class CleanPath(FindingsFollowed):
    """Carries out any request after making all the calls that lead there."""

    def end(self, ending: Any) -> Any:
        yield from ()

    def is_too_small(self, record: Seen, principal: int) -> bool:
        return principal <= 0

    def is_of_age(self, record: Seen) -> bool:
        return not self.asks_as_custodian(record)


class CleanPathConstant(FirstRowCodes, CleanPath):
    """Does the same with constant codes: those of each table's first row."""

    def earning(self, record: Seen) -> Product:
        return next(iter(self.policy.products.values()))


CLEAN_PATHS: dict[str, Expert] = {
    CLEAN_PATH: as_expert(CleanPath),
    CLEAN_PATH_CONSTANT: as_expert(CleanPathConstant),
    "clean_path_findings": as_expert(FindingsFollowed),
}
