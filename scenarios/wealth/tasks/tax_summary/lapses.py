"""Tax summary experts that each make one wrong judgement.

Codes such as TX2 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from teller_gym.office.documents.amounts import parse_money
from teller_gym.procedure.lapses import lapse
from teller_gym.scenarios.wealth.tasks.tax_summary.expert import Expert, found
from teller_gym.scenarios.wealth.worker import Row


@lapse("TX2", "TX3")
class WagesOfBothYears(Expert):
    """Adds the previous year's wage statement."""

    def counts(self, statement: Row) -> bool:
        return True


@lapse("TX3")
class OriginalStatement(Expert):
    """Uses the original statement although it was corrected."""

    def is_corrected(self, statement: Row) -> bool:
        return not super().is_corrected(statement)


@lapse("TX3")
class CorrectedBesides(Expert):
    """Counts both a corrected statement and the statement it replaces."""

    def latest(self, statements: Sequence[Row]) -> list[Row]:
        return list(statements)


@lapse("TX3")
class CorrectedAlone(Expert):
    """Counts only corrected statements, and misses the employer whose statement was not corrected."""

    def latest(self, statements: Sequence[Row]) -> list[Row]:
        return [one for one in statements if self.is_corrected(one)]


@lapse("TX4")
class GrossPay(Expert):
    """Reports gross pay as wages."""

    def taxable(self, statement: Row) -> int:
        return parse_money(statement["Gross Pay"])


@lapse("TX4")
class RothTakenOff(Expert):
    """Deducts Roth contributions as well."""

    def taxable(self, statement: Row) -> int:
        return super().taxable(statement) - parse_money(statement["Roth Retirement Contributions"])


@lapse("TX4")
class TaxTakenOff(Expert):
    """Deducts the withheld tax."""

    def taxable(self, statement: Row) -> int:
        return super().taxable(statement) - parse_money(statement["Federal Tax Withheld"])


@lapse("TX5")
class InterestWhenEarned(Expert):
    """Counts interest in the year in which it was earned."""

    def is_credited(self, row: Row) -> bool:
        return row["earned_in"].startswith(str(self.year))


@lapse("TX2", "TX5")
class InterestOfAllYears(Expert):
    """Counts all rows of the interest table."""

    def is_credited(self, row: Row) -> bool:
        return True


@lapse("TX5")
class MunicipalInterest(Expert):
    """Counts interest from municipal bonds."""

    def is_exempt(self, row: Row) -> bool:
        return False


@lapse("TX5")
class TreasuryExempt(Expert):
    """Leaves out interest from Treasury notes, which is exempt only from state tax."""

    def is_exempt(self, row: Row) -> bool:
        return super().is_exempt(row) or row["kind"].startswith("Treasury")


@lapse("TX2", "TX6")
class PaymentsOfAllYears(Expert):
    """Counts all rows of the dividends table."""

    def is_paid(self, row: Row) -> bool:
        return True


@lapse("TX6")
class ReturnOfCapital(Expert):
    """Counts a return of capital as a dividend."""

    def is_dividend(self, row: Row) -> bool:
        return super().is_dividend(row) or row["kind"] == str(self.rules["return_of_capital"])


@lapse("TX6", "TX8")
class DistributionsAsDividends(Expert):
    """Counts capital gain distributions as dividends instead of capital gains."""

    def is_dividend(self, row: Row) -> bool:
        return super().is_dividend(row) or row["kind"] == str(self.rules["gain_distribution"])

    def distributed(self, rows: Sequence[Row]) -> int:
        return 0


@lapse("TX7")
class QualifiedTakenOff(Expert):
    """Reports only dividends that are not qualified as ordinary dividends."""

    def shown(self, ordinary: int, qualified: int) -> int:
        return ordinary - qualified


@lapse("TX7", "TX11")
class QualifiedAddedAgain(Expert):
    """Adds qualified dividends to the total although ordinary dividends include them."""

    def added(self, ordinary: int, qualified: int) -> int:
        return ordinary + qualified


@lapse("TX8")
class DistributionsLeftOut(Expert):
    """Leaves out capital gain distributions."""

    def distributed(self, rows: Sequence[Row]) -> int:
        return 0


@lapse("TX2", "TX8")
class SalesOfBothYears(Expert):
    """Adds the following year's sales."""

    def is_sold(self, sales: re.Match[str]) -> bool:
        return True


@lapse("TX8")
class ShortTermAlone(Expert):
    """Counts only short-term results."""

    def is_sold(self, sales: re.Match[str]) -> bool:
        return super().is_sold(sales) and sales["term"] == "short-term"


@lapse("TX8")
class LossesAsGains(Expert):
    """Treats losses as gains."""

    def signed(self, sales: re.Match[str]) -> int:
        return abs(super().signed(sales))


@lapse("TX8")
class NothingCarried(Expert):
    """Leaves out the loss carried forward from the previous year."""

    def carried(self, notes: str) -> int:
        return 0


@lapse("TX9")
class WholeLoss(Expert):
    """Counts a loss in full, ignoring the limit."""

    def limited(self, result: int) -> int:
        return result


@lapse("TX9")
class NoLoss(Expert):
    """Counts no loss, and carries it forward in full."""

    def limited(self, result: int) -> int:
        return max(result, 0)


@lapse("TX9")
class LossCarriedWhole(Expert):
    """Carries the whole loss forward, including the part that counts."""

    def left(self, result: int) -> int:
        return max(-result, 0)


@lapse("TX10")
class RolloverAsIncome(Expert):
    """Counts the rollover as income."""

    def besides(self, notes: str) -> int:
        return parse_money(found(re.compile(r"^Rollover: ([\d,.]+\d)", re.MULTILINE), notes))


@lapse("TX10")
class GiftAsIncome(Expert):
    """Counts the gift as income."""

    def besides(self, notes: str) -> int:
        return parse_money(found(re.compile(r"^Gift: ([\d,.]+\d)", re.MULTILINE), notes))
