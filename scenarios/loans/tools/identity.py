"""Identity and watch-list tools: the bank's own, with identification allowed only after the completeness check."""

from __future__ import annotations

from typing import Any

from teller_gym.scenarios.banking.lookup import customer, too_early
from teller_gym.scenarios.banking.parties import parties
from teller_gym.scenarios.banking.tools import identity
from teller_gym.tools.bank import Bank, Record


def _require_complete(bank: Bank, arguments: Any) -> None:
    """Raise an error unless some application of the customer has been found complete."""
    customer_id: str = arguments.customer_id
    customer(bank, customer_id)
    at_hand = bank.get("applications", bank.case_id) or {}
    if _is_complete(at_hand, customer_id):  # nearly always true, and faster than a search
        return
    if any(_is_complete(case, customer_id) for _, case in bank.rows("applications")):
        return
    raise too_early(
        f"no application of {customer_id} has been found complete yet; check_application_completeness comes first"
    )


def _is_complete(case: Record, customer_id: str) -> bool:
    """Return True if the customer is an applicant of the case and it has been found complete."""
    return case.get("completeness_status") == "complete" and customer_id in parties(case)


verify_identity = identity.verify_identity.guarded(_require_complete)
screen_watch_list = identity.screen_watch_list
resolve_watch_list_match = identity.resolve_watch_list_match
