"""Expert for net worth snapshots.

Codes such as NW2 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from teller_gym.office.documents.amounts import money_text, parse_money, parse_percent
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.wealth.worker import Row, Worker

_LOAN: Final = re.compile(r"Private loan from [^:]+: (?:(?P<amount>[\d,.]+\d) outstanding|repaid in full)")


class Expert(Worker):
    """Adds up assets and liabilities, with a separate method for each rule of the chapter."""

    def work(self) -> Steps:
        """Read the sources and deliver the totals."""
        yield from self.find_client()
        assets = sum(map(self.counted, self.latest((yield from self.table("assets.csv")))))
        debts = sum(self.owed(row) for row in (yield from self.table("liabilities.csv")) if self.is_open(row))
        debts += self.private_loan((yield from self.stream()))
        rows = list(zip(self.rules["items"], map(money_text, (assets, debts, assets - debts)), strict=True))
        yield from self.deliver(self.rules["output"], self.rules["columns"], rows)

    def latest(self, rows: list[Row]) -> list[Row]:
        """Return the latest row of each asset (NW3)."""
        found: dict[str, Row] = {}
        for row in rows:
            if row["asset"] not in found or row["as_of"] > found[row["asset"]]["as_of"]:
                found[row["asset"]] = row
        return list(found.values())

    def counted(self, row: Row) -> int:
        """Return the counted part of an asset's value in cents (NW2 and NW4)."""
        if self.is_in_trust(row):
            return 0
        value = parse_money(row["market_value"]) * self.share(row) / 100
        return int(value.quantize(Decimal(1), ROUND_HALF_UP))

    def share(self, row: Row) -> Decimal:
        """Return the client's share of an asset in percent (NW2)."""
        return parse_percent(row["share"])

    def is_in_trust(self, row: Row) -> bool:
        """Return True if an asset is held in trust (NW4)."""
        return row["ownership"].casefold() == str(self.rules["in_trust"]).casefold()

    def owed(self, row: Row) -> int:
        """Return the outstanding balance of a liability in cents (NW5)."""
        return parse_money(row["outstanding_balance"])

    def is_open(self, row: Row) -> bool:
        """Return True if a liability is not settled (NW5)."""
        return row["status"].casefold() != str(self.rules["settled"]).casefold()

    def private_loan(self, notes: list[Seen]) -> int:
        """Return the outstanding amount of the private loan in cents.

        ``notes`` are sorted newest first (NW6).
        """
        found = [one for note in notes if (one := _LOAN.search(note["post"]))]
        chosen = self.chosen(found)
        return parse_money(chosen["amount"]) if chosen and chosen["amount"] else 0

    def chosen(self, found: list[re.Match[str]]) -> re.Match[str] | None:
        """Return the post about the loan that counts, or None if there is none (NW6)."""
        return found[0] if found else None
