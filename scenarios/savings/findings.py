"""What every judgement of the savings expert starts from: what has been seen, identity, watch lists, restrictions."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.savings.policy import SavingsPolicy

LISTS = ("sanctions", "pep", "enforcement")
"""T7: the lists of true matches, the one that gives the reason first."""


class Ending(NamedTuple):
    """A row of T7: decision, reason, amount in dollars, and the name of the value date in T8 or the day itself."""

    decision: str
    reason: str
    amount: float
    value: str


class Findings:
    """What has been seen so far, and the judgements on persons and restrictions (5.2 and 5.3)."""

    def __init__(self, policy: SavingsPolicy) -> None:
        self.policy = policy
        self.case: Seen = {}
        self.today = date.min
        self.checks: dict[str, Seen] = {}
        self.screenings: dict[str, Seen] = {}
        self.records: dict[str, Seen] = {}
        self.interests: dict[str, Seen] = {}
        self.activity: Seen = {}
        self.charge = 0.0

    @property
    def kind(self) -> str:
        """The kind of request."""
        kind: str = self.case["kind"]
        return kind

    @property
    def received(self) -> date:
        """When the request came in."""
        return date.fromisoformat(self.case["received_date"])

    # -- 5.2 and 5.3 --------------------------------------------------------------------------------------------------

    def code(self, table: str, situation: str) -> Any:
        """Return a code of T10 or T11."""
        return getattr(self.policy, table)[situation]

    def registry_of(self, person: Seen) -> str:
        """5.2.1."""
        return str(self.code("registries", person["document_type"]))

    def is_verified(self, check: Seen) -> bool:
        """5.2.2."""
        return bool(check["identity_status"] == "verified")

    def identity_ending(self) -> Ending | None:
        """5.2.2."""
        if all(self.is_verified(check) for check in self.checks.values()):
            return None
        return Ending("decline", "identity_not_verified", 0.0, "answer")

    def screened_name(self, customer: str) -> str:
        """5.2.3: the verified name."""
        return str(self.checks[customer]["verified_name"])

    def list_scope_of(self, customer: str) -> str:
        """5.2.3."""
        return str(self.code("list_scopes", "us_citizen" if self.checks[customer]["country"] == "US" else "other"))

    def same_birth(self, screening: Seen) -> bool:
        """D5."""
        return bool(screening["entry_date_of_birth"] == screening["screened_date_of_birth"])

    def same_country(self, screening: Seen) -> bool:
        """D5."""
        return bool(screening["entry_country"] == screening["screened_country"])

    def is_true_match(self, screening: Seen) -> bool:
        """D5."""
        return screening["list_entry_id"] is not None and self.same_birth(screening) and self.same_country(screening)

    def disposition(self) -> str:
        """5.2.4: the gravest outcome."""
        if not self.screenings:
            return "not_screened"
        found = self.screenings.values()
        if any(self.is_true_match(screening) for screening in found):
            return "true_match"
        return "false_positive" if any(s["list_entry_id"] is not None for s in found) else "clear"

    def match_ending(self) -> Ending | None:
        """5.2.4."""
        matched = {screening["entry_list"] for screening in self.screenings.values() if self.is_true_match(screening)}
        first = next((name for name in LISTS if name in matched), None)
        return Ending("refer", f"{first}_match", 0.0, "refer") if first else None

    def is_in_force(self, row: Seen) -> bool:
        """D6."""
        today = self.today.isoformat()
        return bool(row["placed_on"] <= today and (row["lifted_on"] is None or row["lifted_on"] > today))

    def stopped_by(self) -> tuple[str, ...]:
        """5.3.2: restrictions that end a case of this kind, the first one first."""
        if self.kind == "coverage_review":
            return ()
        return ("legal_hold", "pledge") if self.kind in ("withdrawal", "custodial_payout") else ("legal_hold",)

    def restriction_ending(self, record: Seen) -> Ending | None:
        """5.3.2."""
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
        """D22."""
        return float(self.case["requested_amount"] or record["principal"])
