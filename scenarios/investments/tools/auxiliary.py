"""Auxiliary tools of a brokerage desk, defined in ``auxiliary.yaml``; none is in the API graph."""

from __future__ import annotations

from teller_gym.scenarios.banking.tools.auxiliary import auxiliary_subject
from teller_gym.scenarios.investments.tools import types
from teller_gym.scenarios.investments.tools.lookup import account_of
from teller_gym.tools.bank import Bank


def average_cost(bank: Bank, account_id: str, symbol: str) -> int | None:
    """Return the average cost of an account's lots of a security, in cents, or None if it has no lots."""
    lots = [lot for _, lot in bank.rows("lots") if (lot["account_id"], lot["symbol"]) == (account_id, symbol)]
    shares = sum(lot["quantity"] for lot in lots)
    return sum(lot["quantity"] * lot["cost"] for lot in lots) // shares if shares else None


SUBJECT = auxiliary_subject(__package__, types, account_of)
"""Auxiliary tools, in the order in which agents see them."""
