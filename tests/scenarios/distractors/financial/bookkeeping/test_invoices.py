"""Tests of bookkeeping/invoices: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.bookkeeping.values import cents, refused

# Invoices

BASKET: dict[str, Any] = {"quantities": [2, 1.5], "unit_prices": [10, 20]}


def test_invoice_by_hand() -> None:
    assert call(
        "calculate_invoice_total",
        **BASKET,
        line_discount_percents=[0, 10],
        invoice_discount_percent=5,
        shipping_charge=10,
        sales_tax_percent=8,
        deposit_paid=20,
    ) == {
        "lines_total": 47,  # 20 and 27
        "invoice_discount": 2.35,
        "sales_tax": 3.57,  # 8 % of 44.65
        "invoice_total": 58.22,
        "amount_due": 38.22,
        "overpaid": 0,
    }
    taxed: dict[str, Any] = {"shipping_charge": 10, "sales_tax_percent": 8}
    assert call("calculate_invoice_total", **BASKET, **taxed, tax_on_shipping=True)["sales_tax"] == 4.8
    assert call("calculate_invoice_total", **BASKET, deposit_paid=60)["overpaid"] == 10
    pennies: dict[str, Any] = {"quantities": [1, 1], "unit_prices": [0.05, 0.05], "sales_tax_percent": 10}
    assert call("calculate_invoice_total", **pennies)["sales_tax"] == 0.01
    assert call("calculate_invoice_total", **pennies, tax_rounding="each_line")["sales_tax"] == 0.02
    refused("calculate_invoice_total", "unit_prices", quantities=[1], unit_prices=[1, 2])
    refused("calculate_invoice_total", "line_discount_percents", **BASKET, line_discount_percents=[1])


@given(st.lists(st.tuples(st.integers(1, 100), st.integers(0, 10**6)), min_size=1, max_size=8), st.integers(0, 100))
def test_invoices_add_up(lines: list[tuple[int, int]], off: int) -> None:
    result = call(
        "calculate_invoice_total",
        quantities=[count for count, _ in lines],
        unit_prices=[price / 100 for _, price in lines],
        invoice_discount_percent=off,
    )
    whole = sum(count * price for count, price in lines)
    assert cents(result["lines_total"]) == whole
    assert cents(result["invoice_total"]) == whole - (whole * off + 50) // 100
