"""Follow-up requests in a working day: a second limit increase after a first one was granted."""

from __future__ import annotations

from typing import Any

from teller_gym.base.draw import Draw
from teller_gym.procedure.links import Link, Records, further_request
from teller_gym.procedure.scenario import Draft
from teller_gym.procedure.task import Task
from teller_gym.tools.bank import Bank

_RAISED = ("approve", "partial")
_STEPS = 8
"""Maximum difference between the two requested limits, in limit steps."""


def second_increase(first: Task, draw: Draw, policy: Any) -> Draft | None:
    """Draft another limit increase for the same card account and people."""
    case = first.tables["requests"][first.case_id]
    if case["kind"] != "limit_increase" or first.standard.outputs["decision"] not in _RAISED:
        return None
    return further_request(
        first,
        draw,
        "CC",
        "Please work card request {case} (limit_increase) of customer {people} about card account {account} to its "
        "final review. The business date is {today}.",
        joint=" and joint ",
        requested_limit=case["requested_limit"] + policy.limit_step * draw.integer(1, _STEPS),
    )


def raised_limit(first: Task, bank: Bank) -> Records:
    """Return the card account with the granted limit, nothing if none was granted."""
    case = bank.get("requests", first.case_id) or {}
    account = bank.get("card_accounts", str(case.get("account_id")))
    granted = case.get("kind") == "limit_increase" and case.get("decision") in _RAISED
    if account is None or not granted:
        return {}
    raised = {**account, "credit_limit": case["amount"], "last_increase": bank.today.isoformat()}
    return {"card_accounts": {case["account_id"]: raised}}


LINKS = (Link("second_increase", "credit_cards", second_increase, raised_limit),)
