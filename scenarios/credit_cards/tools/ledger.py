"""Lines of a card account as they are kept: one text each, fields divided by bars, so that the tables stay small."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from teller_gym.scenarios.banking.lookup import day
from teller_gym.tools.bank import Record

DEBITS = ("purchase", "cash_advance", "interest", "late_fee")
"""Types of line that raise the balance; the others lower it."""


class Line(NamedTuple):
    """A posted line; ``amount`` and ``balance`` (of the account after it) are cents, the amount without a sign.

    ``mark`` says what is special: ``disputed``, or ``promo:`` and the last day without interest; empty if nothing is.
    """

    line_id: str
    posted: date
    made: date
    type: str
    merchant: str
    state: str
    miles: int | None
    amount: int
    balance: int
    card: str
    entry: str
    mark: str


def lines_of(account: Record) -> list[Line]:
    """Return the lines of an account in the order in which they were posted."""
    return [_read(text) for text in account["lines"]]


def _read(text: str) -> Line:
    key, posted, made, kind, merchant, state, miles, amount, balance, card, entry, mark = text.split("|")
    return Line(
        key, day(posted), day(made), kind, merchant, state, int(miles) if miles else None, int(amount), int(balance),
        card, entry, mark,
    )  # fmt: skip


def written(line: Line) -> str:
    """Return a line as it is kept."""
    return "|".join(
        "" if value is None else value.isoformat() if isinstance(value, date) else str(value) for value in line
    )
