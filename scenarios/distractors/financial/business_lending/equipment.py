"""Machines, vehicles and goods of a firm as collateral."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import percent, to_cents, usd
from teller_gym.scenarios.distractors.financial._banking import check_not_after
from teller_gym.scenarios.distractors.financial.business_lending._desk_tables import desk_tables
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool


class EquipmentValue(Result):
    """Value and largest advance in dollars; the ratio of the amount asked for is null where nothing is left."""

    collateral_value: Money
    max_advance: Money
    advance_ratio_percent: float | None
    collateral_finding: Literal["sufficient", "insufficient", "worn_out"]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def assess_equipment_collateral(
    bank: Bank,
    collateral_type: Literal["machinery", "truck", "office_equipment", "medical_device", "stock_of_goods"],
    purchase_price: Money,
    bought_on: date,
    condition: Literal["new", "good", "worn", "not_running"],
    requested_amount: Money,
    prior_liens: Money = 0,
    units: Annotated[int, Meta(ge=1, le=500)] = 1,
    fixed_to_building: bool = False,
) -> EquipmentValue:
    """Assess machines, trucks or goods of a firm as collateral by age and condition, for the leasing desk. It takes in
    no houses and no cars of private persons, reads no application and no insurance.

    Args:
        collateral_type: What is pledged.
        purchase_price: Price paid for a unit, in dollars.
        bought_on: Day of purchase.
        condition: Condition at the visit.
        requested_amount: Advance that is asked for, in dollars.
        prior_liens: What others have a claim to, in dollars.
        units: Number of units.
        fixed_to_building: Whether it cannot be taken away, which halves what is lent on it.
    """
    check_not_after("bought_on", bought_on, bank.today)
    table = desk_tables()
    kind = table.equipment[collateral_type]
    days, life = (bank.today - bought_on).days, kind.years * 365
    left = max(Fraction(0), 1 - Fraction(days, life)) * Fraction(100 - kind.resale_loss_percent, 100)
    price = to_cents(purchase_price) * units
    value = int(price * left * Fraction(table.condition_percent[condition], 100))
    free = max(0, value - to_cents(prior_liens))
    most = int(free * Fraction(kind.advance_percent, 200 if fixed_to_building else 100))
    asked = to_cents(requested_amount)
    if asked == 0:
        raise invalid("requested_amount", "expected an amount above 0")
    return EquipmentValue(
        collateral_value=usd(value),
        max_advance=usd(most),
        advance_ratio_percent=percent(asked, free) if free else None,
        collateral_finding="worn_out" if value == 0 else "sufficient" if asked <= most else "insufficient",
    )
