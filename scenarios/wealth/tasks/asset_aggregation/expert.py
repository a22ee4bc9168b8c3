"""Expert for aggregating a client's accounts.

Codes such as AA2 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Final, NamedTuple

from teller_gym.office.documents.amounts import money_text, parse_money, parse_percent
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.wealth.worker import Row, Worker

_CELLS: Final = re.compile(r"\s{2,}")
_LINKED: Final = "Linked accounts held elsewhere"


class Holding(NamedTuple):
    """An account on a statement, with its value in cents."""

    number: str
    institution: str
    kind: str
    value: int


class Expert(Worker):
    """Reads the statements and counts each account once, with a separate method for each rule of the chapter."""

    def work(self) -> Steps:
        """Read the statements and deliver the accounts."""
        yield from self.find_client()
        bank = yield from self.text("bank_statement.pdf")
        first = yield from self.table("brokerage.csv")
        second = yield from self.table("brokerage_2.csv")
        pension = yield from self.text("pension_statement.pdf")
        elsewhere = [*self.brokerage(self.counting([*first, *second])), *self.pensions(pension)]
        found = [*self.own(bank), *self.once(elsewhere, self.linked(bank))]
        rows = [(one.number, one.institution, one.kind, money_text(one.value)) for one in found]
        rows.append((self.rules["total"], "", "", money_text(sum(one.value for one in found))))
        yield from self.deliver(self.rules["output"], self.rules["columns"], rows)

    # -- custodian ----------------------------------------------------------------------------------------------------

    def counting(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows that count, which are those of the later statement (AA2)."""
        latest = max(row["statement_date"] for row in rows)
        return [row for row in rows if row["statement_date"] == latest]

    def brokerage(self, rows: Sequence[Row]) -> list[Holding]:
        """Return the brokerage accounts (AA3)."""
        accounts: dict[str, list[Row]] = {}
        for row in rows:
            accounts.setdefault(row["account_number"], []).append(row)
        return [
            Holding(
                number,
                account[0]["custodian"],
                self.kind(account[0]["account_type"], self.rules["brokerage"]),
                self.positions(account) + self.cash(account),
            )
            for number, account in accounts.items()
        ]

    def positions(self, rows: Sequence[Row]) -> int:
        """Return the value of an account's positions in cents (AA3)."""
        return sum(in_cents(self.worth(row)) for row in rows if row["quantity"])

    def worth(self, row: Row) -> Decimal:
        """Return the unrounded value of a position in cents (AA3)."""
        return Decimal(row["quantity"]) * Decimal(row["price"]) * 100

    def cash(self, rows: Sequence[Row]) -> int:
        """Return an account's cash in cents (AA3)."""
        return sum(parse_money(row["cash_balance"]) for row in rows if row["cash_balance"])

    # -- bank ---------------------------------------------------------------------------------------------------------

    def own(self, text: str) -> list[Holding]:
        """Return the client's accounts at the bank itself (AA4)."""
        bank = _value(text, "Bank")
        return [
            Holding(number, bank, self.kind(product, self.rules["bank"]), self.dollars(text, balance, currency))
            for number, product, status, currency, balance in _rows(text.partition(_LINKED)[0], 5)
            if self.is_open(status)
        ]

    def is_open(self, status: str) -> bool:
        """Return True if an account is not closed (AA4)."""
        return status != str(self.rules["closed"])

    def dollars(self, text: str, balance: str, currency: str) -> int:
        """Convert a balance to US cents (AA4)."""
        amount = parse_money(balance)
        return amount if currency == "USD" else in_cents(amount * self.rate(text))

    def rate(self, text: str) -> Decimal:
        """Return the closing exchange rate (AA4)."""
        return rate_of(text, "Closing rate")

    def linked(self, text: str) -> list[Holding]:
        """Return the accounts at other institutions that the bank lists (AA5)."""
        bank = _value(text, "Bank")
        return [
            Holding(number, self.institution(bank, named), self.kind(product, self.rules["bank"]), parse_money(balance))
            for number, product, named, balance in _rows(text.partition(_LINKED)[2], 4)
        ]

    def institution(self, bank: str, named: str) -> str:
        """Return the institution that holds a linked account (AA9)."""
        return named

    def once(self, elsewhere: Sequence[Holding], linked: Sequence[Holding]) -> list[Holding]:
        """Return all accounts with their own statement, and the linked accounts without one (AA5)."""
        there = {self.same(one.number) for one in elsewhere}
        return [*elsewhere, *(one for one in linked if self.same(one.number) not in there)]

    def same(self, number: str) -> str:
        """Return an account number without spaces, hyphens and case (AA6)."""
        return re.sub(r"[^a-z0-9]", "", number.lower())

    # -- pension provider ---------------------------------------------------------------------------------------------

    def pensions(self, text: str) -> list[Holding]:
        """Return the accounts on the pension statement (AA7)."""
        provider = _value(text, "Provider")
        return [
            Holding(
                number,
                provider,
                self.rules["retirement"],
                self.vested(parse_money(own), parse_money(employer), parse_percent(percent)),
            )
            for number, _, own, employer, percent in _rows(text, 5)
        ]

    def vested(self, own: int, employer: int, percent: Decimal) -> int:
        """Return the vested value of a pension account in cents (AA7)."""
        return own + in_cents(employer * percent / 100)

    def kind(self, words: str, other: str) -> str:
        """Return an account's type (AA8)."""
        kind: str = self.rules["retirement"] if self.rules["ira"] in words.split() else other
        return kind


def in_cents(value: Decimal) -> int:
    """Round a fractional number of cents half up."""
    return int(value.quantize(Decimal(1), ROUND_HALF_UP))


def _rows(text: str, width: int) -> list[list[str]]:
    """Return the lines with ``width`` cells that begin with an account number."""
    rows = (_CELLS.split(line.strip()) for line in text.splitlines())
    return [row for row in rows if len(row) == width and re.search(r"\d", row[0])]


def _value(text: str, name: str) -> str:
    """Return the text after a name and a colon."""
    found = re.search(rf"^\s*{name}:\s+(.+?)\s*$", text, re.MULTILINE)
    if found is None:
        raise LookupError(f"the statement has no line {name}")
    return found[1]


def rate_of(text: str, name: str) -> Decimal:
    """Return the rate in dollars per euro after a label."""
    return Decimal(_value(text, name).split()[3])
