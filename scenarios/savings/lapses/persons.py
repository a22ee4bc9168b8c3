"""Lapses about persons, watch lists and restrictions (5.2 and 5.3)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.savings.lapses.careless import Careless


@lapse("D3", "5.2.1")
class FirstPersonAlone(Careless):
    """Verifies and screens the first person of the request alone."""

    def identify(self) -> Steps:
        yield from self.verify_identity(self.customers[0])
        yield from self.end(self.identity_ending())


@lapse("5.2.3")
class GivenNameScreened(Careless):
    """Screens the name on the request, not the verified one."""

    def screened_name(self, customer: str) -> str:
        return next(str(p["full_name"]) for p in self.case["persons"] if p["customer_id"] == customer)


@lapse("T10.4", "T10.5", "5.2.3", "screen_watch_list.list_scope")
class WidestScope(Careless):
    """Searches all lists for everybody."""

    def list_scope_of(self, customer: str) -> str:
        return str(self.code("list_scopes", "other"))


@lapse("D5", "5.2.4", "T7.2")
class MatchByNameAlone(Careless):
    """Takes everybody of a listed name for the listed person."""

    def same_birth(self, screening: Seen) -> bool:
        return True

    def same_country(self, screening: Seen) -> bool:
        return True


@lapse("D5", "5.2.4")
class MatchWithoutCountry(Careless):
    """Compares birth dates alone."""

    def same_country(self, screening: Seen) -> bool:
        return True


@lapse("D5", "5.2.4")
class MatchWithoutBirth(Careless):
    """Compares countries alone."""

    def same_birth(self, screening: Seen) -> bool:
        return True


@lapse("5.2.4", "T7.2")
class MatchesCleared(Careless):
    """Clears every possible match."""

    def same_birth(self, screening: Seen) -> bool:
        return False


@lapse("5.2.4", "record_savings_decision.screening_disposition")
class FalsePositiveAsClear(Careless):
    """Records a false positive as clear."""

    def disposition(self) -> str:
        found = super().disposition()
        return "clear" if found == "false_positive" else found


@lapse("D6", "5.3.2")
class LiftedRestrictionInForce(Careless):
    """Takes a restriction that has been lifted for one in force."""

    def is_in_force(self, row: Seen) -> bool:
        return True


@lapse("D6")
class LiftedTodayInForce(Careless):
    """Takes a restriction that is lifted on the business date for one in force."""

    def is_in_force(self, row: Seen) -> bool:
        return super().is_in_force(row) or row["lifted_on"] == self.today.isoformat()


@lapse("5.3.2", "T7.3", "T7.4", "5.4.2", "T7.6")
class ObstaclesOverlooked(Careless):
    """Looks neither at restrictions nor at the first days of a term."""

    def stopped_by(self) -> tuple[str, ...]:
        return ()

    def is_too_young(self, record: Seen) -> bool:
        return False


@lapse("5.3.2", "T7.4")
class PledgeStopsEverything(Careless):
    """Lets a pledge stop a renewal and a bonus, too."""

    def stopped_by(self) -> tuple[str, ...]:
        return () if self.kind == "coverage_review" else ("legal_hold", "pledge")
