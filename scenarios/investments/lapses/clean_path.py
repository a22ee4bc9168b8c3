"""Agents that make the calls of an ordinary case from memory and copy every value, but judge nothing."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import CLEAN_PATH, CLEAN_PATH_CONSTANT, Expert, as_expert
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.procedure.written_lapses import answers
from teller_gym.scenarios.banking.officer.lapses import FirstRowCodes
from teller_gym.scenarios.investments.judgement import Ending
from teller_gym.scenarios.investments.lapses.careless import Careless


@answers(is_true_match=False, file_ending=None, is_late=False, is_usable=True, is_bought=True)
class FindingsFollowed(Careless):
    """Follows findings that tools state in plain words, looks up codes, and judges nothing else.

    It clears matches, counts every account, lot and cash item, uses the first questionnaire and the profile for its
    points, and takes the business date for every date.
    """

    def price_date(self) -> date:
        return self.today - timedelta(days=1)

    def counted(self, purpose: str) -> list[str]:
        return [row["account_id"] for row in self.file["linked_accounts"]]

    def current_questionnaire(self) -> Seen:
        first: Seen = self.file["questionnaires"][0]
        return first

    def governing_rank(self) -> int:
        return self.rank_by_points()

    def is_credit(self, item: Seen) -> bool:
        return not self.is_debit(item)

    def margin_class(self, row: Seen, market: int) -> str:
        return "leveraged" if row["product_kind"] == "leveraged_fund" else "standard"

    def title_matches(self) -> bool:
        return bool(self.statement["title"] == self.file["account_title"])


class CleanPath(FindingsFollowed):
    """Carries out every request, after making all calls that lead there."""

    def end(self, ending: Ending | None) -> Steps:
        yield from ()

    def close(self, ending: Ending) -> Steps:
        amount = ending.amount or to_cents(self.file["asked_amount"])
        yield from super().close(Ending("proceed", "none", self.file["asked_quantity"], amount))


class CleanPathConstant(FirstRowCodes, CleanPath):
    """Also uses the same codes in every case, those of the first rows."""


CLEAN_PATHS: dict[str, Expert] = {
    CLEAN_PATH: as_expert(CleanPath),
    CLEAN_PATH_CONSTANT: as_expert(CleanPathConstant),
}
