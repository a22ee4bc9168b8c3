"""Expert for the tax on an estate.

Codes such as TT1 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from teller_gym.office.documents.amounts import money_text, parse_money, parse_percent
from teller_gym.office.documents.dates import parse_date
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.wealth.worker import Row, Worker


class Band(NamedTuple):
    """A row of the bracket table, with limits in cents and the rate in percent.

    ``end`` is None for the top bracket.
    """

    name: str
    begin: int
    end: int | None
    rate: Decimal


class Part(NamedTuple):
    """The part of the estate in a tax bracket in cents, and its tax."""

    name: str
    amount: int
    rate: Decimal
    tax: int


class Expert(Worker):
    """Computes the taxable estate and splits it into brackets, with a separate method for each rule of the chapter."""

    def work(self) -> Steps:
        """Read the tables and deliver the tax in each bracket."""
        yield from self.find_client()
        estate = yield from self.table("estate.csv")
        rows = yield from self.table("bands.csv")
        death = parse_date(self.of_kind(estate, "decedent")[0]["date"])
        year = self.year(death)
        taxable = max(0, self.net(estate, death) - self.threshold(rows, year))
        parts = self.parts(self.bands(rows, year), taxable)
        yield from self.deliver(self.rules["output"], self.rules["columns"], self.written(parts))

    def of_kind(self, rows: list[Row], kind: str) -> list[Row]:
        """Return the rows of the kind that the rules list under a name (TT1)."""
        return [row for row in rows if row["kind"] == self.rules[kind]]

    # -- the estate ---------------------------------------------------------------------------------------------------

    def net(self, estate: list[Row], death: date) -> int:
        """Return the net estate in cents (TT2 to TT6)."""
        assets = sum(map(self.value, self.of_kind(estate, "asset")))
        debts = sum(amount(row) for row in self.of_kind(estate, "debt") if self.comes_off(row, death))
        funeral = self.funeral(sum(map(amount, self.of_kind(estate, "funeral"))))
        bequests = sum(amount(row) for row in self.of_kind(estate, "bequest") if self.is_exempt_bequest(row))
        gifts = sum(amount(row) for row in self.of_kind(estate, "gift") if self.is_added(row, death))
        return assets - debts - funeral - bequests + gifts

    def value(self, row: Row) -> int:
        """Return an asset's value on the date of death in cents (TT2)."""
        return amount(row)

    def comes_off(self, row: Row, death: date) -> bool:
        """Return True if a debt is deducted (TT3)."""
        return parse_date(row["date"]) <= death

    def funeral(self, costs: int) -> int:
        """Return the deductible funeral costs in cents, up to the cap (TT4)."""
        return min(costs, int(self.rules["funeral_cap"]) * 100)

    def is_exempt_bequest(self, row: Row) -> bool:
        """Return True if a bequest is deducted (TT5)."""
        return self.is_exempt(row)

    def is_exempt(self, row: Row) -> bool:
        """Return True if the recipient is exempt (TT5)."""
        return row["relation"] in self.rules["exempt"]

    def is_added(self, row: Row, death: date) -> bool:
        """Return True if a gift is added to the estate (TT6)."""
        return self.is_recent(parse_date(row["date"]), death) and not self.is_exempt_gift(row)

    def is_recent(self, day: date, death: date) -> bool:
        """Return True if a gift was made within the last years.

        Comparing parts of the date handles 29 February (TT6).
        """
        first = (death.year - int(self.rules["years"]), death.month, death.day)
        return (day.year, day.month, day.day) >= first

    def is_exempt_gift(self, row: Row) -> bool:
        """Return True if a gift went to an exempt recipient (TT6)."""
        return self.is_exempt(row)

    # -- the bands ----------------------------------------------------------------------------------------------------

    def year(self, death: date) -> int:
        """Return the year whose threshold and brackets apply (TT7)."""
        return death.year

    def threshold(self, rows: list[Row], year: int) -> int:
        """Return the tax-free amount in cents (TT8)."""
        (found,) = [row for row in rows if row["band"] == self.rules["threshold"]]
        return parse_money(found[f"to_{year}"])

    def bands(self, rows: list[Row], year: int) -> list[Band]:
        """Return the brackets in order (TT9)."""
        found = []
        for row in rows:
            if row["band"] != self.rules["threshold"]:
                end = row[f"to_{year}"]
                limits = parse_money(row[f"from_{year}"]), parse_money(end) if end else None
                found.append(Band(row["band"], *limits, parse_percent(row[f"rate_{year}"])))
        return sorted(found, key=lambda band: band.begin)

    def parts(self, bands: list[Band], taxable: int) -> list[Part]:
        """Return the amount and tax in each bracket (TT9 and TT10)."""
        found = []
        for band in bands:
            share = self.in_band(band, taxable)
            found.append(Part(band.name, share, band.rate, self.tax(share, band.rate)))
        return found

    def in_band(self, band: Band, taxable: int) -> int:
        """Return the part of the taxable estate in a bracket, in cents (TT9)."""
        if taxable <= band.begin:
            return 0
        return taxable - band.begin if band.end is None or taxable < band.end else band.end - band.begin

    def tax(self, share: int, rate: Decimal) -> int:
        """Return the tax in a bracket, in cents (TT10)."""
        return int((share * rate / 100).quantize(Decimal(1), ROUND_HALF_UP))

    # -- the result ---------------------------------------------------------------------------------------------------

    def written(self, parts: list[Part]) -> list[Sequence[str]]:
        """Return the rows to deliver (TT10 and TT11)."""
        rows = [(one.name, money_text(one.amount), f"{one.rate:.2f}", money_text(one.tax)) for one in self.shown(parts)]
        share, tax = sum(one.amount for one in parts), sum(one.tax for one in parts)
        total = (self.rules["total"], money_text(share), f"{self.whole_rate(parts, share, tax):.2f}", money_text(tax))
        return [*rows, total]

    def shown(self, parts: list[Part]) -> list[Part]:
        """Return the brackets that get a row (TT9)."""
        return parts

    def whole_rate(self, parts: list[Part], share: int, tax: int) -> Decimal:
        """Return the tax as a percentage of the taxable estate (TT11)."""
        if not share:
            return Decimal(0)
        return (Decimal(tax) * 100 / share).quantize(Decimal("0.01"), ROUND_HALF_UP)


def amount(row: Row) -> int:
    """Return the amount in a row, in cents."""
    return parse_money(row["amount"])
