"""Stock of goods and what was sold of it."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial._checks import UnitPrice, check_length
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class StockValue(Result):
    """Cost of what was sold and value of what is left, in dollars; the value is after any write-down."""

    cost_of_goods_sold: float
    ending_units: int
    ending_value: float
    write_down: float


@tool(category=Category.FINANCIAL_DISTRACTOR)
def value_inventory(
    bank: Bank,
    method: Literal["fifo", "lifo", "average"],
    lot_units: Annotated[list[Annotated[int, Meta(ge=1, le=100_000)]], Meta(min_length=1, max_length=30)],
    lot_unit_costs: Annotated[list[UnitPrice], Meta(min_length=1, max_length=30)],
    units_sold: Annotated[int, Meta(ge=0, le=3_000_000)],
    market_unit_value: UnitPrice | None = None,
) -> StockValue:
    """Value a stock of goods at the end of a period from the lots bought in it: cost of goods sold and ending value.
    Amounts are rounded to cents, halves up.

    Args:
        method: Which units count as sold first: the oldest, the newest, or all at the average cost.
        lot_units: Units in each lot, oldest lot first; an opening stock is the first lot.
        lot_unit_costs: Cost of a unit of each lot in dollars.
        units_sold: Units sold in the period.
        market_unit_value: What a unit fetches now in dollars; a lower value than cost is written down.
    """
    return value_lots(
        method,
        lot_units,
        lot_unit_costs,
        units_sold,
        market_unit_value,
    )


def value_lots(
    method: str,
    lot_units: list[int],
    lot_unit_costs: list[float],
    units_sold: int,
    market_unit_value: float | None,
) -> StockValue:
    """Value a stock from its lots, oldest first; see the tool ``value_inventory``."""
    check_length("lot_unit_costs", lot_unit_costs, "lot_units", lot_units)
    bought = sum(lot_units)
    if units_sold > bought:
        raise invalid("units_sold", f"expected at most the {bought} units in the lots, got {units_sold}")
    lots = [(units, to_cents(cost)) for units, cost in zip(lot_units, lot_unit_costs, strict=True)]
    spent = sum(units * cost for units, cost in lots)
    if method == "average":
        sold_cost = round_half_up(Fraction(spent * units_sold, bought))
    else:
        sold_cost, wanted = 0, units_sold
        for units, cost in lots if method == "fifo" else reversed(lots):
            taken = min(units, wanted)
            sold_cost += taken * cost
            wanted -= taken
    left, value = bought - units_sold, spent - sold_cost
    loss = 0 if market_unit_value is None else max(value - left * to_cents(market_unit_value), 0)
    return StockValue(
        cost_of_goods_sold=usd(sold_cost), ending_units=left, ending_value=usd(value - loss), write_down=usd(loss)
    )
