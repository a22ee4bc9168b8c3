"""Follow-up requests in a working day: a second payout from a custodial account, which has a yearly limit."""

from __future__ import annotations

from typing import Any

from teller_gym.base.draw import Draw
from teller_gym.procedure.links import Link, Records, further_request
from teller_gym.procedure.scenario import Draft
from teller_gym.procedure.task import Task
from teller_gym.tools.bank import Bank

_ASKED = (30_000, 180_000, 2_500)
"""Minimum, maximum and step of the requested amount, in cents."""
_PAID = ("carry_out", "in_part")


def second_payout(first: Task, draw: Draw, policy: Any) -> Draft | None:
    """Draft another request of a custodian about an account from which a first request was paid."""
    case = first.tables["requests"][first.case_id]
    if case["kind"] != "custodial_payout" or case["purpose"] is None or first.standard.outputs["decision"] not in _PAID:
        return None
    purpose = draw.choice(sorted(set(policy.purposes) - {case["purpose"]}))
    return further_request(
        first,
        draw,
        "SV",
        "Please work savings request {case} of {people} about account {account} to its final review. "
        "The business date is {today}.",
        requested_amount=draw.steps(*_ASKED),
        purpose=purpose,
        documents=[policy.purposes[purpose]],
    )


def paid_out(first: Task, bank: Bank) -> Records:
    """Return the account with the decided payment booked, nothing if no payment was decided and confirmed."""
    case = bank.get("requests", first.case_id) or {}
    account_id = first.owners[-1]
    account, confirmed = bank.get("accounts", account_id), bank.get("letters", bank.reference("NO", first.case_id))
    if account is None or confirmed is None or case.get("decision") not in _PAID or not case.get("amount"):
        return {}
    today = bank.today.isoformat()
    payment = {
        "movement_id": bank.reference("MV", first.case_id, "paid"),
        "kind": "transfer_out",
        "amount": case["amount"],
        "ordered_on": today,
        "posted_on": today,
        "reversed_on": None,
        "memo": None,
    }
    left = max(0, account["balance"] - case["amount"])
    return {"accounts": {account_id: {**account, "balance": left, "movements": [*account["movements"], payment]}}}


LINKS = (Link("second_payout", "savings", second_payout, paid_out),)
