"""Look-ups of a savings request's records, with errors for the agent."""

from __future__ import annotations

from teller_gym.base.errors import invalid
from teller_gym.scenarios.banking.lookup import Origin, record, too_early, wrong_id
from teller_gym.scenarios.savings.policy import SavingsPolicy
from teller_gym.tools.bank import Bank, Record

DECISION = Origin("decisions", "DC", "record_savings_decision")


def policy_of(bank: Bank) -> SavingsPolicy:
    """Return the bank's policy, typed as the savings policy."""
    policy: SavingsPolicy = bank.policy
    return policy


def savings_request(bank: Bank, request_id: str) -> Record:
    """Return a request's record; raise an error for an unknown ID."""
    return record(bank, "requests", request_id, "request_id")


def deposit(bank: Bank, account_id: str) -> Record:
    """Return a savings account or time deposit; raise an error for any other account."""
    found = record(bank, "accounts", account_id, "account_id")
    if "ownership" not in found:
        raise invalid("account_id", f"{account_id} is no savings account")
    return found


def require_term(item: Record, account_id: str) -> None:
    """Raise an error for an account without a term."""
    if item["term_months"] is None:
        raise invalid("account_id", f"{account_id} is no time deposit")


def worked_out_interest(bank: Bank, request_id: str, account_id: str, interest_id: str) -> Record:
    """Return the interest computed earlier for an account; raise an error if it is missing or the ID differs."""
    key = bank.reference("IN", request_id, account_id)
    found = bank.get("interests", key)
    if found is None:
        raise too_early(f"there is no interest_id of {account_id} yet; calculate_interest comes first")
    if key != interest_id:
        raise wrong_id("interest_id", interest_id, "calculate_interest")
    return found
