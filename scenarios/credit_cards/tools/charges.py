"""Working a statement's interest and late fee out anew."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from typing import Annotated

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, round_half_up, to_cents, usd
from teller_gym.scenarios.banking.lookup import day
from teller_gym.scenarios.credit_cards.tools.ledger import Line, lines_of
from teller_gym.scenarios.credit_cards.tools.lookup import account_of
from teller_gym.scenarios.credit_cards.tools.types import Basis, CardAccountId, LineId, RequestId
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import ONCE, Act, Money, Percent, Result, tool

_YEAR = 36_500
"""Days of a year, times the hundred of a percent."""


class FinanceCharge(Result):
    """What a statement should have charged; ``charges_due`` is interest and late fee together."""

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
    bought = {line.line_id for line in lines if line.type == "purchase" and line.posted <= statement_date}
    for line_id in excluded_line_ids:
        if line_id not in bought:
            raise invalid("excluded_line_ids", f"{line_id} is no purchase posted by {statement_date}")
    days = _days(row)
    daily = [_balance(row, lines, frozenset(excluded_line_ids), interest_basis, each) for each in days]
    cash = sum(
        (Fraction(line.amount * ((days[-1] - line.posted).days + 1)) for line in lines
         if line.type == "cash_advance" and days[0] <= line.posted <= days[-1]),
        Fraction(0),
    )  # fmt: skip
    interest = round_half_up(sum(daily) * exact(purchase_rate) / _YEAR) + round_half_up(cash * exact(cash_rate) / _YEAR)
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
        average_daily_balance=usd(round_half_up(Fraction(sum(daily), len(days)))),
        interest_due=usd(interest),
        charges_due=usd(interest + to_cents(late_fee)),
    )


def _days(row: Record) -> list[date]:
    first, last = day(row["first_day"]), day(row["closing_date"])
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def _balance(row: Record, lines: list[Line], excluded: frozenset[str], basis: str, on: date) -> int:
    """The balance of a day that bears the purchase rate; never less than 0."""
    if basis == "none":
        return 0
    first = day(row["first_day"])
    balance: int = row["opening_balance"]
    for line in lines:
        if line.posted > on:
            break
        if line.line_id in excluded and (line.posted < first or basis == "full"):
            balance -= line.amount
        if line.posted >= first:
            if line.type == "purchase" and basis == "full":
                balance += line.amount
            elif line.type in ("payment", "credit"):
                balance -= line.amount
    return max(0, balance)
