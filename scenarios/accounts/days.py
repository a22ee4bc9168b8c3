"""Follow-up requests in a working day: a stop order on an account whose closing is being worked."""

from __future__ import annotations

from typing import Any

from teller_gym.base.draw import Draw
from teller_gym.procedure.links import Link, Records, further_request
from teller_gym.procedure.scenario import Draft
from teller_gym.procedure.task import Task
from teller_gym.tools.bank import Bank

_CHECK_CENTS = (6_000, 90_000)
_CHECK_NUMBERS = (5_200, 9_800)
"""Range of check numbers above those already used on accounts."""


def stop_order(first: Task, draw: Draw, policy: Any) -> Draft | None:
    """Draft a stop order of the same people for a check of an account that is being closed."""
    case = first.tables["requests"][first.case_id]
    if case["kind"] != "close_account" or first.standard.outputs["decision"] != "carry_out":
        return None
    check = {
        "item_id": draw.identifier("IT"),
        "item_kind": "check",
        "amount": draw.integer(*_CHECK_CENTS),
        "item_date": case["received_date"],
        "reference": str(draw.integer(*_CHECK_NUMBERS)),
    }
    return further_request(
        first,
        draw,
        "SR",
        "Please work service request {case} about account {account} to its final review. The business date is {today}.",
        kind="stop_payment",
        confirmed_date=None,
        items=[check],
    )


def closed_account(first: Task, bank: Bank) -> Records:
    """Return the account with status closed if its closing was decided and confirmed, otherwise nothing."""
    case = bank.get("requests", first.case_id) or {}
    confirmed = bank.get("letters", bank.reference("NO", first.case_id))
    account = bank.get("accounts", str(case.get("account_id")))
    closed = case.get("kind") == "close_account" and case.get("decision") == "carry_out"
    if account is None or confirmed is None or not closed:
        return {}
    # As for every closed account, the record keeps its balance and history.
    return {"accounts": {case["account_id"]: {**account, "status": "closed"}}}


LINKS = (Link("stop_order", "accounts", stop_order, closed_account),)
