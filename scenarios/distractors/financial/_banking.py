"""What the tools of other desks share: types that look like the bank's own, and its customers and accounts."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.tools.bank import Bank, Record

CustomerId = Annotated[str, Meta(pattern="^CU-[0-9]{6}$", max_length=9)]
CustomerIds = Annotated[list[CustomerId], Meta(min_length=1, max_length=6)]
FullName = Annotated[str, Meta(min_length=1, max_length=80)]
Country = Annotated[str, Meta(pattern="^[A-Z]{2}$", max_length=2)]
State = Annotated[str, Meta(pattern="^[A-Z]{2}$", max_length=2)]
Share = Annotated[float, Meta(ge=0, le=100, extra={"unit": "percent"})]
Months = Annotated[int, Meta(ge=1, le=480)]
ScoreBand = Literal["below_580", "580_to_669", "670_to_739", "740_and_above"]


def known_customer(bank: Bank, customer_id: str, field: str = "customer_id") -> Record:
    """Return a customer's master data; an unknown id is refused."""
    found = bank.get("customers", customer_id)
    if found is None:
        raise invalid(field, f"expected the id of a customer of the bank, got {customer_id}")
    return found


def open_accounts(bank: Bank, customer_ids: Collection[str]) -> dict[str, Record]:
    """Return the open accounts that belong to any of the customers, by id, in the bank's order."""
    return {
        key: row
        for key, row in bank.rows("accounts")
        if row.get("customer_id") in customer_ids and row.get("status") == "open"
    }


def balance_of(account: Record) -> int:
    """Return an account's balance in cents, 0 where none is kept."""
    balance = account.get("balance")
    return balance if isinstance(balance, int) else 0


def day_of(value: object) -> date | None:
    """Return a stored day, None where none is stored."""
    return date.fromisoformat(value) if isinstance(value, str) else value if isinstance(value, date) else None


def check_not_after(field: str, day: date, latest: date) -> None:
    """Refuse a day after another."""
    if day > latest:
        raise invalid(field, f"expected {latest} or earlier, got {day}")
