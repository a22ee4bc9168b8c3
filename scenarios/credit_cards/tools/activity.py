"""Tool that shows a card account: its terms, closed statements and posted lines."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import usd
from teller_gym.scenarios.banking.ids import State
from teller_gym.scenarios.banking.lookup import day, existing, optional_day, too_early
from teller_gym.scenarios.credit_cards.tools.ledger import lines_kept_as
from teller_gym.scenarios.credit_cards.tools.lookup import account_of, request
from teller_gym.scenarios.credit_cards.tools.types import CardAccountId, Cycles, Product, RequestId
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Money, Percent, Result, tool

Rate = Annotated[float, Meta(ge=0, le=100)]


class CardActivity(Result):
    """Terms, statements and lines of a card account.

    ``statements`` (oldest first) have closing_date, due_date, opening_balance, interest_charged, late_fee,
    closing_balance, minimum_due. ``lines`` have line_id, posted, transaction_date, type, merchant, state, miles (from
    the holder's home), amount, balance (of the account after it), card_last4, entry_mode, mark. ``previous_rate``,
    ``rate_notice_date`` and ``rate_effective_date`` describe the last increase of the purchase rate; null if there was
    none.
    """

    product: Product
    opened_date: date
    home_state: State
    closing_day: int
    credit_limit: Money
    last_increase_date: date | None
    purchase_rate: Percent
    cash_rate: Percent
    previous_rate: Rate | None
    rate_notice_date: date | None
    rate_effective_date: date | None
    account_memo: str | None
    statements: list[dict[str, Any]]
    lines: list[dict[str, Any]]


@tool()
def get_card_activity(bank: Bank, request_id: RequestId, account_id: CardAccountId, cycles: Cycles) -> CardActivity:
    """Read a card account: its terms, its last closed statements, and all lines posted since the first day of the
    oldest of these. After a report of loss or theft it is shown once the reported cards are blocked.

    Args:
        request_id: The request.
        account_id: The card account.
        cycles: How many closed statements are read.
    """
    item = account_of(bank, request_id, account_id)
    case = request(bank, request_id)
    if case["kind"] == "lost_card" and existing(bank, "blocks", "BL", request_id) is None:
        raise too_early("a reported card is not blocked yet; block_card comes first")
    if not item["statements"]:
        raise invalid("account_id", f"{account_id} has no closed statement")
    return shown(item, cycles)


def shown(item: Record, cycles: int) -> CardActivity:
    """Return the account as the tool shows it, with its last ``cycles`` statements."""
    statements = item["statements"][-cycles:]
    return CardActivity(
        product=item["product"],
        opened_date=day(item["opened"]),
        home_state=item["home_state"],
        closing_day=item["closing_day"],
        credit_limit=usd(item["credit_limit"]),
        last_increase_date=optional_day(item["last_increase"]),
        purchase_rate=item["purchase_rate"] / 100,
        cash_rate=item["cash_rate"] / 100,
        previous_rate=None if item["previous_rate"] is None else item["previous_rate"] / 100,
        rate_notice_date=optional_day(item["rate_notice"]),
        rate_effective_date=optional_day(item["rate_effective"]),
        account_memo=item["memo"],
        statements=[_statement(row) for row in statements],
        lines=_lines(tuple(item["lines"]), statements[0]["first_day"]),
    )


def _statement(row: Record) -> dict[str, Any]:
    return {
        "closing_date": row["closing_date"],
        "due_date": row["due_date"],
        "opening_balance": usd(row["opening_balance"]),
        "interest_charged": usd(row["interest_charged"]),
        "late_fee": usd(row["late_fee"]),
        "closing_balance": usd(row["closing_balance"]),
        "minimum_due": usd(row["minimum_due"]),
    }


@lru_cache(maxsize=256)
def _lines(kept: tuple[str, ...], first: str) -> Any:
    """Return the lines posted since a day, as encoded JSON.

    The encoded text is cached, because encoding takes longer than the rest of the tool.
    """
    shown = [
        {
            "line_id": line.line_id,
            "posted": line.posted,
            "transaction_date": line.made,
            "type": line.type,
            "merchant": line.merchant,
            "state": line.state,
            "miles": line.miles,
            "amount": usd(line.amount),
            "balance": usd(line.balance),
            "card_last4": line.card,
            "entry_mode": line.entry,
            "mark": line.mark,
        }
        for line in lines_kept_as(kept)
        if line.posted >= first
    ]
    return msgspec.Raw(msgspec.json.encode(shown))
