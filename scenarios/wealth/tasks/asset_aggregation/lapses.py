"""Asset aggregation experts that each make one wrong judgement.

Codes such as AA2 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from teller_gym.procedure.lapses import lapse
from teller_gym.scenarios.wealth.tasks.asset_aggregation.expert import Expert, Holding, in_cents, rate_of
from teller_gym.scenarios.wealth.worker import Row


@lapse("AA2")
class EarlierStatement(Expert):
    """Uses the custodian's earlier statement."""

    def counting(self, rows: Sequence[Row]) -> list[Row]:
        earliest = min(row["statement_date"] for row in rows)
        return [row for row in rows if row["statement_date"] == earliest]


@lapse("AA2")
class BothStatements(Expert):
    """Adds up both custodian statements."""

    def counting(self, rows: Sequence[Row]) -> list[Row]:
        return list(rows)


@lapse("AA2")
class LatestOfEachAccount(Expert):
    """Uses the latest rows of each account, so that an account missing from the later statement still counts."""

    def counting(self, rows: Sequence[Row]) -> list[Row]:
        latest: dict[str, str] = {}
        for row in rows:
            latest[row["account_number"]] = max(row["statement_date"], latest.get(row["account_number"], ""))
        return [row for row in rows if row["statement_date"] == latest[row["account_number"]]]


@lapse("AA3")
class CashLeftOut(Expert):
    """Counts only the positions."""

    def cash(self, rows: Sequence[Row]) -> int:
        return 0


@lapse("AA3")
class RoundedPrices(Expert):
    """Rounds each price to the cent before multiplying."""

    def worth(self, row: Row) -> Decimal:
        return Decimal(row["quantity"]) * in_cents(Decimal(row["price"]) * 100)


@lapse("AA3")
class WholeUnits(Expert):
    """Leaves out fractions of a unit."""

    def worth(self, row: Row) -> Decimal:
        return super().worth({**row, "quantity": row["quantity"].partition(".")[0]})


@lapse("AA3")
class SumRounded(Expert):
    """Rounds the sum of an account's positions instead of each position."""

    def positions(self, rows: Sequence[Row]) -> int:
        worth = sum((self.worth(row) for row in rows if row["quantity"]), Decimal())
        return int(worth.quantize(Decimal(1), ROUND_HALF_UP))


@lapse("AA4")
class EurosAsDollars(Expert):
    """Reads a balance in euros as dollars."""

    def rate(self, text: str) -> Decimal:
        return Decimal(1)


@lapse("AA4")
class AverageRate(Expert):
    """Converts at the monthly average rate."""

    def rate(self, text: str) -> Decimal:
        return rate_of(text, "Average rate")


@lapse("AA4")
class DividedByTheRate(Expert):
    """Divides by the rate instead of multiplying."""

    def rate(self, text: str) -> Decimal:
        return 1 / super().rate(text)


@lapse("AA4")
class ClosedCounted(Expert):
    """Counts closed accounts."""

    def is_open(self, status: str) -> bool:
        return True


@lapse("AA5")
class LinkedTwice(Expert):
    """Counts linked accounts in addition to their own statements."""

    def once(self, elsewhere: Sequence[Holding], linked: Sequence[Holding]) -> list[Holding]:
        return [*elsewhere, *linked]


@lapse("AA5")
class LinkedLeftOut(Expert):
    """Leaves out all linked accounts, including those without their own statement."""

    def once(self, elsewhere: Sequence[Holding], linked: Sequence[Holding]) -> list[Holding]:
        return list(elsewhere)


@lapse("AA5")
class LinkedAsReported(Expert):
    """Prefers the bank's report of a linked account to the account's own statement."""

    def once(self, elsewhere: Sequence[Holding], linked: Sequence[Holding]) -> list[Holding]:
        return super().once(linked, elsewhere)


@lapse("AA6")
class NumbersAsWritten(Expert):
    """Treats account numbers with different spaces or hyphens as different accounts."""

    def same(self, number: str) -> str:
        return number


@lapse("AA7")
class AllContributions(Expert):
    """Counts contributions that are not vested."""

    def vested(self, own: int, employer: int, percent: Decimal) -> int:
        return own + employer


@lapse("AA7")
class VestedShareOfAll(Expert):
    """Applies the vested percentage to the client's own contributions as well."""

    def vested(self, own: int, employer: int, percent: Decimal) -> int:
        return in_cents((own + employer) * percent / 100)


@lapse("AA7")
class OwnContributionsAlone(Expert):
    """Leaves out the employer's contributions."""

    def vested(self, own: int, employer: int, percent: Decimal) -> int:
        return own


@lapse("AA8")
class TypeByInstitution(Expert):
    """Derives the account type from the institution instead of the account's name."""

    def kind(self, words: str, other: str) -> str:
        return other


@lapse("AA9")
class LinkedAtTheBank(Expert):
    """Reports the bank as the institution of linked accounts."""

    def institution(self, bank: str, named: str) -> str:
        return bank
