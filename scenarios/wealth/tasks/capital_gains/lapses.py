"""Capital gains experts that each make one wrong judgement.

Codes such as CG1 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Any

from teller_gym.base.money import round_half_up
from teller_gym.procedure.lapses import lapse
from teller_gym.scenarios.wealth.tasks.capital_gains.expert import Expert, Lot, Part, Terms, Trade


@lapse("CG1")
class EveryYear(Expert):
    """Reports the sales of all years."""

    def is_reported(self, sale: Trade) -> bool:
        return True


@lapse("CG1")
class CurrentYear(Expert):
    """Reports the sales of the current year."""

    def is_reported(self, sale: Trade) -> bool:
        return sale.day.year == self.tax_year + 1


@lapse("CG1")
class BySettlement(Expert):
    """Assigns a sale to the year in which it settles."""

    def is_reported(self, sale: Trade) -> bool:
        return sale.settled.year == self.tax_year


@lapse("CG3")
class TableOrder(Expert):
    """Processes the trades in table order."""

    def order(self, trade: Trade) -> tuple[Any, ...]:
        return ()


@lapse("CG3")
class NumbersAsTexts(Expert):
    """Sorts the trades of a day by ID as text instead of number."""

    def order(self, trade: Trade) -> tuple[Any, ...]:
        return *super().order(trade)[:2], trade.key


@lapse("CG3")
class SplitLast(Expert):
    """Applies a split after the other trades of the day."""

    def order(self, trade: Trade) -> tuple[Any, ...]:
        return trade.day, trade.action == self.rules["split"], *super().order(trade)[2:]


@lapse("CG4")
class NoSplits(Expert):
    """Ignores splits."""

    def split(self, lots: list[Lot], ratio: int) -> None:
        return None


@lapse("CG5")
class NoFees(Expert):
    """Leaves out all fees."""

    def fees(self, trade: Trade) -> int:
        return 0


@lapse("CG5")
class LatestTerms(Expert):
    """Applies the latest commission to all trades."""

    def terms_of(self, trade: Trade) -> Terms:
        return max(self.terms, key=lambda one: one.day)


@lapse("CG5")
class NoLeastCommission(Expert):
    """Ignores the minimum commission."""

    def bounded(self, cents: int, terms: Terms) -> int:
        return min(cents, terms.most)


@lapse("CG5")
class NoMostCommission(Expert):
    """Ignores the maximum commission."""

    def bounded(self, cents: int, terms: Terms) -> int:
        return max(cents, terms.least)


@lapse("CG5")
class NoRegulatoryFee(Expert):
    """Leaves out the regulatory fee."""

    def levy(self, trade: Trade) -> int:
        return 0


@lapse("CG5")
class RegulatoryFeeOnPurchases(Expert):
    """Charges the regulatory fee on purchases as well."""

    def levy(self, trade: Trade) -> int:
        return round_half_up(trade.gross * self.levy_rate)


@lapse("CG6")
class LastInFirstOut(Expert):
    """Matches sales with the latest purchase first."""

    def next_lot(self, lots: list[Lot]) -> Lot:
        return lots[-1]


@lapse("CG6")
class EarlierSalesForgotten(Expert):
    """Ignores the shares consumed by sales of earlier years."""

    def takes_shares(self, sale: Trade) -> bool:
        return sale.day.year >= self.tax_year


@lapse("CG6")
class AcrossSecurities(Expert):
    """Matches sales with the first purchase of any security."""

    def matched(self, trades: Sequence[Trade]) -> list[Part]:
        return super().matched([one._replace(security="") for one in trades])


@lapse("CG7")
class SaleFeesOnTheFirst(Expert):
    """Deducts all fees of a sale from the part matched with the first purchase."""

    def proceeds(self, sale: Trade, quantities: list[int]) -> list[int]:
        shares = [round_half_up(Fraction(sale.gross * one, sale.quantity)) for one in quantities]
        return [one - self.fees(sale) if place == 0 else one for place, one in enumerate(shares)]


@lapse("CG8")
class PurchaseFeesOnEveryPart(Expert):
    """Adds the full fees of a purchase to each of its parts."""

    def cost(self, lot: Lot, quantity: int) -> int:
        return round_half_up(Fraction(lot.purchase.gross * quantity, lot.bought)) + self.fees(lot.purchase)


@lapse("CG10")
class OneYearIsLong(Expert):
    """Treats exactly one year as long-term."""

    def is_long(self, bought: date, sold: date) -> bool:
        return sold >= self.anniversary(bought)


@lapse("CG10")
class YearsApart(Expert):
    """Treats purchases from an earlier calendar year as long-term."""

    def is_long(self, bought: date, sold: date) -> bool:
        return sold.year > bought.year
