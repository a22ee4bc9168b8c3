"""Realism rules for a card account: its lines, its statements, and the request's references to them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from teller_gym.procedure.task import Task
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.tools.bank import Record

_DEBITS = ("purchase", "cash_advance", "interest", "late_fee")
_MOST = 250_000
"""Maximum amount of one purchase, in cents."""
_CASH_STEP, _MOST_CASH = 2_000, 50_000
"""Cash machines dispense multiples of $20, and only small amounts on a credit card."""
_SLOWEST_POSTING = 6
_LEAST_TO_PAY = 21
"""Minimum number of days from closing to due date, by law."""


def account_complaints(task: Task, case: Record, policy: CardPolicy) -> Iterator[str]:
    """Yield a message for each way in which the case's account is unrealistic."""
    account = task.tables["card_accounts"][case["account_id"]]
    rows = [text.split("|") for text in account["lines"]]
    yield from _lines(task, rows)
    yield from _statements(account, rows)
    if account["opened"] >= account["statements"][0]["closing_date"]:
        yield "the account was opened after its first statement closed"
    known = {fields[0] for fields in rows}
    for complaint in case["complaints"]:
        if complaint["line_id"] not in known:
            yield f"{complaint['line_id']} is not a line of the account"
    if any(
        closing not in {row["closing_date"] for row in account["statements"]} for closing in case["statements_asked"]
    ):
        yield "a review names a statement that has not closed"
    if any(closing > case["received_date"] for closing in case["statements_asked"]):
        yield "a review was requested before the statement closed"


def _lines(task: Task, rows: list[list[str]]) -> Iterator[str]:
    for key, posted, made, kind, *_, cents, _balance, _card, _entry, _mark in rows:
        days = (date.fromisoformat(posted) - date.fromisoformat(made)).days
        if not 0 <= days <= _SLOWEST_POSTING:
            yield f"{key} posted {days} days after it was made"
        if date.fromisoformat(posted) > task.today:
            yield f"{key} posted in the future"
        if int(cents) <= 0:
            yield f"{key} has no amount"
        if kind == "purchase" and int(cents) > _MOST:
            yield f"{key} is a purchase of {cents} cents"
        if kind == "cash_advance" and (int(cents) % _CASH_STEP or int(cents) > _MOST_CASH):
            yield f"{key} is cash of {cents} cents"


def _statements(account: Record, rows: list[list[str]]) -> Iterator[str]:
    """Check that statements follow from each other and from the lines, to the cent."""
    before: Record | None = None
    for row in account["statements"]:
        moved = sum(
            int(fields[7]) * (1 if fields[3] in _DEBITS else -1)
            for fields in rows
            if row["first_day"] <= fields[1] <= row["closing_date"]
        )
        if row["opening_balance"] + moved != row["closing_balance"]:
            yield f"the statement of {row['closing_date']} does not add up"
        if before is not None and before["closing_balance"] != row["opening_balance"]:
            yield f"the statement of {row['closing_date']} does not begin with the previous closing balance"
        due, closing = date.fromisoformat(row["due_date"]), date.fromisoformat(row["closing_date"])
        if (due - closing).days < _LEAST_TO_PAY:
            yield f"the statement of {row['closing_date']} is due too soon"
        if row["closing_balance"] < 0:
            yield f"the statement of {row['closing_date']} has a credit balance"
        before = row
