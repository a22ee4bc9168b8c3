"""Tool that recomputes a statement's interest and late fee."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, timedelta
from typing import Annotated

from teller_gym.base.errors import invalid
from teller_gym.base.money import divide_half_up, exact, to_cents, usd
from teller_gym.scenarios.banking.lookup import day
from teller_gym.scenarios.credit_cards.tools.ledger import Line, lines_of
from teller_gym.scenarios.credit_cards.tools.lookup import account_of
from teller_gym.scenarios.credit_cards.tools.types import Basis, CardAccountId, LineId, RequestId
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import ONCE, Act, Money, Percent, Result, tool

_YEAR = 36_500
"""Days of a year times 100, to convert a yearly percentage to a daily rate."""


class FinanceCharge(Result):
    """The correct charges of a statement; ``charges_due`` is the sum of interest and late fee."""

    average_daily_balance: Money
    interest_due: Money
    charges_due: Money


@tool(act=Act.REVISABLE)
def calculate_finance_charge(
    bank: Bank,
    request_id: RequestId,
    account_id: CardAccountId,
    statement_date: date,
    interest_basis: Basis,
    excluded_line_ids: Annotated[list[LineId], ONCE],
    purchase_rate: Percent,
    cash_rate: Percent,
    late_fee: Money,
) -> FinanceCharge:
    """Work out what a closed statement should have charged: interest on its daily balances and on cash advances, and
    the late fee.

    Args:
        request_id: The request.
        account_id: The card account.
        statement_date: Closing date of the statement.
        interest_basis: full takes the opening balance and the cycle's purchases, carried the opening balance alone,
            none neither; payments and credits lower it from the day they post, and cash advances bear interest in any
            case.
        excluded_line_ids: Purchases that bear no interest.
        purchase_rate: Yearly rate of the daily balances, in percent.
        cash_rate: Yearly rate of cash advances, in percent.
        late_fee: The late fee that is due on the statement, in dollars.
    """
    item = account_of(bank, request_id, account_id)
    closing = statement_date.isoformat()
    row = next((row for row in item["statements"] if row["closing_date"] == closing), None)
    if row is None:
        raise invalid("statement_date", f"no statement of {account_id} closed on {statement_date}")
    lines = lines_of(item)
    bought = {line.line_id for line in lines if line.type == "purchase" and line.posted <= closing}
    for line_id in excluded_line_ids:
        if line_id not in bought:
            raise invalid("excluded_line_ids", f"{line_id} is no purchase posted by {statement_date}")
    daily = _daily_balances(row, lines, excluded_line_ids, interest_basis)
    cash = sum(
        line.amount * ((statement_date - day(line.posted)).days + 1)
        for line in lines
        if line.type == "cash_advance" and row["first_day"] <= line.posted <= closing
    )
    interest = _yearly(sum(daily), purchase_rate) + _yearly(cash, cash_rate)
    key = bank.reference("FC", request_id, closing)
    bank.put(
        "finance_charges",
        key,
        {
            "owner": request_id,
            "statement": closing,
            "basis": interest_basis,
            "excluded": sorted(excluded_line_ids),
            "interest": interest,
            "late_fee": to_cents(late_fee),
        },
    )
    return FinanceCharge(
        average_daily_balance=usd(divide_half_up(sum(daily), len(daily))),
        interest_due=usd(interest),
        charges_due=usd(interest + to_cents(late_fee)),
    )


def _yearly(cents: int, rate: float) -> int:
    """Return one day's interest on an amount at a yearly rate in percent, in cents."""
    percent = exact(rate)
    return divide_half_up(cents * percent.numerator, percent.denominator * _YEAR)


def _daily_balances(row: Record, lines: Sequence[Line], excluded: Collection[str], basis: str) -> list[int]:
    """Return each day's balance that bears the purchase rate, in cents and at least 0."""
    first, last = day(row["first_day"]), day(row["closing_date"])
    days = (last - first).days + 1
    if basis == "none":
        return [0] * days
    balance: int = row["opening_balance"]
    balances, place = [], 0
    for number in range(days):
        on = (first + timedelta(days=number)).isoformat()
        while place < len(lines) and lines[place].posted <= on:
            balance += _moved(lines[place], lines[place].posted >= row["first_day"], excluded, basis)
            place += 1
        balances.append(max(0, balance))
    return balances


def _moved(line: Line, in_cycle: bool, excluded: Collection[str], basis: str) -> int:
    """Return the change in cents that a line makes to the balance at the purchase rate.

    The opening balance already includes lines posted before the cycle, so these only matter if they are excluded.
    """
    moved = 0
    if line.line_id in excluded and (not in_cycle or basis == "full"):
        moved -= line.amount
    if in_cycle:
        if line.type == "purchase" and basis == "full":
            moved += line.amount
        elif line.type in ("payment", "credit"):
            moved -= line.amount
    return moved
