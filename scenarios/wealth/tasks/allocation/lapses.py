"""Asset allocation experts that each make one wrong judgement.

Codes such as AL1 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction

from teller_gym.procedure.lapses import lapse
from teller_gym.scenarios.wealth.tasks.allocation.expert import Expert
from teller_gym.scenarios.wealth.worker import Row


@lapse("AL1")
class ValuedToday(Expert):
    """Values the holdings as of today."""

    @property
    def valuation_date(self) -> date:
        return self.today


@lapse("AL2")
class OneRowPerSecurity(Expert):
    """Counts only the last row of a security held in two accounts."""

    def held(self, rows: list[Row]) -> list[Row]:
        return list({row["symbol"] or row["account_number"]: row for row in rows}.values())


@lapse("AL3")
class EarlierPricesAlone(Expert):
    """Ignores prices on the valuation date itself."""

    def is_known(self, day: date) -> bool:
        return day < self.valuation_date


@lapse("AL3")
class LaterPricesToo(Expert):
    """Uses the latest price, even if it is later than the valuation date."""

    def is_known(self, day: date) -> bool:
        return True


@lapse("AL4")
class NeverStale(Expert):
    """Uses prices of any age."""

    def is_stale(self, day: date) -> bool:
        return False


@lapse("AL4")
class StaleAtTheLimit(Expert):
    """Ignores a price of exactly the maximum age."""

    def is_stale(self, day: date) -> bool:
        return (self.valuation_date - day).days >= int(self.rules["stale_days"])


@lapse("AL4")
class NothingWithoutPrice(Expert):
    """Values securities without a recent price at zero."""

    def book_price(self, row: Row) -> Decimal:
        return Decimal(0)


@lapse("AL3", "AL4")
class BookPrices(Expert):
    """Values all holdings at book prices."""

    def price(self, row: Row) -> Decimal:
        return self.book_price(row)


@lapse("AL5")
class ShortsAsLong(Expert):
    """Counts a short position as a long position."""

    def quantity(self, row: Row) -> Decimal:
        return abs(super().quantity(row))


@lapse("AL5")
class ShortsLeftOut(Expert):
    """Leaves out short positions."""

    def quantity(self, row: Row) -> Decimal:
        return max(super().quantity(row), Decimal(0))


@lapse("AL6")
class BondsByTheUnit(Expert):
    """Reads a bond price as dollars."""

    per_nominal = Fraction(1)


@lapse("AL6")
class NoAccruedInterest(Expert):
    """Leaves out accrued interest."""

    def accrued(self, row: Row) -> int:
        return 0


@lapse("AL7")
class NoCash(Expert):
    """Leaves out cash in accounts."""

    def cash(self, row: Row) -> int:
        return 0


@lapse("AL8")
class LargestClassAlone(Expert):
    """Assigns a security entirely to its largest asset class."""

    def parts(self, symbol: str) -> list[tuple[str, Decimal]]:
        name, _ = max(super().parts(symbol), key=lambda part: part[1])
        return [(name, Decimal(100))]


@lapse("AL8")
class UnmappedLeftOut(Expert):
    """Leaves out securities without an asset class."""

    def parts(self, symbol: str) -> list[tuple[str, Decimal]]:
        return super().parts(symbol) if symbol in self.classes else []


@lapse("AL8")
class RestLeftOut(Expert):
    """Leaves out the part of a security that has no asset class."""

    def parts(self, symbol: str) -> list[tuple[str, Decimal]]:
        return list(self.classes[symbol]) if symbol in self.classes else super().parts(symbol)


@lapse("AL10")
class WeightsCut(Expert):
    """Truncates weights to two decimals."""

    def rounded(self, weight: Fraction) -> int:
        return int(weight)


@lapse("AL10")
class WeightsAdjusted(Expert):
    """Adjusts the weight of the largest asset class so that the weights add up to 100."""

    def weights(self, values: Mapping[str, int]) -> dict[str, int]:
        weights = super().weights(values)
        weights[max(weights, key=lambda name: weights[name])] += 10_000 - sum(weights.values())
        return weights


@lapse("AL11")
class EveryClass(Expert):
    """Adds rows for asset classes without holdings."""

    def delivered(self, values: dict[str, int]) -> dict[str, int]:
        names = {name for parts in self.classes.values() for name, _ in parts}
        return {**dict.fromkeys(sorted(names), 0), **values}


@lapse("AL11")
class TotalOfHundred(Expert):
    """Reports 100.00 as the sum of the weights."""

    def total_weight(self, weights: Mapping[str, int]) -> int:
        return 10_000
