"""The customers who take part in a case."""

from __future__ import annotations

from teller_gym.base.errors import invalid
from teller_gym.scenarios.banking.lookup import case_record, customer
from teller_gym.tools.bank import Bank, Record


def parties(case: Record) -> list[str]:
    """Return the customers of a case: every ``customer_id`` in its record or in a row of its record."""
    rows = [row for value in case.values() if isinstance(value, list) for row in value if isinstance(row, dict)]
    return [holder["customer_id"] for holder in (case, *rows) if "customer_id" in holder]


def party_of(bank: Bank, case_id: str, customer_id: str) -> Record:
    """Return the customer's record, after checking that they take part in the case."""
    if customer_id not in parties(case_record(bank, case_id)):
        raise invalid("customer_id", f"{customer_id} takes no part in {case_id}")
    return customer(bank, customer_id)
