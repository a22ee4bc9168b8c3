"""Lapses about persons, watch lists and restrictions (5.2 and 5.3)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.savings.lapses.careless import Careless


@lapse("D6")
class LiftedTodayInForce(Careless):
    """Takes a restriction that is lifted on the business date for one in force."""

    def is_in_force(self, row: Seen) -> bool:
        return super().is_in_force(row) or row["lifted_on"] == self.today.isoformat()


@lapse("5.3.2", "T7.4")
class PledgeStopsEverything(Careless):
    """Lets a pledge stop a renewal and a bonus, too."""

    def stopped_by(self) -> tuple[str, ...]:
        return () if self.kind == "coverage_review" else ("legal_hold", "pledge")
