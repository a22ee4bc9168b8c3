"""Sales invoices: lines, discounts, shipping and sales tax."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.money import exact, round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial._checks import Share, UnitPrice, check_length
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool


class InvoiceTotal(Result):
    """Totals of an invoice in dollars; ``overpaid`` is what a deposit exceeds the total by."""

    lines_total: float
    invoice_discount: float
    sales_tax: float
    invoice_total: float
    amount_due: float
    overpaid: float


@tool(category=Category.FINANCIAL_DISTRACTOR)
def calculate_invoice_total(
    bank: Bank,
    quantities: Annotated[list[Annotated[float, Meta(ge=0.001, le=10_000)]], Meta(min_length=1, max_length=40)],
    unit_prices: Annotated[list[UnitPrice], Meta(min_length=1, max_length=40)],
    line_discount_percents: Annotated[list[Share], Meta(max_length=40)] | None = None,
    invoice_discount_percent: Share = 0,
    shipping_charge: Money = 0,
    sales_tax_percent: Share = 0,
    tax_on_shipping: bool = False,
    tax_rounding: Literal["whole_invoice", "each_line"] = "whole_invoice",
    deposit_paid: Money = 0,
) -> InvoiceTotal:
    """Add up a sales invoice with discounts by line and on the whole, shipping, sales tax and a deposit. Every line,
    the discount and the tax are rounded to cents, halves up.

    Args:
        quantities: Quantity of each line.
        unit_prices: Price of a unit of each line in dollars.
        line_discount_percents: Discount on each line in percent, if there are any.
        invoice_discount_percent: Discount on the sum of the lines in percent.
        shipping_charge: Shipping in dollars; no discount applies to it.
        sales_tax_percent: Sales tax in percent of the discounted lines.
        tax_on_shipping: Whether shipping is taxed, too.
        tax_rounding: Whether tax is rounded once or line by line.
        deposit_paid: What the buyer has paid already, in dollars.
    """
    return add_up_invoice(
        quantities,
        unit_prices,
        line_discount_percents,
        invoice_discount_percent,
        shipping_charge,
        sales_tax_percent,
        tax_on_shipping,
        tax_rounding,
        deposit_paid,
    )


def add_up_invoice(
    quantities: list[float],
    unit_prices: list[float],
    line_discount_percents: list[float] | None,
    invoice_discount_percent: float,
    shipping_charge: float,
    sales_tax_percent: float,
    tax_on_shipping: bool,
    tax_rounding: str,
    deposit_paid: float,
) -> InvoiceTotal:
    """Add up an invoice; see the tool ``calculate_invoice_total``."""
    check_length("unit_prices", unit_prices, "quantities", quantities)
    discounts = line_discount_percents or [0.0] * len(quantities)
    check_length("line_discount_percents", discounts, "quantities", quantities)
    lines = [
        round_half_up(exact(quantity) * to_cents(price) * (1 - exact(off) / 100))
        for quantity, price, off in zip(quantities, unit_prices, discounts, strict=True)
    ]
    discount = round_half_up(sum(lines) * exact(invoice_discount_percent) / 100)
    shipping, rate = to_cents(shipping_charge), exact(sales_tax_percent) / 100
    taxed_shipping = shipping if tax_on_shipping else 0
    if tax_rounding == "each_line":
        kept = 1 - exact(invoice_discount_percent) / 100
        tax = sum(round_half_up(line * kept * rate) for line in lines) + round_half_up(taxed_shipping * rate)
    else:
        tax = round_half_up((sum(lines) - discount + taxed_shipping) * rate)
    total = sum(lines) - discount + shipping + tax
    open_amount = total - to_cents(deposit_paid)
    return InvoiceTotal(
        lines_total=usd(sum(lines)),
        invoice_discount=usd(discount),
        sales_tax=usd(tax),
        invoice_total=usd(total),
        amount_due=usd(max(open_amount, 0)),
        overpaid=usd(max(-open_amount, 0)),
    )
