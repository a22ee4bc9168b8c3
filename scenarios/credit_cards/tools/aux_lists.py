"""Searching requests and card lines: listings only, which judge nothing."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta

from teller_gym.base.money import to_cents, usd
from teller_gym.base.text import normalise_text
from teller_gym.scenarios.banking.ids import CustomerId, Limit
from teller_gym.scenarios.banking.lookup import customer, day
from teller_gym.scenarios.banking.parties import parties
from teller_gym.scenarios.banking.ranges import check_order, within
from teller_gym.scenarios.credit_cards.tools.ledger import Line, lines_of
from teller_gym.scenarios.credit_cards.tools.lookup import account
from teller_gym.scenarios.credit_cards.tools.types import CardAccountId, Kind, LineType, Product
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Category, Money, Result, tool

SearchText = Annotated[str, Meta(min_length=1, max_length=40)] | None


class RequestsFound(Result):
    """Requests by day of receipt. ``requests`` have request_id, kind, product, received_date, channel."""

    total: int
    requests: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def search_card_requests(
    bank: Bank,
    customer_id: CustomerId,
    kind: Kind | None = None,
    product: Product | None = None,
    received_from: date | None = None,
    received_to: date | None = None,
    newest_first: bool = False,
    limit: Limit = 5,
) -> RequestsFound:
    """List a customer's card requests in short; the record itself has more. It opens no request.

    Args:
        customer_id: The customer.
        kind: Only requests of this kind.
        product: Only requests about this kind of card.
        received_from: Received on this day or later.
        received_to: Received on this day or earlier.
        newest_first: Whether the latest request comes first.
        limit: How many requests to show; the total counts all that match.
    """
    customer(bank, customer_id)
    check_order(received_from, received_to, "received_from", "received_to")
    found = [
        (key, item)
        for key, item in bank.rows("requests")
        if customer_id in parties(item)
        and kind in (None, item["kind"])
        and product in (None, item["product"])
        and within(day(item["received_date"]), received_from, received_to)
    ]
    found.sort(key=lambda pair: (pair[1]["received_date"], pair[0]), reverse=newest_first)
    return RequestsFound(total=len(found), requests=[_request(key, item) for key, item in found[:limit]])


def _request(key: str, item: Record) -> dict[str, Any]:
    return {"request_id": key, **{name: item[name] for name in ("kind", "product", "received_date", "channel")}}


class LinesFound(Result):
    """Lines that match. ``lines`` have line_id, posted, type, merchant, amount; no statement, no balance, no mark."""

    total: int
    total_amount: Money
    lines: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def search_card_transactions(
    bank: Bank,
    account_id: CardAccountId,
    posted_from: date | None = None,
    posted_to: date | None = None,
    merchant: SearchText = None,
    line_type: LineType | None = None,
    min_amount: Money = 0,
    max_amount: Money = 100_000,
    sort_by: Literal["posted", "amount"] = "posted",
    limit: Limit = 5,
) -> LinesFound:
    """Search a card account's lines by day, merchant, type and amount. It shows them in short and settles no dispute.

    Args:
        account_id: The card account.
        posted_from: Posted on this day or later.
        posted_to: Posted on this day or earlier.
        merchant: Beginning of the merchant's name.
        line_type: Only lines of this type.
        min_amount: Smallest amount in dollars.
        max_amount: Largest amount in dollars.
        sort_by: Order; amount puts the largest first, posted the oldest.
        limit: How many lines to show; the total counts all that match.
    """
    check_order(posted_from, posted_to, "posted_from", "posted_to")
    check_order(min_amount, max_amount, "min_amount", "max_amount")
    low, high = to_cents(min_amount), to_cents(max_amount)
    found = [
        line
        for line in lines_of(account(bank, account_id))
        if within(day(line.posted), posted_from, posted_to)
        and low <= line.amount <= high
        and line_type in (None, line.type)
        and (merchant is None or normalise_text(line.merchant).startswith(normalise_text(merchant)))
    ]
    if sort_by == "amount":
        found.sort(key=lambda line: -line.amount)
    return LinesFound(
        total=len(found), total_amount=usd(sum(line.amount for line in found)), lines=[_short(x) for x in found[:limit]]
    )


def _short(line: Line) -> dict[str, Any]:
    return {
        "line_id": line.line_id,
        "posted": line.posted,
        "type": line.type,
        "merchant": line.merchant,
        "amount": usd(line.amount),
    }
