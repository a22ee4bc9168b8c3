"""Sales tax taken out of prices."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.money import round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial.taxes_and_payroll import _payroll_sums as sums
from teller_gym.scenarios.distractors.financial.taxes_and_payroll._payroll_sums import share
from teller_gym.scenarios.distractors.financial.taxes_and_payroll._payroll_types import Rate
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool


class SalesTax(Result):
    """Sums of the invoice; ``rounding_gap`` is this tax less the tax rounded at the other level."""

    net_total: Money
    tax_total: Money
    gross_total: Money
    rounding_gap: float


@tool(category=Category.FINANCIAL_DISTRACTOR)
def split_sales_tax(
    bank: Bank,
    line_amounts: Annotated[list[Money], Meta(min_length=1, max_length=50)],
    tax_rate_percent: Rate,
    prices_include_tax: bool,
    rounded_by: Literal["line", "invoice"] = "invoice",
) -> SalesTax:
    """Split the lines of an invoice into net, sales tax or VAT, and gross, whether the prices include the tax or not.

    Args:
        line_amounts: Amount of each line in dollars.
        tax_rate_percent: Rate of the tax on the net amount, in percent.
        prices_include_tax: Whether the amounts are gross.
        rounded_by: Whether the tax is rounded to cents for each line or once for the invoice, halves up.
    """
    rate = share(tax_rate_percent)
    taxes = [to_cents(line) * (rate / (1 + rate) if prices_include_tax else rate) for line in line_amounts]
    by_level = {"line": sum(map(round_half_up, taxes)), "invoice": round_half_up(sums.total(taxes))}
    tax, amount = by_level[rounded_by], sum(map(to_cents, line_amounts))
    return SalesTax(
        net_total=usd(amount - tax if prices_include_tax else amount),
        tax_total=usd(tax),
        gross_total=usd(amount if prices_include_tax else amount + tax),
        rounding_gap=usd(2 * tax - by_level["line"] - by_level["invoice"]),
    )
