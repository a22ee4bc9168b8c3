"""Listings of accounts, requests, holdings and securities."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta

from teller_gym.base.money import to_cents, usd
from teller_gym.base.text import normalise_text
from teller_gym.scenarios.banking.ids import AccountId, CustomerId, Limit
from teller_gym.scenarios.banking.lookup import customer, day
from teller_gym.scenarios.banking.ranges import check_order, within
from teller_gym.scenarios.banking.tools.casework import ShortText
from teller_gym.scenarios.investments.tools.lookup import account_of
from teller_gym.scenarios.investments.tools.types import AccountType, ProductKind, RequestType, Symbol
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool


class AccountsFound(Result):
    """``accounts`` have account_id, account_type, title, opened, status; ``closed_accounts`` are counted in all."""

    total: int
    closed_accounts: int
    accounts: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def list_brokerage_accounts(
    bank: Bank,
    customer_id: CustomerId,
    account_type: AccountType | None = None,
    opened_from: date | None = None,
    opened_to: date | None = None,
    include_closed: bool = False,
    sort_by: Literal["account_id", "opened"] = "account_id",
    limit: Limit = 5,
) -> AccountsFound:
    """List the brokerage accounts that a customer owns, alone or with others. It shows no authority, no restriction and
    no position.

    Args:
        customer_id: The owner.
        account_type: Only accounts of this type.
        opened_from: Opened on this day or later.
        opened_to: Opened on this day or earlier.
        include_closed: Whether closed accounts are listed too.
        sort_by: Order.
        limit: How many accounts to show; the total counts all that match.
    """
    customer(bank, customer_id)
    check_order(opened_from, opened_to, "opened_from", "opened_to")
    found = [
        {"account_id": key, **{name: item[name] for name in ("account_type", "title", "opened", "status")}}
        for key, item in bank.rows("brokerage_accounts")
        if customer_id in item["owner_ids"]
        and account_type in (None, item["account_type"])
        and within(day(item["opened"]), opened_from, opened_to)
        and (include_closed or item["status"] == "open")
    ]
    found.sort(key=lambda row: (row["opened"] if sort_by == "opened" else "", row["account_id"]))
    closed = sum(row["status"] == "closed" for row in found)
    return AccountsFound(total=len(found), closed_accounts=closed, accounts=found[:limit])


class RequestsFound(Result):
    """``requests`` have request_id, request_type, account_id, decision (null while open); ``open_requests`` of all."""

    total: int
    open_requests: int
    requests: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def list_client_requests(
    bank: Bank,
    customer_id: CustomerId,
    request_type: RequestType | None = None,
    account_id: AccountId | None = None,
    state_of_case: Literal["any", "open", "decided"] = "any",
    signed_alone: bool | None = None,
    newest_first: bool = True,
    limit: Limit = 5,
) -> RequestsFound:
    """List the requests that a customer has signed, in the order of their ids. It shows no instruction.

    Args:
        customer_id: Who signed.
        request_type: Only requests of this type.
        account_id: Only requests about this account.
        state_of_case: Whether a decision has been recorded.
        signed_alone: Only those signed alone, or only those signed with others.
        newest_first: Whether the highest id comes first.
        limit: How many requests to show; the total counts all that match.
    """
    customer(bank, customer_id)
    found = []
    for key, case in sorted(bank.rows("requests"), reverse=newest_first, key=lambda pair: pair[0]):
        signers = [row["customer_id"] for row in case["signers"]]
        decided = case.get("decision") is not None
        if (
            customer_id in signers
            and request_type in (None, case["request_type"])
            and account_id in (None, case["account_id"])
            and state_of_case in ("any", "decided" if decided else "open")
            and signed_alone in (None, len(signers) == 1)
        ):
            shown = {name: case.get(name) for name in ("request_type", "account_id", "decision")}
            found.append({"request_id": key, **shown})
    still_open = sum(row["decision"] is None for row in found)
    return RequestsFound(total=len(found), open_requests=still_open, requests=found[:limit])


class HoldingsFound(Result):
    """``holdings`` have symbol, name, quantity, average_cost (null where no lots are kept); ``shares_in_all``."""

    total: int
    shares_in_all: int
    holdings: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def list_account_holdings(
    bank: Bank,
    account_id: AccountId,
    symbol: Symbol | None = None,
    issuer: str | None = None,
    min_quantity: int = 0,
    max_average_cost: Money | None = None,
    sort_by: Literal["symbol", "quantity"] = "symbol",
    limit: Limit = 5,
) -> HoldingsFound:
    """List what an account holds, by security, with the average cost of its lots. It shows no lots, no prices and no
    values.

    Args:
        account_id: The account.
        symbol: Only this security.
        issuer: Only securities of this issuer.
        min_quantity: Only holdings of at least so many shares.
        max_average_cost: Only holdings with an average cost up to this, in dollars.
        sort_by: Order; quantity puts the largest first.
        limit: How many holdings to show; the total counts all that match.
    """
    account_of(bank, account_id)
    found = []
    for _, held in bank.rows("positions"):
        item = bank.get("instruments", held["symbol"]) or {}
        cost = _average_cost(bank, account_id, held["symbol"])
        if (
            held["account_id"] == account_id
            and symbol in (None, held["symbol"])
            and issuer in (None, item.get("issuer"))
            and held["quantity"] >= min_quantity
            and (max_average_cost is None or (cost is not None and cost <= to_cents(max_average_cost)))
        ):
            found.append({
                "symbol": held["symbol"], "name": item.get("name"), "quantity": held["quantity"],
                "average_cost": None if cost is None else usd(cost),
            })  # fmt: skip
    found.sort(key=lambda row: (-row["quantity"] if sort_by == "quantity" else 0, row["symbol"]))
    shares = sum(row["quantity"] for row in found)
    return HoldingsFound(total=len(found), shares_in_all=shares, holdings=found[:limit])


def _average_cost(bank: Bank, account_id: str, symbol: str) -> int | None:
    lots = [lot for _, lot in bank.rows("lots") if (lot["account_id"], lot["symbol"]) == (account_id, symbol)]
    shares = sum(lot["quantity"] for lot in lots)
    return sum(lot["quantity"] * lot["cost"] for lot in lots) // shares if shares else None


class SecuritiesFound(Result):
    """``securities`` have symbol, name, issuer, product_kind; ``issuers`` counts the issuers of all."""

    total: int
    issuers: int
    securities: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def search_securities(
    bank: Bank,
    name_part: ShortText | None = None,
    issuer_part: ShortText | None = None,
    product_kind: ProductKind | None = None,
    symbol_from: Symbol | None = None,
    sort_by: Literal["symbol", "issuer"] = "symbol",
    skip: Annotated[int, Meta(ge=0, le=100)] = 0,
    limit: Limit = 5,
) -> SecuritiesFound:
    """Find securities that the desk trades by name, issuer or kind. It shows no prices and no risk classes.

    Args:
        name_part: A part of the name.
        issuer_part: A part of the issuer's name.
        product_kind: Only securities of this kind.
        symbol_from: Only symbols from this one on in the alphabet.
        sort_by: Order.
        skip: How many to leave out at the beginning.
        limit: How many to show; the total counts all that match.
    """
    found = [
        {"symbol": key, "name": item["name"], "issuer": item["issuer"], "product_kind": item["kind"]}
        for key, item in bank.rows("instruments")
        if normalise_text(name_part or "") in normalise_text(item["name"])
        and normalise_text(issuer_part or "") in normalise_text(item["issuer"])
        and product_kind in (None, item["kind"])
        and key >= (symbol_from or "")
    ]
    found.sort(key=lambda row: (row["issuer"] if sort_by == "issuer" else "", row["symbol"]))
    issuers = len({row["issuer"] for row in found})
    return SecuritiesFound(total=len(found), issuers=issuers, securities=found[skip : skip + limit])
