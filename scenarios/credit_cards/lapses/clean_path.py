"""Agents that know the calls of an ordinary case by heart and copy every value, but judge nothing."""

from __future__ import annotations

from datetime import date

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import CLEAN_PATH, CLEAN_PATH_CONSTANT, Expert, as_expert
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.procedure.written_lapses import answers
from teller_gym.scenarios.banking.officer.lapses import FirstRowCodes
from teller_gym.scenarios.credit_cards.account_judgement import Finding
from teller_gym.scenarios.credit_cards.judgement import Ending
from teller_gym.scenarios.credit_cards.lapses.careless import Careless


@answers(
    same_birth=False,
    stops=False,
    paper_ending=None,
    score_ending=None,
    account_ending=None,
    notice_ending=None,
    is_beyond=False,
    at_issue=0,
    counts=True,
    is_anothers=False,
    is_this_account=False,
    track="billing_error",
    is_recurring=False,
    is_lent=False,
    without_interest=[],
)
class FindingsFollowed(Careless):
    """Follows the tools' findings literally and looks codes up, but judges nothing else.

    It counts all income and all debts, believes every complaint and loss, and accepts charges as they are.
    """

    def deciding_person(self) -> str:
        return self.customers[0]

    def finding(self, complaint: Seen) -> Finding:
        line = self.line_of(complaint)
        return Finding("none", to_cents(line["amount"]))

    def payment_day(self, row: Seen) -> date:
        return date.fromisoformat(row["due_date"])

    def purchase_rate(self, closing: str) -> float:
        rate: float = self.account["purchase_rate"]
        return rate

    def late_fee(self, closing: str) -> int:
        return to_cents(self.charged(closing)["late_fee"])


class CleanPath(FindingsFollowed):
    """Approves any request after making all the calls that lead there."""

    def end(self, ending: Ending | None) -> Steps:
        yield from ()

    def affordable_limit(self, found: Seen) -> int:
        return self.proposed_limit()

    def liability(self, credited: list[Seen]) -> int:
        return 0


class CleanPathConstant(FirstRowCodes, CleanPath):
    """Does the same with constant codes: those of each table's first row."""

    def bureau(self) -> str:
        return next(iter(self.policy.products.values())).bureau

    def track(self, complaint: Seen) -> str:
        return "billing_error"


CLEAN_PATHS: dict[str, Expert] = {
    CLEAN_PATH: as_expert(CleanPath),
    CLEAN_PATH_CONSTANT: as_expert(CleanPathConstant),
    "clean_path_findings": as_expert(FindingsFollowed),
}
