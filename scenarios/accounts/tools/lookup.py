"""Look-ups of a service request's records, with errors for the agent."""

from __future__ import annotations

from teller_gym.base.errors import invalid
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.banking.lookup import customer, record
from teller_gym.tools.bank import Bank, Record


def policy_of(bank: Bank) -> AccountPolicy:
    """Return the bank's policy, typed as the account policy."""
    policy: AccountPolicy = bank.policy
    return policy


def service_request(bank: Bank, request_id: str) -> Record:
    """Return a request's record; raise an error for an unknown ID."""
    return record(bank, "requests", request_id, "request_id")


def account(bank: Bank, account_id: str) -> Record:
    """Return a deposit account; raise an error for any other account."""
    found = record(bank, "accounts", account_id, "account_id")
    if "owners" not in found:
        raise invalid("account_id", f"{account_id} is no deposit account")
    return found


def parties_of(bank: Bank, case: Record) -> list[dict[str, str]]:
    """Return the parties of a request: the persons it lists, or else the owners of its account."""
    rows = case["persons"]
    if not rows and case["account_id"] is not None:
        rows = account(bank, case["account_id"])["owners"]
    return [{"customer_id": row["customer_id"], "role": row["role"]} for row in rows]


def party(bank: Bank, request_id: str, customer_id: str) -> Record:
    """Return a customer's record; raise an error if the customer is not a party of the request."""
    case = service_request(bank, request_id)
    if customer_id not in [row["customer_id"] for row in parties_of(bank, case)]:
        raise invalid("customer_id", f"{customer_id} takes no part in {request_id}")
    return customer(bank, customer_id)
