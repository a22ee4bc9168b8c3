"""The expert of the tax summary with one judgement left out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teller_gym.office.documents.amounts import parse_money
from teller_gym.procedure.lapses import lapse
from teller_gym.scenarios.wealth.tasks.tax_summary.expert import Expert, found
from teller_gym.scenarios.wealth.worker import Row


@lapse("TX2", "TX3")
class WagesOfBothYears(Expert):
    """Adds the wage statement of the year before."""

    def counts(self, statement: Row) -> bool:
        return True


@lapse("TX3")
class OriginalStatement(Expert):
    """Takes the original statement although it was corrected."""

    def is_corrected(self, statement: Row) -> bool:
        return not super().is_corrected(statement)


@lapse("TX3")
class CorrectedBesides(Expert):
    """Adds a corrected statement to the one that it replaces."""

    def latest(self, statements: Sequence[Row]) -> list[Row]:
        return list(statements)


@lapse("TX3")
class CorrectedAlone(Expert):
    """Takes corrected statements only, and leaves out the employer whose statement is valid."""

    def latest(self, statements: Sequence[Row]) -> list[Row]:
        return [one for one in statements if self.is_corrected(one)]


@lapse("TX4")
class GrossPay(Expert):
    """Takes gross pay for wages."""

    def taxable(self, statement: Row) -> int:
        return parse_money(statement["Gross Pay"])


@lapse("TX4")
class RothTakenOff(Expert):
    """Takes Roth contributions off as well."""

    def taxable(self, statement: Row) -> int:
        return super().taxable(statement) - parse_money(statement["Roth Retirement Contributions"])


@lapse("TX4")
class TaxTakenOff(Expert):
    """Takes the tax off that was withheld."""

    def taxable(self, statement: Row) -> int:
        return super().taxable(statement) - parse_money(statement["Federal Tax Withheld"])


@lapse("TX5")
class InterestWhenEarned(Expert):
    """Counts interest in the year in which it was earned."""

    def is_credited(self, row: Row) -> bool:
        return row["earned_in"].startswith(str(self.year))


@lapse("TX2", "TX5")
class InterestOfAllYears(Expert):
    """Counts all rows of the table of interest."""

    def is_credited(self, row: Row) -> bool:
        return True


@lapse("TX5")
class MunicipalInterest(Expert):
    """Counts the interest of municipal bonds."""

    def is_exempt(self, row: Row) -> bool:
        return False


@lapse("TX5")
class TreasuryExempt(Expert):
    """Leaves out the interest of Treasury notes, as a state would."""

    def is_exempt(self, row: Row) -> bool:
        return super().is_exempt(row) or row["kind"].startswith("Treasury")


@lapse("TX2", "TX6")
class PaymentsOfAllYears(Expert):
    """Counts all rows of the table of dividends."""

    def is_paid(self, row: Row) -> bool:
        return True


@lapse("TX6")
class ReturnOfCapital(Expert):
    """Counts capital that is returned as a dividend."""

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
    """Shows as ordinary dividends only those that are not qualified."""

    def shown(self, ordinary: int, qualified: int) -> int:
        return ordinary - qualified


@lapse("TX7", "TX11")
class QualifiedAddedAgain(Expert):
    """Adds qualified dividends to the total besides the ordinary ones."""

    def added(self, ordinary: int, qualified: int) -> int:
        return ordinary + qualified


@lapse("TX8")
class DistributionsLeftOut(Expert):
    """Leaves out capital gain distributions."""

    def distributed(self, rows: Sequence[Row]) -> int:
        return 0


@lapse("TX2", "TX8")
class SalesOfBothYears(Expert):
    """Adds the sales of the year after."""

    def is_sold(self, sales: re.Match[str]) -> bool:
        return True


@lapse("TX8")
class ShortTermAlone(Expert):
    """Takes short-term results only."""

    def is_sold(self, sales: re.Match[str]) -> bool:
        return super().is_sold(sales) and sales["term"] == "short-term"


@lapse("TX8")
class LossesAsGains(Expert):
    """Takes a loss for a gain."""

    def signed(self, sales: re.Match[str]) -> int:
        return abs(super().signed(sales))


@lapse("TX8")
class NothingCarried(Expert):
    """Leaves out the loss carried forward from the year before."""

    def carried(self, notes: str) -> int:
        return 0


@lapse("TX9")
class WholeLoss(Expert):
    """Counts a loss wholly, regardless of its size."""

    def limited(self, result: int) -> int:
        return result


@lapse("TX9")
class NoLoss(Expert):
    """Counts no loss at all, and carries it forward wholly."""

    def limited(self, result: int) -> int:
        return max(result, 0)


@lapse("TX9")
class LossCarriedWhole(Expert):
    """Carries the whole loss forward, also the part that counts."""

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
