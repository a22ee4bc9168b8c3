"""Expert for pension projections.

Codes such as PP2 refer to the rules in the handbook chapter, H6 to the house rules.
"""

from __future__ import annotations

import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Final, NamedTuple

from teller_gym.office.documents.amounts import money_text, parse_money, parse_percent
from teller_gym.office.documents.dates import parse_date
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.wealth.worker import Row, Worker

_EDITION: Final = re.compile(r"^Edition in force from (?P<since>.+)$", re.MULTILINE)
_CASE: Final = r"^{name} case: growth (?P<growth>[\d.]+)% a year, contributions rise by (?P<rise>[\d.]+)% a year"
_FEE: Final = re.compile(r"^Fee: ([\d.]+)%", re.MULTILINE)
_TIMING: Final = re.compile(r"^Contributions are paid (.+)\.$", re.MULTILINE)


class Assumptions(NamedTuple):
    """Assumptions from the text, with rates in percent."""

    growth: Decimal
    rise: Decimal
    fee: Decimal
    timing: str


class Expert(Worker):
    """Projects the initial balance year by year, with a separate method for each rule of the chapter."""

    def work(self) -> Steps:
        """Read the sources and deliver the projected years."""
        yield from self.find_client()
        rows = self.latest((yield from self.table("pension.csv")))
        assumed = self.assumptions((yield from self.text("assumptions.txt")))
        rows = [row for row in rows if self.counts(row)]
        opening = sum(parse_money(row["balance"]) for row in rows)
        paid = self.first_contributions(sum(self.paid(row) for row in rows if self.is_paid_into(row)), assumed)
        found = []
        for number in range(1, self.years() + 1):
            growth = self.percent(assumed.growth, self.growing(opening, paid, assumed))
            fee = self.percent(assumed.fee, self.charged(opening, paid, growth))
            closing = opening + paid + growth - fee
            found.append((str(number), *map(money_text, (opening, paid, growth, fee, closing))))
            opening, paid = closing, self.raised(paid, assumed)
        yield from self.deliver(self.rules["output"], self.rules["columns"], found)

    def years(self) -> int:
        """Return the number of whole years from today until retirement (PP2)."""
        retires, today, count = self.retirement(), self.today, 0
        while date(today.year + count + 1, today.month, today.day) <= retires:
            count += 1
        return count

    def retirement(self) -> date:
        """Return the date of retirement (PP2)."""
        born = date.fromisoformat(self.contact["cDateOfBirth"])
        year = born.year + int(self.contact["cRetirementAge"])
        leaps = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        return date(year, 3, 1) if (born.month, born.day) == (2, 29) and not leaps else born.replace(year=year)

    def latest(self, rows: list[Row]) -> list[Row]:
        """Return the latest row of each plan (PP3)."""
        found: dict[str, Row] = {}
        for row in rows:
            if row["plan"] not in found or row["valuation_date"] > found[row["plan"]]["valuation_date"]:
                found[row["plan"]] = row
        return list(found.values())

    def counts(self, row: Row) -> bool:
        """Return True if a plan counts.

        Transferred plans do not (PP4).
        """
        return row["status"].casefold() != str(self.rules["transferred"]).casefold()

    def is_paid_into(self, row: Row) -> bool:
        """Return True if a plan still receives contributions (PP4)."""
        return row["status"].casefold() == str(self.rules["active"]).casefold()

    def paid(self, row: Row) -> int:
        """Return the yearly contributions to a plan in cents (PP5 and PP6)."""
        own = parse_money(row["employee_contribution"]) * self.times(row["frequency"])
        return own + self.matched(row, own)

    def times(self, frequency: str) -> int:
        """Return the number of payments per year (PP5)."""
        for word in ("monthly", "biweekly", "quarterly", "annual"):
            if frequency.casefold() == str(self.rules[word]).casefold():
                return int(self.rules[f"{word}_times"])
        raise LookupError(f"the chapter does not know the frequency {frequency}")

    def matched(self, row: Row, own: int) -> int:
        """Return the employer's yearly contribution in cents (PP6)."""
        if not row["match"]:
            return 0
        full = self.percent(parse_percent(row["match"]), Decimal(own))
        return min(full, self.cap(row, full))

    def cap(self, row: Row, full: int) -> int:
        """Return the maximum employer contribution in cents: the cap or, without a cap, the full match (PP6)."""
        return parse_money(row["match_cap"]) if row["match_cap"] else full

    def first_contributions(self, paid: int, assumed: Assumptions) -> int:
        """Return the contributions of the first year in cents (PP7)."""
        return paid

    def raised(self, paid: int, assumed: Assumptions) -> int:
        """Return the contributions of the next year in cents (PP7)."""
        return paid + self.percent(assumed.rise, Decimal(paid))

    def assumptions(self, text: str) -> Assumptions:
        """Return the assumptions for the client's profile (PP8 and PP9)."""
        starts = [*_EDITION.finditer(text)]
        ends = [*(one.start() for one in starts[1:]), len(text)]
        editions = {
            parse_date(start["since"]): text[start.start() : end] for start, end in zip(starts, ends, strict=True)
        }
        edition = editions[self.in_force(list(editions))]
        case = re.search(_CASE.format(name=self.case_name()), edition, re.MULTILINE)
        fee, timing = _FEE.search(edition), _TIMING.search(edition)
        if not (case and fee and timing):
            raise LookupError("the edition of the assumptions is not complete")
        return Assumptions(Decimal(case["growth"]), Decimal(case["rise"]), Decimal(fee[1]), timing[1])

    def in_force(self, days: list[date]) -> date:
        """Return the start date of the edition in force (PP8)."""
        return max(day for day in days if day <= self.today)

    def case_name(self) -> str:
        """Return the name of the scenario for the client's risk profile (PP9)."""
        cases = {"cautious": "low", "balanced": "middle", "adventurous": "high"}
        return str(self.rules[cases[self.contact["cRiskProfile"].casefold()]])

    def growing(self, opening: int, paid: int, assumed: Assumptions) -> Decimal:
        """Return the amount in cents that grows in a year (PP10)."""
        return opening + paid * self.growing_share(assumed) / 100

    def growing_share(self, assumed: Assumptions) -> Decimal:
        """Return the share of a year's contributions that grows in that year, in percent (PP10)."""
        for word in ("beginning", "over", "quarters", "end"):
            if assumed.timing == self.rules[word]:
                return Decimal(str(self.rules[f"{word}_share"]))
        raise LookupError(f"the chapter does not know contributions {assumed.timing}")

    def charged(self, opening: int, paid: int, growth: int) -> Decimal:
        """Return the amount in cents on which the fee is charged (PP11)."""
        return Decimal(opening + paid + growth)

    def percent(self, rate: Decimal, cents: Decimal) -> int:
        """Return a percentage of an amount in cents, rounded half up (house rule H6)."""
        return int((rate * cents / 100).quantize(Decimal(1), ROUND_HALF_UP))
