"""Expert for tax summaries.

Codes such as TX2 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from teller_gym.office.documents.amounts import money_text, parse_money
from teller_gym.office.documents.dates import parse_date
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.wealth.worker import Row, Worker

_PAIR: Final = re.compile(r"^\s*([A-Z][\w -]+):\s+(.+?)\s*$", re.MULTILINE)
_YEAR: Final = re.compile(r"^Tax year: (\d{4})", re.MULTILINE)
_SALES: Final = re.compile(
    r"^Securities sold in (?P<year>\d{4}), (?P<term>[\w-]+): (?P<what>gain|loss) of (?P<amount>[\d,.]+\d)", re.MULTILINE
)
_CARRIED: Final = re.compile(r"^Capital loss carried forward from \d{4}: ([\d,.]+\d)", re.MULTILINE)


class Expert(Worker):
    """Separates taxable from other income, with a separate method for each rule of the chapter."""

    year = 0

    def work(self) -> Steps:
        """Read the documents and deliver the components."""
        yield from self.find_client()
        notes = yield from self.text("tax_notes.txt")
        self.year = int(found(_YEAR, notes))
        pages = (yield from self.text("employment_income.pdf")).split("\f")
        interest = yield from self.table("interest.csv")
        dividends = yield from self.table("dividends.csv")
        wages = self.wages([dict(_PAIR.findall(page)) for page in pages])
        taxable = self.interest(interest)
        ordinary, qualified = self.ordinary(dividends), self.qualified(dividends)
        result = self.sales(notes) + self.distributed(dividends) - self.carried(notes)
        capital = self.limited(result)
        total = wages + taxable + self.added(ordinary, qualified) + capital + self.besides(notes)
        amounts = (wages, taxable, self.shown(ordinary, qualified), qualified, capital, self.left(result), total)
        rows = list(zip(self.rules["items"], map(money_text, amounts), strict=True))
        yield from self.deliver(self.rules["output"], self.rules["columns"], rows)

    def is_of_year(self, day: str) -> bool:
        """Return True if a day is in the tax year (TX2)."""
        return parse_date(day).year == self.year

    # -- wages --------------------------------------------------------------------------------------------------------

    def wages(self, statements: Sequence[Row]) -> int:
        """Return the taxable wages in cents (TX3 and TX4)."""
        return sum(map(self.taxable, self.latest([one for one in statements if self.counts(one)])))

    def counts(self, statement: Row) -> bool:
        """Return True if a statement is for the tax year (TX3)."""
        return int(statement["Tax Year"]) == self.year

    def latest(self, statements: Sequence[Row]) -> list[Row]:
        """Return the statements without those that were replaced by a correction (TX3)."""
        replaced = {self.of(one) for one in statements if self.is_corrected(one)}
        return [one for one in statements if self.is_corrected(one) or self.of(one) not in replaced]

    def of(self, statement: Row) -> tuple[str, str]:
        """Return the employer and year that a statement shares with its correction (TX3)."""
        return statement["Employer ID"], statement["Tax Year"]

    def is_corrected(self, statement: Row) -> bool:
        """Return True if a statement is a correction (TX3)."""
        return statement["Statement"] == str(self.rules["corrected"])

    def taxable(self, statement: Row) -> int:
        """Return the taxable wages on a statement in cents (TX4)."""
        return parse_money(statement["Gross Pay"]) - parse_money(statement["Pre-Tax Retirement Contributions"])

    # -- interest and dividends ---------------------------------------------------------------------------------------

    def interest(self, rows: Sequence[Row]) -> int:
        """Return the taxable interest in cents (TX5)."""
        return sum(parse_money(row["amount"]) for row in rows if self.is_credited(row) and not self.is_exempt(row))

    def is_credited(self, row: Row) -> bool:
        """Return True if interest was credited in the tax year (TX5)."""
        return self.is_of_year(row["date_credited"])

    def is_exempt(self, row: Row) -> bool:
        """Return True if interest is tax-exempt (TX5)."""
        return row["kind"] == str(self.rules["municipal"])

    def is_paid(self, row: Row) -> bool:
        """Return True if a fund's payment was made in the tax year (TX6)."""
        return self.is_of_year(row["date_paid"])

    def is_dividend(self, row: Row) -> bool:
        """Return True if a payment is an ordinary dividend (TX6)."""
        return row["kind"] == str(self.rules["ordinary"])

    def ordinary(self, rows: Sequence[Row]) -> int:
        """Return the ordinary dividends in cents (TX6)."""
        return sum(parse_money(row["amount"]) for row in rows if self.is_paid(row) and self.is_dividend(row))

    def qualified(self, rows: Sequence[Row]) -> int:
        """Return the qualified part of the dividends in cents (TX7)."""
        counting = [row for row in rows if self.is_paid(row) and self.is_dividend(row)]
        return sum(parse_money(row["qualified_part"]) for row in counting if row["qualified_part"])

    def shown(self, ordinary: int, qualified: int) -> int:
        """Return the amount to deliver as ordinary dividends, in cents (TX7)."""
        return ordinary

    def added(self, ordinary: int, qualified: int) -> int:
        """Return the dividends to include in the total, in cents (TX7 and TX11)."""
        return ordinary

    # -- capital ------------------------------------------------------------------------------------------------------

    def sales(self, notes: str) -> int:
        """Return the net result of the sales in the notes, in cents (TX8)."""
        return sum(self.signed(one) for one in _SALES.finditer(notes) if self.is_sold(one))

    def is_sold(self, sales: re.Match[str]) -> bool:
        """Return True if a result belongs to the tax year (TX8)."""
        return int(sales["year"]) == self.year

    def signed(self, sales: re.Match[str]) -> int:
        """Return a gain in cents, or a loss as a negative amount (TX8)."""
        return parse_money(sales["amount"]) * (-1 if sales["what"] == "loss" else 1)

    def distributed(self, rows: Sequence[Row]) -> int:
        """Return the capital gains distributed by funds, in cents (TX8)."""
        kind = self.rules["gain_distribution"]
        return sum(parse_money(row["amount"]) for row in rows if row["kind"] == kind and self.is_paid(row))

    def carried(self, notes: str) -> int:
        """Return the loss carried forward from the previous year, in cents (TX8)."""
        return parse_money(found(_CARRIED, notes))

    def limited(self, result: int) -> int:
        """Return the capital result in cents, with a loss limited (TX9)."""
        return max(result, -parse_money(self.rules["loss_limit"]))

    def left(self, result: int) -> int:
        """Return the part of a loss to carry forward to the next year, in cents (TX9)."""
        return self.limited(result) - result

    def besides(self, notes: str) -> int:
        """Return other income from the notes, which is always zero (TX10)."""
        return 0


def found(pattern: re.Pattern[str], text: str) -> str:
    """Return a pattern's first group in a text, which must match."""
    match = pattern.search(text)
    if match is None:
        raise LookupError(f"nothing in the text is like {pattern.pattern}")
    return match[1]
