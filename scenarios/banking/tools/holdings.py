"""The tool that lists a customer's loans, checking and savings accounts."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from teller_gym.base.money import to_cents, usd
from teller_gym.scenarios.banking.ids import CustomerId, Limit
from teller_gym.scenarios.banking.lookup import customer, day
from teller_gym.scenarios.banking.ranges import check_order, within
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Category, Money, Result, tool


class AccountsFound(Result):
    """``accounts`` have account_id, kind, product, balance, opened, status; the totals are of all that match."""

    total: int
    total_balance: Money
    accounts: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def list_customer_accounts(
    bank: Bank,
    customer_id: CustomerId,
    kind: Literal["any", "loan", "checking", "savings"] = "any",
    opened_from: date | None = None,
    opened_to: date | None = None,
    min_balance: Money = 0,
    include_closed: bool = False,
    sort_by: Literal["account_id", "opened", "balance"] = "account_id",
    limit: Limit = 5,
) -> AccountsFound:
    """List one customer's accounts with this bank: loans, checking, savings. A listing only; no exposure is worked out.

    Args:
        customer_id: The customer.
        kind: Which accounts.
        opened_from: Opened on this day or later.
        opened_to: Opened on this day or earlier.
        min_balance: Smallest balance in dollars.
        include_closed: Whether closed accounts are listed too.
        sort_by: Order; balance puts the largest first, opened the oldest.
        limit: How many accounts to show.
    """
    customer(bank, customer_id)
    check_order(opened_from, opened_to, "opened_from", "opened_to")
    found = [
        (key, item)
        for key, item in bank.rows("accounts")
        if item["customer_id"] == customer_id
        and kind in ("any", item["kind"])
        and within(day(item["opened"]), opened_from, opened_to)
        and item["balance"] >= to_cents(min_balance)
        and (include_closed or item["status"] != "closed")
    ]
    found.sort(key=lambda pair: (_rank(pair[1], sort_by), pair[0]))
    return AccountsFound(
        total=len(found),
        total_balance=usd(sum(item["balance"] for _, item in found)),
        accounts=[
            {
                "account_id": key,
                "kind": item["kind"],
                "product": item["product"],
                "balance": usd(item["balance"]),
                "opened": item["opened"],
                "status": item["status"],
            }
            for key, item in found[:limit]
        ],
    )


def _rank(item: Record, sort_by: str) -> Any:
    if sort_by == "balance":
        return -item["balance"]
    return item["opened"] if sort_by == "opened" else 0
