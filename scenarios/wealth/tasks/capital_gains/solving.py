"""Computes a client's capital gains from the facts, independently of the expert.

Purchases and sales are laid out as intervals on a line of shares, counted as of today, after all splits. A sale is
matched with the purchases whose intervals it overlaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from itertools import accumulate, pairwise
from math import prod
from typing import NamedTuple

import msgspec

from teller_gym.base.money import round_half_up
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.capital_gains.facts import Facts, Trade


class Lot(msgspec.Struct, frozen=True):
    """The part of a sale that is matched with a purchase, with amounts in cents."""

    sale: str
    purchase: str
    quantity: int
    proceeds: int
    cost: int
    is_long: bool

    @property
    def gain(self) -> int:
        """Gain in cents, which is negative for a loss."""
        return self.proceeds - self.cost


class Answer(msgspec.Struct, frozen=True):
    """The matches of the tax year."""

    lots: tuple[Lot, ...]

    def sums(self, is_long: bool) -> tuple[int, int, int]:
        """Return total proceeds, cost and gain in cents for the long or short term."""
        of = [one for one in self.lots if one.is_long == is_long]
        return sum(one.proceeds for one in of), sum(one.cost for one in of), sum(one.gain for one in of)


class _Stretch(NamedTuple):
    """A trade's interval on the line.

    ``factor`` is the number of today's shares per share traded.
    """

    trade: Trade
    begin: int
    end: int
    factor: int


def solve(facts: Facts, rules: Rules) -> Answer:
    """Return the matches of the tax year's sales with purchases."""
    securities = sorted({one.security for one in facts.trades})
    lots = [one for security in securities for one in _matches(facts, security, rules)]
    return Answer(tuple(lots))


def _matches(facts: Facts, security: str, rules: Rules) -> list[Lot]:
    own = [one for one in facts.trades if one.security == security]
    own.sort(key=lambda one: (one.day, one.action != rules["split"], one.number))
    bought, sold = _line(own, rules["buy"]), _line(own, rules["sell"])
    pairs = [
        (sale, purchase, min(sale.end, purchase.end) - max(sale.begin, purchase.begin))
        for sale in sold
        for purchase in bought
        if sale.begin < purchase.end and purchase.begin < sale.end
    ]
    proceeds, costs = {}, {}
    for sale in sold:
        of = [(pair[1].trade.number, pair[2]) for pair in pairs if pair[0] is sale]
        shares = _shares(sale.trade.gross - _fees(facts, sale.trade, rules), sale, [size for _, size in of])
        proceeds.update({(sale.trade.number, number): cents for (number, _), cents in zip(of, shares, strict=True)})
    for purchase in bought:
        of = [(pair[0].trade.number, pair[2]) for pair in pairs if pair[1] is purchase]
        shares = _shares(purchase.trade.gross + _fees(facts, purchase.trade, rules), purchase, [one for _, one in of])
        costs.update({(number, purchase.trade.number): cents for (number, _), cents in zip(of, shares, strict=True)})
    return [
        Lot(
            sale.trade.key,
            purchase.trade.key,
            size // sale.factor,
            proceeds[sale.trade.number, purchase.trade.number],
            costs[sale.trade.number, purchase.trade.number],
            is_long(purchase.trade.day, sale.trade.day, rules["holding_years"]),
        )
        for sale, purchase, size in pairs
        if sale.trade.day.year == facts.today.year - 1
    ]


def _line(trades: Sequence[Trade], action: str) -> list[_Stretch]:
    """Return the intervals of the purchases or sales, laid out end to end."""
    chosen = [
        (one, prod(later.ratio for later in trades[place:])) for place, one in enumerate(trades) if one.action == action
    ]
    ends = accumulate((one.quantity * factor for one, factor in chosen), initial=0)
    return [
        _Stretch(one, begin, end, factor) for (one, factor), (begin, end) in zip(chosen, pairwise(ends), strict=True)
    ]


def _shares(cents: int, whole: _Stretch, sizes: Sequence[int]) -> list[int]:
    """Split an amount over the parts of a trade.

    If they make up the whole trade, the last part gets the remainder.
    """
    size = whole.end - whole.begin
    shares = [round_half_up(Fraction(cents * one, size)) for one in sizes]
    if sum(sizes) == size:
        shares[-1] = cents - sum(shares[:-1])
    return shares


def _fees(facts: Facts, trade: Trade, rules: Rules) -> int:
    (terms,) = (one for one in facts.terms if one.hold(trade.day))
    commission = min(max(round_half_up(Fraction(trade.gross * terms.rate, 10_000)), terms.least), terms.most)
    levy = round_half_up(Fraction(trade.gross * facts.levy, 100_000_000))
    return commission + (levy if trade.action == rules["sell"] else 0)


def is_long(bought: date, sold: date, years: int) -> bool:
    """Return True if a sale is more than ``years`` years after the purchase."""
    return (sold.year - years, sold.month, sold.day) > (bought.year, bought.month, bought.day)
