"""Lines of a card account in their compact stored form: one string for each line, with fields separated by bars."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import msgspec

from teller_gym.tools.bank import Record

DEBITS = ("purchase", "cash_advance", "interest", "late_fee")
"""Types of lines that raise the balance; all others lower it."""


class Line(msgspec.Struct, frozen=True, gc=False):
    """A posted line. ``amount`` (unsigned) and ``balance`` (of the account after it) are cents.

    ``posted`` and ``made`` are ISO dates, which sort chronologically as text. ``mark`` is ``disputed``, ``promo:`` with
    the last day without interest, or empty.
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
    """Return the lines of an account with the given IDs, by ID."""
    return {line.line_id: line for line in lines_of(account) if line.line_id in line_ids}


@lru_cache(maxsize=256)
def lines_kept_as(kept: tuple[str, ...]) -> tuple[Line, ...]:
    """Parse stored lines; cached, because the calls of an episode and the episodes of a group read the same ones."""
    return tuple(map(_read, kept))


def _read(text: str) -> Line:
    key, posted, made, kind, merchant, state, miles, amount, balance, card, entry, mark = text.split("|")
    return Line(
        key, posted, made, kind, merchant, state, int(miles) if miles else None, int(amount), int(balance),
        card, entry, mark,
    )  # fmt: skip
