"""Pension projection experts that each make one wrong judgement.

Codes such as PP2 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from teller_gym.procedure.lapses import lapse
from teller_gym.scenarios.wealth.tasks.pension.expert import Assumptions, Expert
from teller_gym.scenarios.wealth.worker import Row


@lapse("PP2")
class AgesSubtracted(Expert):
    """Counts the years as retirement age minus current age, so the last projected year may end after retirement."""

    def years(self) -> int:
        born, today = date.fromisoformat(self.contact["cDateOfBirth"]), self.today
        age = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
        return int(self.contact["cRetirementAge"]) - age


@lapse("PP3")
class EveryValuation(Expert):
    """Counts all rows of a plan."""

    def latest(self, rows: list[Row]) -> list[Row]:
        return rows


@lapse("PP3")
class OldestValuation(Expert):
    """Uses a plan's oldest row."""

    def latest(self, rows: list[Row]) -> list[Row]:
        ordered = sorted(rows, key=lambda row: row["valuation_date"], reverse=True)
        return list({row["plan"]: row for row in ordered}.values())


@lapse("PP4")
class TransferredCounted(Expert):
    """Counts the balance of a plan that was transferred to another plan."""

    def counts(self, row: Row) -> bool:
        return True


@lapse("PP4")
class TransferredRowsDropped(Expert):
    """Drops transferred rows before choosing the latest ones, so that an earlier row of the plan counts."""

    def latest(self, rows: list[Row]) -> list[Row]:
        return super().latest([row for row in rows if self.counts(row)])


@lapse("PP4")
class PaidUpPlansContribute(Expert):
    """Adds contributions to paid-up plans."""

    def is_paid_into(self, row: Row) -> bool:
        return True


@lapse("PP5")
class OnePaymentAYear(Expert):
    """Treats every contribution as yearly."""

    def times(self, frequency: str) -> int:
        return 1


@lapse("PP5")
class AllByTheMonth(Expert):
    """Treats every contribution as monthly."""

    def times(self, frequency: str) -> int:
        return int(self.rules["monthly_times"])


@lapse("PP6")
class NoMatch(Expert):
    """Leaves out the employer's match."""

    def matched(self, row: Row, own: int) -> int:
        return 0


@lapse("PP6")
class MatchWithoutCap(Expert):
    """Ignores the cap of the match."""

    def cap(self, row: Row, full: int) -> int:
        return full


@lapse("PP7")
class RisesAtOnce(Expert):
    """Raises the contributions from the first year on."""

    def first_contributions(self, paid: int, assumed: Assumptions) -> int:
        return self.raised(paid, assumed)


@lapse("PP7")
class NeverRises(Expert):
    """Never raises the contributions."""

    def raised(self, paid: int, assumed: Assumptions) -> int:
        return paid


@lapse("PP8")
class NewestEdition(Expert):
    """Uses the newest edition, which is not yet in force."""

    def in_force(self, days: list[date]) -> date:
        return max(days)


@lapse("PP8")
class OldestEdition(Expert):
    """Uses the oldest edition."""

    def in_force(self, days: list[date]) -> date:
        return min(days)


@lapse("PP9")
class MiddleCase(Expert):
    """Uses the middle scenario for everybody."""

    def case_name(self) -> str:
        return str(self.rules["middle"])


@lapse("PP10")
class OpeningGrows(Expert):
    """Applies growth only to the opening balance, regardless of the timing of contributions."""

    def growing_share(self, assumed: Assumptions) -> Decimal:
        return Decimal(0)


@lapse("PP10")
class EverythingGrows(Expert):
    """Applies a full year's growth to contributions, regardless of their timing."""

    def growing_share(self, assumed: Assumptions) -> Decimal:
        return Decimal(100)


@lapse("PP11")
class NoFee(Expert):
    """Leaves out the fee."""

    def charged(self, opening: int, paid: int, growth: int) -> Decimal:
        return Decimal(0)


@lapse("PP11")
class FeeOnOpening(Expert):
    """Charges the fee on the opening balance only."""

    def charged(self, opening: int, paid: int, growth: int) -> Decimal:
        return Decimal(opening)
