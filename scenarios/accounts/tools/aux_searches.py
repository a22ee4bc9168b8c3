"""Searches: requests of a customer, movements on an account, entries of watch lists."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta

from teller_gym.base.money import to_cents, usd
from teller_gym.base.text import normalise_text
from teller_gym.scenarios.accounts.tools.lookup import account, parties_of
from teller_gym.scenarios.accounts.tools.types import Channel, Kind, Reference
from teller_gym.scenarios.banking.ids import AccountId, Country, Limit
from teller_gym.scenarios.banking.lookup import day
from teller_gym.scenarios.banking.ranges import check_order, within
from teller_gym.scenarios.banking.tools.requests import requests_tool
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool

list_customer_requests = requests_tool(
    "List the service requests in which a customer takes part, newest first. It shows no items and no amounts.",
    Kind | Literal["any"],
    Channel | Literal["any"],
    lambda bank, case: [row["customer_id"] for row in parties_of(bank, case)],
)

Movement = Annotated[str, Meta(pattern="^[a-z_]{3,40}$")]


class ActivityFound(Result):
    """``movements`` have kind, posted_on, amount, reference; the sum is of all that match."""

    total: int
    total_amount: Money
    movements: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def find_account_activity(
    bank: Bank,
    account_id: AccountId,
    movement_kind: Movement | None = None,
    posted_from: date | None = None,
    posted_to: date | None = None,
    min_amount: Money = 0,
    max_amount: Money | None = None,
    reference: Reference | None = None,
    limit: Limit = 5,
) -> ActivityFound:
    """Search the movements of one account, oldest first. It shows neither statements nor who gave access, and looks at
    no other account of the owners.

    Args:
        account_id: The account.
        movement_kind: Kind of movement, such as interest.
        posted_from: Posted on this day or later.
        posted_to: Posted on this day or earlier.
        min_amount: Smallest amount in dollars.
        max_amount: Largest amount in dollars.
        reference: Check number, exactly.
        limit: How many movements to show; total and sum count all that match.
    """
    check_order(posted_from, posted_to, "posted_from", "posted_to")
    check_order(min_amount, max_amount, "min_amount", "max_amount")
    most = None if max_amount is None else to_cents(max_amount)
    found = [
        row
        for row in account(bank, account_id)["activity"]
        if movement_kind in (None, row["kind"])
        and within(day(row["posted_on"]), posted_from, posted_to)
        and within(row["amount"], to_cents(min_amount), most)
        and reference in (None, row["reference"])
    ]
    rows = [
        {"kind": r["kind"], "posted_on": r["posted_on"], "amount": usd(r["amount"]), "reference": r["reference"]}
        for r in found[:limit]
    ]
    return ActivityFound(total=len(found), total_amount=usd(sum(row["amount"] for row in found)), movements=rows)


class ListEntriesFound(Result):
    """``entries`` have name, country, year_of_birth."""

    total: int
    entries: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def look_up_watch_list(
    bank: Bank,
    name_part: Annotated[str, Meta(min_length=2, max_length=40)],
    country: Country | None = None,
    born_from: date | None = None,
    born_to: date | None = None,
    entry_list: Literal["any", "sanctions", "pep", "enforcement"] = "any",
    exact_name: bool = False,
    limit: Limit = 5,
) -> ListEntriesFound:
    """Look up entries of all watch lists by a part of the name, whatever a person's citizenship. It screens nobody and
    leaves nothing on file.

    Args:
        name_part: Part of the name.
        country: Country of the entry, two letters.
        born_from: Earliest birth date.
        born_to: Latest birth date.
        entry_list: Which list.
        exact_name: Whether the part must be the whole name.
        limit: How many entries to show; the total counts all that match.
    """
    check_order(born_from, born_to, "born_from", "born_to")
    part = normalise_text(name_part)
    found = [
        entry
        for _, entry in bank.rows("watch_list")
        if (part == normalise_text(entry["name"]) if exact_name else part in normalise_text(entry["name"]))
        and country in (None, entry["country"])
        and within(day(entry["date_of_birth"]), born_from, born_to)
        and entry_list in ("any", entry["list"])
    ]
    rows = [
        {"name": e["name"], "country": e["country"], "year_of_birth": int(e["date_of_birth"][:4])}
        for e in found[:limit]
    ]
    return ListEntriesFound(total=len(found), entries=rows)
