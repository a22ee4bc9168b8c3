"""Lines of a card account as they are kept: one text each, fields divided by bars, so that the tables stay small."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import msgspec

from teller_gym.tools.bank import Record

DEBITS = ("purchase", "cash_advance", "interest", "late_fee")
"""Types of line that raise the balance; the others lower it."""


class Line(msgspec.Struct, frozen=True, gc=False):
    """A posted line; ``amount`` and ``balance`` (of the account after it) are cents, the amount without a sign.

    The days ``posted`` and ``made`` are text, YYYY-MM-DD, which sorts as they do.
    ``mark`` says what is special: ``disputed``, or ``promo:`` and the last day without interest; empty if nothing is.
    """

    line_id: str
    posted: str
    made: str
    type: str
    merchant: str
    state: str
    miles: int | None
    amount: int
    balance: int
    card: str
    entry: str
    mark: str


def lines_of(account: Record) -> tuple[Line, ...]:
    """Return the lines of an account in the order in which they were posted."""
    return lines_kept_as(tuple(account["lines"]))


def lines_named(account: Record, line_ids: Collection[str]) -> dict[str, Line]:
    """Return the lines of an account that have some ids, by id."""
    return {line.line_id: line for line in lines_of(account) if line.line_id in line_ids}


@lru_cache(maxsize=256)
def lines_kept_as(kept: tuple[str, ...]) -> tuple[Line, ...]:
    """Return the lines that texts stand for; the tools of an episode and the episodes of a group read the same ones."""
    return tuple(map(_read, kept))


def _read(text: str) -> Line:
    key, posted, made, kind, merchant, state, miles, amount, balance, card, entry, mark = text.split("|")
    return Line(
        key, posted, made, kind, merchant, state, int(miles) if miles else None, int(amount), int(balance),
        card, entry, mark,
    )  # fmt: skip
