"""Look-ups of a brokerage request and the records that belong to it."""

from __future__ import annotations

from typing import Any

from teller_gym.base.errors import invalid
from teller_gym.scenarios.banking.lookup import Origin, existing, record, too_early
from teller_gym.scenarios.investments.policy import InvestmentPolicy
from teller_gym.tools.bank import Bank, Record

FILE = Origin("account_files", "AF", "check_account_authority")
DECISION = Origin("decisions", "DE", "record_investment_decision")
RELEASE = Origin("releases", "RI", "release_instruction")


def policy_of(bank: Bank) -> InvestmentPolicy:
    """Return the brokerage policy, typed."""
    policy: InvestmentPolicy = bank.policy
    return policy


def request_of(bank: Bank, request_id: str) -> Record:
    """Return the record of a request, or raise a tool error for an unknown id."""
    return record(bank, "requests", request_id, "request_id")


def account_of(bank: Bank, account_id: str, field: str = "account_id") -> Record:
    """Return a brokerage account's record, or raise a tool error that names ``field``."""
    return record(bank, "brokerage_accounts", account_id, field)


def opened_request(bank: Bank, request_id: str) -> Record:
    """Return a request's record, or raise an order error if its account file has not been opened."""
    case = request_of(bank, request_id)
    if existing(bank, FILE.table, FILE.prefix, request_id) is None:
        raise too_early(f"the account file of {request_id} has not been opened; {FILE.tool} comes first")
    return case


def own_account(bank: Bank, case: Record, account_id: str) -> Record:
    """Return the request's account, or raise a tool error if the id belongs to another account."""
    found = account_of(bank, account_id)
    if account_id != case["account_id"]:
        raise invalid("account_id", f"the request is about another account than {account_id}")
    return found


def linked_ids(account: Record) -> list[str]:
    """Return the ids of the linked accounts in a file."""
    return [row["account_id"] for row in account["linked"]]


def require_linked(bank: Bank, case: Record, account_ids: list[str], field: str) -> None:
    """Raise a tool error if an account is not linked in the request's account file."""
    linked = linked_ids(account_of(bank, case["account_id"]))
    for key in account_ids:
        account_of(bank, key, field)
        if key not in linked:
            raise invalid(field, f"{key} is not among the linked accounts of the account file")


_SIDES = {"purchase": "ask", "sale": "bid", "withdrawal": "last", "distribution": "last"}
"""Side of the quote that each type of request uses."""


def price_of(bank: Bank, symbol: str, day: str, basis: str) -> int:
    """Return a price in cents, or raise a tool error for an unknown day or price basis."""
    quotes: dict[str, Any] = record(bank, "instruments", symbol, "symbol")["prices"]
    sides = {code: _SIDES[kind] for kind, code in policy_of(bank).price_bases.items()}
    if day not in quotes:
        raise invalid("price_date", f"there are prices of {symbol} for {', '.join(quotes)} only")
    if basis not in sides:
        raise invalid("price_basis", f"there is no price basis {basis}; the SOP lists them")
    price: int = quotes[day][sides[basis]]
    return price
