"""Tools that read an account's record and activity."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from teller_gym.base.money import usd
from teller_gym.scenarios.banking.amounts import in_dollars
from teller_gym.scenarios.banking.ids import AccountId
from teller_gym.scenarios.banking.lookup import day, optional_day
from teller_gym.scenarios.banking.ranges import check_order
from teller_gym.scenarios.savings.tools.lookup import deposit, savings_request
from teller_gym.scenarios.savings.tools.types import Ownership, Product, RequestId
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Money, Percent, Result, tool


class DepositRecord(Result):
    """Record of a savings account or time deposit; fields that do not apply to the product are null.

    ``owners`` have customer_id, role (owner, beneficiary or custodian), date_of_birth, died_on, incapacitated_on;
    ``restrictions`` kind, placed_on, lifted_on. ``principal`` includes interest credited up to ``interest_paid_to``.
    """

    account_id: AccountId
    product: Product
    ownership: Ownership
    owners: list[dict[str, Any]]
    opened_on: date
    principal: Money
    annual_rate: Percent
    interest_paid_to: date
    term_started_on: date | None
    term_months: int | None
    maturity_date: date | None
    interest_handling: Literal["capitalise", "paid_out"]
    bonus_plan: Literal["classic", "premier"] | None
    custodial_state: str | None
    restrictions: list[dict[str, Any]]
    remark: str | None


@tool()
def get_deposit_record(bank: Bank, request_id: RequestId, account_id: AccountId) -> DepositRecord:
    """Read a savings account or time deposit: ownership, terms, restrictions. It shows no movements and no interest
    that has accrued since it was last credited.

    Args:
        request_id: The request for which it is read.
        account_id: The account.
    """
    savings_request(bank, request_id)
    item = deposit(bank, account_id)
    return DepositRecord(
        account_id=account_id,
        product=item["product"],
        ownership=item["ownership"],
        owners=item["owners"],
        opened_on=day(item["opened"]),
        principal=usd(item["balance"]),
        annual_rate=item["annual_rate"] / 100,
        interest_paid_to=day(item["interest_paid_to"]),
        term_started_on=optional_day(item["term_started_on"]),
        term_months=item["term_months"],
        maturity_date=optional_day(item["maturity_date"]),
        interest_handling=item["interest_handling"],
        bonus_plan=item["bonus_plan"],
        custodial_state=item["custodial_state"],
        restrictions=item["restrictions"],
        remark=item["remark"],
    )


class AccountActivity(Result):
    """Activity of an account. ``months`` have month, days, average_balance, lowest_balance (whole calendar months
    within the period); ``movements`` movement_id, kind, amount, ordered_on, posted_on, reversed_on, memo.
    """

    posted_from: date
    posted_to: date
    opening_balance: Money
    months: list[dict[str, Any]]
    movements: list[dict[str, Any]]


@tool()
def get_account_activity(
    bank: Bank, request_id: RequestId, account_id: AccountId, posted_from: date, posted_to: date
) -> AccountActivity:
    """Read the movements of an account that were posted in a period, its balances month by month, and the balance with
    which the period opens.

    Args:
        request_id: The request for which it is read.
        account_id: The account.
        posted_from: First day of the period.
        posted_to: Last day of the period.
    """
    savings_request(bank, request_id)
    item = deposit(bank, account_id)
    check_order(posted_from, posted_to, "posted_from", "posted_to")
    first, last = posted_from.isoformat(), posted_to.isoformat()
    return AccountActivity(
        posted_from=posted_from,
        posted_to=posted_to,
        opening_balance=usd(_opening(item, first)),
        months=[
            in_dollars(row, "average_balance", "lowest_balance")
            for row in item["months"]
            if first <= f"{row['month']}-01" and f"{row['month']}-{row['days']:02d}" <= last
        ],
        movements=[in_dollars(row, "amount") for row in item["movements"] if first <= row["posted_on"] <= last],
    )


def _opening(item: Record, first: str) -> int:
    """Return the opening balance of a day: the current balance without later movements."""
    opening: int = item["balance"]
    for row in item["movements"]:
        if row["posted_on"] >= first:
            opening -= signed(row)
        if row["reversed_on"] is not None and row["reversed_on"] >= first:
            opening += signed(row)
    return opening


_DEBITS = ("cash_withdrawal", "transfer_out", "ach_debit", "own_transfer_out", "service_fee")


def signed(row: Record) -> int:
    """Return the change that a movement makes to the balance, in cents."""
    amount: int = row["amount"]
    return -amount if row["kind"] in _DEBITS else amount
