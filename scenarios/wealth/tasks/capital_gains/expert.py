"""Expert for capital gains.

Codes such as CG5 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, Final, NamedTuple

from teller_gym.base.money import round_half_up
from teller_gym.office.documents.amounts import money_text, parse_money, parse_percent
from teller_gym.office.documents.dates import parse_date
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.wealth.worker import Row, Worker

_TERMS: Final = re.compile(
    r"Trades (?P<which>from|until) (?P<day>\d+ \w+ \d{4}): (?P<rate>[\d.]+)% of the gross amount, "
    r"at least (?P<least>\$[\d,.]+\d), at most (?P<most>\$[\d,.]+\d)\."
)
_LEVY: Final = re.compile(r"(?P<levy>\$[\d,.]+\d) for each (?P<per>\$[\d,.]+\d) of the gross amount")


class Trade(NamedTuple):
    """A row of the trades table, with the amount in cents."""

    key: str
    day: date
    settled: date
    action: str
    security: str
    quantity: int
    gross: int
    ratio: int


class Terms(NamedTuple):
    """Commission terms that apply from or until a day, with amounts in cents."""

    which: str
    day: date
    rate: Fraction
    least: int
    most: int


@dataclass
class Lot:
    """A purchase with its bought and remaining shares, adjusted for splits, and their cost in cents."""

    purchase: Trade
    bought: int
    left: int
    cost: int
    cost_left: int


class Part(NamedTuple):
    """The part of a sale that is matched with a purchase, with amounts in cents."""

    sale: Trade
    purchase: Trade
    quantity: int
    proceeds: int
    cost: int


class Expert(Worker):
    """Processes the trades in order and tracks the remaining shares of each purchase."""

    terms: tuple[Terms, ...] = ()
    levy_rate: Fraction = Fraction(0)

    def work(self) -> Steps:
        """Read the sources and deliver the matches."""
        yield from self.find_client()
        self.read_fees((yield from self.text("fees.txt")))
        trades = [self.trade(row) for row in (yield from self.table("trades.csv"))]
        parts = [one for one in self.matched(sorted(trades, key=self.order)) if self.is_reported(one.sale)]
        rows = [self.row(one) for one in parts]
        for name, term in zip(self.rules["totals"], (self.rules["short"], self.rules["long"]), strict=True):
            of = [one for one in parts if self.term(one) == term]
            proceeds, cost = sum(one.proceeds for one in of), sum(one.cost for one in of)
            rows.append((name, "", "", *map(money_text, (proceeds, cost, proceeds - cost)), term))
        yield from self.deliver(self.rules["output"], self.rules["columns"], rows)

    def read_fees(self, text: str) -> None:
        """Read the commissions and the regulatory fee (CG5)."""
        self.terms = tuple(
            Terms(
                one["which"],
                parse_date(one["day"]),
                Fraction(parse_percent(one["rate"])) / 100,
                parse_money(one["least"]),
                parse_money(one["most"]),
            )
            for one in _TERMS.finditer(text)
        )
        levy = _LEVY.search(text)
        if levy is None or not self.terms:
            raise LookupError("the text on fees names no commission, or no regulatory fee")
        self.levy_rate = Fraction(parse_money(levy["levy"]), parse_money(levy["per"]))

    def trade(self, row: Row) -> Trade:
        """Parse a row of the trades table (CG2)."""
        return Trade(
            row["trade_id"],
            parse_date(row["trade_date"]),
            parse_date(row["settlement_date"]),
            row["action"],
            row["security_name"],
            int(row["quantity"] or 0),
            parse_money(row["gross_amount"]) if row["gross_amount"] else 0,
            int(row["split_ratio"].partition(":")[0] or 1),
        )

    def order(self, trade: Trade) -> tuple[Any, ...]:
        """Return a trade's sort key: day, splits before other trades, number (CG3)."""
        return trade.day, trade.action != self.rules["split"], int(re.sub(r"\D", "", trade.key))

    def matched(self, trades: Sequence[Trade]) -> list[Part]:
        """Match the sales of all years with purchases (CG4 to CG8)."""
        held: dict[str, list[Lot]] = {}
        found: list[Part] = []
        for trade in trades:
            lots = held.setdefault(trade.security, [])
            if trade.action == self.rules["buy"]:
                cost = trade.gross + self.fees(trade)
                lots.append(Lot(trade, trade.quantity, trade.quantity, cost, cost))
            elif trade.action == self.rules["split"]:
                self.split(lots, trade.ratio)
            elif self.takes_shares(trade):
                found += self.sold(trade, lots)
        return found

    def split(self, lots: list[Lot], ratio: int) -> None:
        """Multiply the shares held by the split ratio (CG4)."""
        for lot in lots:
            lot.bought *= ratio
            lot.left *= ratio

    def fees(self, trade: Trade) -> int:
        """Return all fees of a trade in cents (CG5)."""
        return self.commission(trade) + self.levy(trade)

    def commission(self, trade: Trade) -> int:
        """Return a trade's commission in cents (CG5)."""
        terms = self.terms_of(trade)
        return self.bounded(round_half_up(trade.gross * terms.rate), terms)

    def terms_of(self, trade: Trade) -> Terms:
        """Return the commission terms in force on the day of a trade (CG5)."""
        return next(
            one for one in self.terms if (trade.day >= one.day if one.which == "from" else trade.day <= one.day)
        )

    def bounded(self, cents: int, terms: Terms) -> int:
        """Limit a commission to its minimum and maximum (CG5)."""
        return min(max(cents, terms.least), terms.most)

    def levy(self, trade: Trade) -> int:
        """Return the regulatory fee in cents, which is charged on sales only (CG5)."""
        return round_half_up(trade.gross * self.levy_rate) if trade.action == self.rules["sell"] else 0

    def takes_shares(self, sale: Trade) -> bool:
        """Return True if a sale consumes shares, as sales of every year do (CG6)."""
        return True

    def sold(self, sale: Trade, lots: list[Lot]) -> list[Part]:
        """Remove a sale's shares from the purchases and return the matches (CG6)."""
        wanted = sale.quantity
        taken: list[tuple[Trade, int, int]] = []
        while wanted and (open_lots := [lot for lot in lots if lot.left]):
            lot = self.next_lot(open_lots)
            quantity = min(wanted, lot.left)
            taken.append((lot.purchase, quantity, self.cost(lot, quantity)))
            lot.left -= quantity
            wanted -= quantity
        proceeds = self.proceeds(sale, [quantity for _, quantity, _ in taken])
        return [
            Part(sale, purchase, quantity, cents, cost)
            for (purchase, quantity, cost), cents in zip(taken, proceeds, strict=True)
        ]

    def next_lot(self, lots: list[Lot]) -> Lot:
        """Return the next purchase to take shares from (CG6)."""
        return lots[0]

    def proceeds(self, sale: Trade, quantities: list[int]) -> list[int]:
        """Return a sale's proceeds after fees in cents, split by quantity (CG7)."""
        if not quantities:
            return []
        net = sale.gross - self.fees(sale)
        shares = [round_half_up(Fraction(net * one, sale.quantity)) for one in quantities[:-1]]
        return [*shares, net - sum(shares)]

    def cost(self, lot: Lot, quantity: int) -> int:
        """Return the cost of shares taken from a purchase, in cents (CG8)."""
        cost = round_half_up(Fraction(lot.cost * quantity, lot.bought)) if quantity < lot.left else lot.cost_left
        lot.cost_left -= cost
        return cost

    def is_reported(self, sale: Trade) -> bool:
        """Return True if a sale belongs to the tax year (CG1)."""
        return sale.day.year == self.tax_year

    @property
    def tax_year(self) -> int:
        """Previous calendar year (CG1)."""
        return self.today.year - 1

    def is_long(self, bought: date, sold: date) -> bool:
        """Return True if shares were held for more than a year (CG10)."""
        return sold > self.anniversary(bought)

    def anniversary(self, day: date) -> date:
        """Return the last day of the short term for a purchase (CG10)."""
        year = day.year + int(self.rules["holding_years"])
        return date(year, 2, 28) if (day.month, day.day) == (2, 29) else day.replace(year=year)

    def term(self, part: Part) -> str:
        """Return the term of a match (CG10)."""
        return str(self.rules["long" if self.is_long(part.purchase.day, part.sale.day) else "short"])

    def row(self, part: Part) -> tuple[str, ...]:
        """Format a match as a table row (CG9 and CG11)."""
        amounts = map(money_text, (part.proceeds, part.cost, part.proceeds - part.cost))
        return (part.sale.key, part.purchase.key, str(part.quantity), *amounts, self.term(part))
