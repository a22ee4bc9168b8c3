"""Investments in a working day: a second purchase paid from the same account."""

from __future__ import annotations

from typing import Any

from teller_gym.base.draw import Draw
from teller_gym.base.money import usd
from teller_gym.procedure.links import Link, Records, further_request
from teller_gym.procedure.scenario import Draft
from teller_gym.procedure.task import Task
from teller_gym.tools.bank import Bank

_ORDERED = ("proceed", "adjust")
_MOST_SHARES = 600
_MOST_CENTS = 4_000_000
"""Largest value of the second order, in cents."""


def second_purchase(first: Task, draw: Draw, policy: Any) -> Draft | None:
    """Draft another purchase by the same signers, on the account that pays for the first one."""
    case = first.tables["requests"][first.case_id]
    if case["request_type"] != "purchase" or first.standard.outputs["decision"] not in _ORDERED:
        return None
    price = min(day["last"] for day in first.tables["instruments"][case["symbol"]]["prices"].values())
    quantity = draw.integer(1, max(1, min(_MOST_SHARES, _MOST_CENTS // price) // 5)) * 5
    value = round(quantity * price / 1_000) * 1_000
    return further_request(
        first,
        draw,
        "IR",
        f"Please work purchase request {{case}} on account {{account}}, stated value ${usd(value):,.2f}, signed by "
        "customer {people}, to its final review. The business date is {today}.",
        joint=" and customer ",
        quantity=quantity,
        stated_value=value,
    )


def open_order(first: Task, bank: Bank) -> Records:
    """Return the account with the first order's reserved cash, or no records if no order was released."""
    case = bank.get("requests", first.case_id) or {}
    released = bank.get("releases", bank.reference("RI", first.case_id))
    account = bank.get("brokerage_accounts", str(case.get("account_id")))
    ordered = case.get("decision") in _ORDERED and case.get("decided_quantity") and case.get("decided_amount", 0) > 0
    if account is None or released is None or not ordered:
        return {}
    order = {"kind": "open_buy_order", "amount": case["decided_amount"], "settles_on": case["effective_date"]}
    return {"brokerage_accounts": {case["account_id"]: {**account, "cash_items": [*account["cash_items"], order]}}}


LINKS = (Link("second_purchase", "investments", second_purchase, open_order),)
