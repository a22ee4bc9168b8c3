"""State and judgements shared by all steps of the savings expert: identity, watch lists and restrictions."""

from __future__ import annotations

from typing import NamedTuple

from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.banking.officer.intake import IntakeJudgement
from teller_gym.scenarios.savings.policy import SavingsPolicy

LISTS = ("sanctions", "pep", "enforcement")
"""Watch lists in order of precedence; the first list with a true match gives the reason (T7)."""


class Ending(NamedTuple):
    """A row of T7: decision, reason, amount in dollars, and the value date, either by its name in T8 or as a date."""

    decision: str
    reason: str
    amount: float
    value: str


class Findings(IntakeJudgement):
    """Tool results seen so far, and the judgements on persons and restrictions (5.2 and 5.3)."""

    policy: SavingsPolicy

    def __init__(self, policy: SavingsPolicy) -> None:
        super().__init__(policy)
        self.records: dict[str, Seen] = {}
        self.interests: dict[str, Seen] = {}
        self.activity: Seen = {}
        self.charge = 0.0

    @property
    def kind(self) -> str:
        kind: str = self.case["kind"]
        return kind

    # -- 5.2 and 5.3 --------------------------------------------------------------------------------------------------

    def identity_ending(self) -> Ending | None:
        """Return the ending of a case with an unverified identity (5.2.2)."""
        return Ending("decline", "identity_not_verified", 0.0, "answer") if self.unverified() else None

    def match_ending(self) -> Ending | None:
        """Return the ending of a case with a true match (5.2.4)."""
        matched = {screening["entry_list"] for screening in self.matched()}
        first = next((name for name in LISTS if name in matched), None)
        return Ending("refer", f"{first}_match", 0.0, "refer") if first else None

    def is_in_force(self, row: Seen) -> bool:
        """Return True if a restriction is in force on the business date (D6)."""
        today = self.today.isoformat()
        return bool(row["placed_on"] <= today and (row["lifted_on"] is None or row["lifted_on"] > today))

    def stopped_by(self) -> tuple[str, ...]:
        """Return the restrictions that end a case of this kind, in order of precedence (5.3.2)."""
        if self.kind == "coverage_review":
            return ()
        return ("legal_hold", "pledge") if self.kind in ("withdrawal", "custodial_payout") else ("legal_hold",)

    def restriction_ending(self, record: Seen) -> Ending | None:
        """Return the ending of a case with a restriction in force that stops this kind of request (5.3.2)."""
        kinds = [row["kind"] for row in record["restrictions"] if self.is_in_force(row)]
        found = next((kind for kind in self.stopped_by() if kind in kinds), None)
        if found is None:
            return None
        return (
            Ending("refer", "legal_hold", 0.0, "refer")
            if found == "legal_hold"
            else Ending("decline", "pledged", self.asked(record), "answer")
        )

    def asked(self, record: Seen) -> float:
        """Return the requested amount in dollars, or the principal if none was stated (D22)."""
        return float(self.case["requested_amount"] or record["principal"])
