"""Opportunities of the sales desk."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import divide_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial._banking import CustomerId, known_customer
from teller_gym.scenarios.distractors.financial._checks import check_day
from teller_gym.scenarios.distractors.financial.sales_desk._desk import OfferedProduct
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Money, Result, tool

_TABLE = "misc_sales_opportunities"


class Opportunity(Result):
    """The opportunity as it stands; the weighted amount is amount times chance, in dollars."""

    opportunity_id: str
    decision: Literal["pursue", "wait", "drop"]
    weighted_amount: Money
    replaced: bool


@tool(act=Act.FINAL, category=Category.FINANCIAL_DISTRACTOR)
def record_sales_decision(
    bank: Bank,
    customer_id: CustomerId,
    product: OfferedProduct,
    decision: Literal["pursue", "wait", "drop"],
    principal_reason: Literal["asked_for", "rate_campaign", "no_interest", "has_elsewhere", "moved_away"],
    expected_amount: Money,
    chance_percent: Annotated[int, Meta(ge=0, le=100)],
    follow_up_on: date | None = None,
) -> Opportunity:
    """Record whether the sales desk goes on with an opportunity, in its own pipeline; a later record of the product
    replaces an earlier one. It decides no credit, has no routing and no terms, and no application is touched.

    Args:
        customer_id: The customer.
        product: Product that might be sold.
        decision: What the sales desk does.
        principal_reason: Why the desk does so.
        expected_amount: Amount that might come of it, in dollars.
        chance_percent: Chance in percent; 0 if it is dropped.
        follow_up_on: Day of the next talk, after today; needed unless it is dropped.
    """
    known_customer(bank, customer_id)
    if decision == "drop" and chance_percent:
        raise invalid("chance_percent", f"expected 0 for what is dropped, got {chance_percent}")
    if decision == "drop" and follow_up_on is not None:
        raise invalid("follow_up_on", f"expected none for what is dropped, got {follow_up_on}")
    if decision != "drop":
        if follow_up_on is None or follow_up_on <= bank.today:
            raise invalid("follow_up_on", f"expected a day after {bank.today}, got {follow_up_on}")
        check_day("follow_up_on", follow_up_on)
    opportunity_id = bank.reference("OP", customer_id, product)
    replaced = bank.get(_TABLE, opportunity_id) is not None
    record = {
        "owner": "misc",
        "customer_id": customer_id,
        "product": product,
        "decision": decision,
        "principal_reason": principal_reason,
        "expected_amount": expected_amount,
        "chance_percent": chance_percent,
        "follow_up_on": follow_up_on.isoformat() if follow_up_on else None,
    }
    bank.put(_TABLE, opportunity_id, record)
    return Opportunity(
        opportunity_id=opportunity_id,
        decision=decision,
        weighted_amount=usd(divide_half_up(to_cents(expected_amount) * chance_percent, 100)),
        replaced=replaced,
    )
