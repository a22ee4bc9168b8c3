"""Searches: requests of a customer, movements on an account."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta

from teller_gym.base.money import to_cents, usd
from teller_gym.scenarios.banking.ids import AccountId, Limit
from teller_gym.scenarios.banking.lookup import day
from teller_gym.scenarios.banking.parties import parties
from teller_gym.scenarios.banking.ranges import check_order, within
from teller_gym.scenarios.banking.tools.requests import requests_tool
from teller_gym.scenarios.savings.tools.lookup import deposit
from teller_gym.scenarios.savings.tools.types import Channel, Kind
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool

list_customer_requests = requests_tool(
    "List the savings requests that a customer has made, newest first. It shows no amounts and no documents.",
    Kind | Literal["any"],
    Channel | Literal["any"],
    lambda _, case: parties(case),
)

Movement = Annotated[str, Meta(pattern="^[a-z_]{3,40}$")]


class MovementsFound(Result):
    """``movements`` have movement_id, kind, posted_on, amount; the sum is of all that match."""

    total: int
    total_amount: Money
    movements: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def find_account_movements(
    bank: Bank,
    account_id: AccountId,
    movement_kind: Movement | None = None,
    posted_from: date | None = None,
    posted_to: date | None = None,
    min_amount: Money = 0,
    max_amount: Money | None = None,
    newest_first: bool = False,
    limit: Limit = 5,
) -> MovementsFound:
    """Search the movements of one account. It shows neither balances nor what was reversed.

    Args:
        account_id: The account.
        movement_kind: Kind of movement, such as transfer_out.
        posted_from: Posted on this day or later.
        posted_to: Posted on this day or earlier.
        min_amount: Smallest amount in dollars.
        max_amount: Largest amount in dollars.
        newest_first: Whether the newest stand first; else the oldest.
        limit: How many movements to show; total and sum count all that match.
    """
    check_order(posted_from, posted_to, "posted_from", "posted_to")
    check_order(min_amount, max_amount, "min_amount", "max_amount")
    most = None if max_amount is None else to_cents(max_amount)
    found = [
        row
        for row in deposit(bank, account_id)["movements"]
        if movement_kind in (None, row["kind"])
        and within(day(row["posted_on"]), posted_from, posted_to)
        and within(row["amount"], to_cents(min_amount), most)
    ]
    found.sort(key=lambda row: (row["posted_on"], row["movement_id"]), reverse=newest_first)
    rows = [
        {name: row[name] for name in ("movement_id", "kind", "posted_on")} | {"amount": usd(row["amount"])}
        for row in found[:limit]
    ]
    return MovementsFound(total=len(found), total_amount=usd(sum(row["amount"] for row in found)), movements=rows)
