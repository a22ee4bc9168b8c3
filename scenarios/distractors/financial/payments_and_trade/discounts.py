"""A supplier's discount for early payment against the cost of the cash."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial._checks import Share, UnitPrice, check_day
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool


class DiscountDecision(Result):
    """Both dates, what the discount brings, and what it costs to pay early, in dollars."""

    discount_until: date
    due_date: date
    discount: float
    cost_of_paying_early: float
    advantage: float
    decision: Literal["pay_early", "pay_at_due_date", "no_difference", "discount_expired"]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def weigh_early_payment_discount(
    bank: Bank,
    invoice_amount: Money,
    discount_percent: Share,
    invoice_date: date,
    discount_days: Annotated[int, Meta(ge=1, le=120)],
    net_days: Annotated[int, Meta(ge=2, le=365)],
    daily_cash_cost: UnitPrice,
) -> DiscountDecision:
    """Weigh a supplier's discount for early payment, such as 2 % within 10 days, against what it costs to part with
    the cash earlier, in dollars. The discount is rounded to cents, halves up.

    Args:
        invoice_amount: Amount of the supplier's invoice in dollars.
        discount_percent: Discount in percent.
        invoice_date: Day of the invoice.
        discount_days: Calendar days after the invoice in which the discount may be taken.
        net_days: Calendar days after which the full amount is due.
        daily_cash_cost: What each day without the cash costs the firm, in dollars.
    """
    return weigh_discount(
        bank, invoice_amount, discount_percent, invoice_date, discount_days, net_days, daily_cash_cost
    )


def weigh_discount(
    bank: Bank,
    invoice_amount: float,
    discount_percent: float,
    invoice_date: date,
    discount_days: int,
    net_days: int,
    daily_cash_cost: float,
) -> DiscountDecision:
    """Weigh a discount against its cost; see the tool ``weigh_early_payment_discount``."""
    check_day("invoice_date", invoice_date)
    if discount_days >= net_days:
        raise invalid("discount_days", f"expected fewer than the {net_days} days to pay in full, got {discount_days}")
    until = invoice_date + timedelta(days=discount_days)
    discount = round_half_up(to_cents(invoice_amount) * exact(discount_percent) / 100)
    cost = to_cents(daily_cash_cost) * (net_days - discount_days)
    decision: Literal["pay_early", "pay_at_due_date", "no_difference", "discount_expired"] = "no_difference"
    if until < bank.today:
        decision = "discount_expired"
    elif discount != cost:
        decision = "pay_early" if discount > cost else "pay_at_due_date"
    return DiscountDecision(
        discount_until=until,
        due_date=invoice_date + timedelta(days=net_days),
        discount=usd(discount),
        cost_of_paying_early=usd(cost),
        advantage=usd(discount - cost),
        decision=decision,
    )
