"""Expert for asset allocations.

Codes such as AL2 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from teller_gym.base.money import round_half_up
from teller_gym.office.documents.amounts import money_text, parse_money, parse_percent
from teller_gym.office.documents.dates import parse_date
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.wealth.worker import Row, Worker


class Quote(NamedTuple):
    """A security's price on one day."""

    day: date
    price: Decimal


class Expert(Worker):
    """Values each holding and splits it by asset class, with a separate method for each rule of the chapter."""

    quotes: Mapping[str, list[Quote]] = {}
    classes: Mapping[str, list[tuple[str, Decimal]]] = {}

    def work(self) -> Steps:
        """Read the sources and deliver the allocation."""
        yield from self.find_client()
        rows = self.held((yield from self.table("holdings.csv")))
        self.quotes = self.quoted((yield from self.table("prices.csv")))
        self.classes = self.mapped((yield from self.table("class_map.csv")))
        values: dict[str, int] = {}
        for row in rows:
            for name, cents in self.shared(row, self.value(row)):
                values[name] = values.get(name, 0) + cents
        values = self.delivered(values)
        weights = self.weights(values)
        lines = [(name, money_text(cents), self.percent(weights[name])) for name, cents in values.items()]
        total = (self.rules["total"], money_text(sum(values.values())), self.percent(self.total_weight(weights)))
        yield from self.deliver(self.rules["output"], self.rules["columns"], [*lines, total])

    def held(self, rows: list[Row]) -> list[Row]:
        """Return the holdings to value, which are all holdings (AL2)."""
        return rows

    def quoted(self, rows: list[Row]) -> dict[str, list[Quote]]:
        """Group the prices by symbol."""
        found: dict[str, list[Quote]] = {}
        for row in rows:
            found.setdefault(row["symbol"], []).append(Quote(parse_date(row["price_date"]), Decimal(row["price"])))
        return found

    def mapped(self, rows: list[Row]) -> dict[str, list[tuple[str, Decimal]]]:
        """Group the asset classes and their percentages by symbol."""
        found: dict[str, list[tuple[str, Decimal]]] = {}
        for row in rows:
            found.setdefault(row["symbol"], []).append((row["asset_class"], parse_percent(row["share"])))
        return found

    @property
    def valuation_date(self) -> date:
        """Last day of the previous month (AL1)."""
        return self.today.replace(day=1) - timedelta(days=1)

    def price(self, row: Row) -> Decimal:
        """Return the price of a row's security (AL3 and AL4)."""
        known = [one for one in self.quotes.get(row["symbol"], []) if self.is_known(one.day)]
        latest = max(known, default=None)
        return self.book_price(row) if latest is None or self.is_stale(latest.day) else latest.price

    def is_known(self, day: date) -> bool:
        """Return True if a price is from the valuation date or before (AL3)."""
        return day <= self.valuation_date

    def is_stale(self, day: date) -> bool:
        """Return True if a price is too old (AL4)."""
        return (self.valuation_date - day).days > int(self.rules["stale_days"])

    def book_price(self, row: Row) -> Decimal:
        """Return the fallback price for a security without a recent price (AL4)."""
        return Decimal(row["book_price"])

    def value(self, row: Row) -> int:
        """Return the value of a row in cents (AL5 to AL7)."""
        if self.is_cash(row):
            return self.cash(row)
        value = Fraction(self.quantity(row)) * Fraction(self.price(row)) * 100
        if row["kind"] != self.rules["bond"]:
            return round_half_up(value)
        return round_half_up(value * self.per_nominal) + self.accrued(row)

    def quantity(self, row: Row) -> Decimal:
        """Return a row's quantity, which is negative for a short position (AL5)."""
        return Decimal(row["quantity"])

    per_nominal: Fraction = Fraction(1, 100)
    """Factor for bond prices, which are percentages (AL6)."""

    def accrued(self, row: Row) -> int:
        """Return a bond's accrued interest in cents (AL6)."""
        return parse_money(row["accrued_interest"])

    def is_cash(self, row: Row) -> bool:
        """Return True if a row is cash (AL7)."""
        return row["kind"] == str(self.rules["cash"])

    def cash(self, row: Row) -> int:
        """Return the balance of a cash row in cents (AL7)."""
        return parse_money(row["cash_balance"])

    def shared(self, row: Row, cents: int) -> list[tuple[str, int]]:
        """Split a row's value in cents by asset class (AL8)."""
        if self.is_cash(row):
            return [(self.rules["cash"], cents)]
        return [(name, round_half_up(cents * Fraction(part) / 100)) for name, part in self.parts(row["symbol"])]

    def parts(self, symbol: str) -> list[tuple[str, Decimal]]:
        """Return a security's asset classes with their percentages (AL8)."""
        parts = self.classes.get(symbol, [])
        left = 100 - sum((part for _, part in parts), Decimal(0))
        return [*parts, (self.rules["unmapped"], left)] if left else parts

    def delivered(self, values: dict[str, int]) -> dict[str, int]:
        """Return the values of the asset classes that get a row, in cents (AL11)."""
        return values

    def weights(self, values: Mapping[str, int]) -> dict[str, int]:
        """Return the weight of each asset class in basis points (AL10).

        ``values`` are in cents.
        """
        total = sum(values.values())
        return {name: self.rounded(Fraction(10_000 * cents, total)) for name, cents in values.items()}

    def rounded(self, weight: Fraction) -> int:
        """Return a weight rounded half up to basis points (AL10)."""
        return round_half_up(weight)

    def total_weight(self, weights: Mapping[str, int]) -> int:
        """Return the sum of the weights for the total row, in basis points (AL11)."""
        return sum(weights.values())

    def percent(self, weight: int) -> str:
        """Format a weight in basis points as a percentage with two decimals and no sign (AL11)."""
        return str(Decimal(weight).scaleb(-2))
