"""Tests of bookkeeping/stock: expected values worked out by hand, or anew in another way."""

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.bookkeeping.values import cents, refused

# Stock

LOTS: dict[str, Any] = {"lot_units": [10, 20, 30], "lot_unit_costs": [1, 2, 4]}


def test_stock_by_hand() -> None:
    def value(method: str, **more: Any) -> tuple[float, int, float, float]:
        return tuple(call("value_inventory", method=method, units_sold=25, **LOTS, **more).values())

    assert value("fifo") == (40, 35, 130, 0)  # 10 at 1 and 15 at 2
    assert value("lifo") == (100, 35, 70, 0)  # 25 at 4
    assert value("average") == (70.83, 35, 99.17, 0)  # 170 for 60
    assert value("fifo", market_unit_value=3) == (40, 35, 105, 25)
    assert value("fifo", market_unit_value=5) == (40, 35, 130, 0)
    refused("value_inventory", "units_sold", method="fifo", units_sold=61, **LOTS)
    refused("value_inventory", "lot_unit_costs", method="fifo", units_sold=1, lot_units=[1], lot_unit_costs=[1, 2])


@given(
    st.lists(st.tuples(st.integers(1, 50), st.integers(0, 10_000)), min_size=1, max_size=6),
    st.integers(0, 300),
    st.sampled_from(["fifo", "lifo", "average"]),
)
def test_every_unit_is_either_sold_or_left(lots: list[tuple[int, int]], wanted: int, method: str) -> None:
    units = [price for count, price in lots for _ in range(count)]  # one entry a unit
    sold = min(wanted, len(units))
    result = call(
        "value_inventory",
        method=method,
        lot_units=[count for count, _ in lots],
        lot_unit_costs=[price / 100 for _, price in lots],
        units_sold=sold,
    )
    assert cents(result["cost_of_goods_sold"]) + cents(result["ending_value"]) == sum(units)
    if method == "average":
        assert abs(cents(result["cost_of_goods_sold"]) - Fraction(sum(units) * sold, len(units))) <= Fraction(1, 2)
    else:
        picked = units[:sold] if method == "fifo" else units[len(units) - sold :]
        assert cents(result["cost_of_goods_sold"]) == sum(picked)
