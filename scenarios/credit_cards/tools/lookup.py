"""Look-ups of a card request's records, with errors for the agent."""

from __future__ import annotations

from teller_gym.base.errors import invalid
from teller_gym.scenarios.banking.lookup import Origin, record
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.tools.bank import Bank, Record

REPORT = Origin("reports", "RP", "pull_credit_report")


def policy_of(bank: Bank) -> CardPolicy:
    """Return the bank's policy, typed as the card policy."""
    policy: CardPolicy = bank.policy
    return policy


def request(bank: Bank, request_id: str) -> Record:
    """Return a request's record; raise an error for an unknown ID."""
    return record(bank, "requests", request_id, "request_id")


def account(bank: Bank, account_id: str) -> Record:
    """Return a card account's record; raise an error for an unknown ID."""
    return record(bank, "card_accounts", account_id, "account_id")


def account_of(bank: Bank, request_id: str, account_id: str) -> Record:
    """Return a card account's record; raise an error if the request is not about it."""
    if request(bank, request_id)["account_id"] != account_id:
        raise invalid("account_id", f"request {request_id} is not about card account {account_id}")
    return account(bank, account_id)
