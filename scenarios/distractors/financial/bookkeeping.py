"""Bookkeeping of a small firm: assets, stock, invoices, budgets, petty cash, commissions and a journal."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, fmt_usd, round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial._bookkeeping_sums import (
    BreakEven,
    BudgetVariance,
    CashCount,
    Commission,
    CostShares,
    Depreciation,
    InvoiceTotal,
    JournalBalance,
    StockValue,
    add_up_invoice,
    allocate,
    compare_sides,
    depreciate,
    earn_commission,
    find_break_even,
    value_lots,
)
from teller_gym.scenarios.distractors.financial._checks import Label, Share, UnitPrice, check_length, check_unlike
from teller_gym.scenarios.distractors.financial._journal import JournalList, PostedEntry, list_entries, post_entry
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Money, tool

LedgerAccount = Annotated[str, Meta(pattern="^[1-9][0-9]{3}$", max_length=4)]
Pieces = Annotated[int, Meta(ge=0, le=10_000)]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def compute_depreciation(
    bank: Bank,
    method: Literal["straight_line", "declining_balance", "units_of_production"],
    asset_cost: Money,
    salvage_value: Money,
    show_year: Annotated[int, Meta(ge=1, le=51)],
    useful_life_years: Annotated[int, Meta(ge=1, le=50)] | None = None,
    first_year_months: Annotated[int, Meta(ge=1, le=12)] = 12,
    declining_factor: Annotated[float, Meta(ge=1, le=3, extra={"unit": "factor"})] = 2,
    lifetime_units: Annotated[int, Meta(ge=1, le=100_000_000)] | None = None,
    units_by_year: Annotated[list[Annotated[int, Meta(ge=0, le=100_000_000)]], Meta(max_length=50)] | None = None,
) -> Depreciation:
    """Compute the depreciation of a machine or other fixed asset in one year of its life, and its book value after it.
    Amounts are rounded to cents, halves up.

    Args:
        method: How the cost is spread; declining balance never goes below the salvage value.
        asset_cost: Cost of the asset in dollars.
        salvage_value: What it is worth at the end, in dollars.
        show_year: Which year since the purchase, counting from 1.
        useful_life_years: Years of use, for the two methods by time.
        first_year_months: Months of use in the first year; the rest of a life falls into one more year.
        declining_factor: Multiple of the straight-line rate, for declining balance.
        lifetime_units: Units the asset can produce in all, for units of production.
        units_by_year: Units produced in each year so far, for units of production.
    """
    return depreciate(
        method,
        asset_cost,
        salvage_value,
        show_year,
        useful_life_years,
        first_year_months,
        declining_factor,
        lifetime_units,
        units_by_year,
    )


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


@tool(category=Category.FINANCIAL_DISTRACTOR)
def analyze_break_even(
    bank: Bank,
    unit_price: UnitPrice,
    variable_unit_cost: UnitPrice,
    fixed_costs: Money,
    planned_units: Annotated[int, Meta(ge=1, le=10_000_000)],
    target_profit: Money = 0,
    profit_tax_percent: Annotated[float, Meta(ge=0, le=90, extra={"unit": "percent"})] = 0,
) -> BreakEven:
    """Find how many units of a product must be sold to cover its costs or reach a profit, and the margin of safety of
    a plan. Units are rounded up, the percentage to two decimals.

    Args:
        unit_price: Selling price of a unit in dollars.
        variable_unit_cost: Cost that each unit causes, in dollars.
        fixed_costs: Costs of the period that do not depend on units, in dollars.
        planned_units: Units planned to be sold.
        target_profit: Profit wanted after tax, in dollars.
        profit_tax_percent: Tax on the profit in percent; the planned profit is before it.
    """
    return find_break_even(
        unit_price, variable_unit_cost, fixed_costs, planned_units, target_profit, profit_tax_percent
    )


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


@tool(category=Category.FINANCIAL_DISTRACTOR)
def compare_budget_to_actual(
    bank: Bank,
    line_names: Annotated[list[Label], Meta(min_length=1, max_length=30)],
    budgeted: Annotated[list[Money], Meta(min_length=1, max_length=30)],
    actual: Annotated[list[Money], Meta(min_length=1, max_length=30)],
    line_kind: Literal["revenue", "expense"],
    tolerance_percent: Share = 5,
) -> BudgetVariance:
    """Compare the lines of a department's budget with what was booked, and name the lines that deviate too far. The
    percentage of the budget is rounded to two decimals; there is none for a budget of zero.

    Args:
        line_names: Name of each budget line.
        budgeted: Planned amount of each line in dollars.
        actual: Booked amount of each line in dollars.
        line_kind: Whether the lines are revenue, where more is good, or expenses.
        tolerance_percent: Deviation either way, in percent of the budget, that still passes.
    """
    check_unlike("line_names", line_names)
    check_length("budgeted", budgeted, "line_names", line_names)
    check_length("actual", actual, "line_names", line_names)
    plans, facts = [to_cents(amount) for amount in budgeted], [to_cents(amount) for amount in actual]
    variance = (sum(facts) - sum(plans)) * (1 if line_kind == "revenue" else -1)
    share = exact(tolerance_percent) / 100
    lines = zip(line_names, plans, facts, strict=True)
    return BudgetVariance(
        total_budgeted=usd(sum(plans)),
        total_actual=usd(sum(facts)),
        variance=usd(variance),
        variance_percent=round_half_up(Fraction(10_000 * variance, sum(plans))) / 100 if any(plans) else None,
        lines_out_of_tolerance=[name for name, plan, fact in lines if abs(fact - plan) > plan * share],
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def allocate_shared_cost(
    bank: Bank,
    shared_cost: Money,
    cost_centers: Annotated[list[Label], Meta(min_length=1, max_length=30)],
    key_values: Annotated[list[Annotated[float, Meta(ge=0, le=1_000_000)]], Meta(min_length=1, max_length=30)],
) -> CostShares:
    """Allocate a shared cost such as rent or cleaning to cost centers by a key such as floor space or headcount. Shares
    are cut to cents and the cents left over go to the largest fractions, so that nothing is lost; percentages are
    rounded to two decimals.

    Args:
        shared_cost: The cost to be allocated, in dollars.
        cost_centers: The cost centers, each once.
        key_values: Value of the key for each cost center.
    """
    return allocate(
        shared_cost,
        cost_centers,
        key_values,
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def count_petty_cash(
    bank: Bank,
    fund_amount: Money,
    vouchers_total: Money,
    twenties: Pieces = 0,
    tens: Pieces = 0,
    fives: Pieces = 0,
    ones: Pieces = 0,
    quarters: Pieces = 0,
    dimes: Pieces = 0,
    nickels: Pieces = 0,
    pennies: Pieces = 0,
) -> CashCount:
    """Count an office's petty-cash box by bills and coins, and compare it with the fund less the paid vouchers.

    Args:
        fund_amount: Fixed amount of the fund in dollars.
        vouchers_total: Sum of the vouchers paid out of the box since the last refill, in dollars.
        twenties: Number of 20-dollar bills.
        tens: Number of 10-dollar bills.
        fives: Number of 5-dollar bills.
        ones: Number of 1-dollar bills and coins.
        quarters: Number of 25-cent coins.
        dimes: Number of 10-cent coins.
        nickels: Number of 5-cent coins.
        pennies: Number of 1-cent coins.
    """
    fund = to_cents(fund_amount)
    expected = fund - to_cents(vouchers_total)
    if expected < 0:
        raise invalid("vouchers_total", f"expected at most the fund, {fmt_usd(fund)}, got {vouchers_total}")
    bills = 2000 * twenties + 1000 * tens + 500 * fives + 100 * ones
    counted = bills + 25 * quarters + 10 * dimes + 5 * nickels + pennies
    difference = counted - expected
    return CashCount(
        cash_counted=usd(counted),
        cash_expected=usd(expected),
        difference=usd(difference),
        finding="balanced" if difference == 0 else "over" if difference > 0 else "short",
        refill_needed=usd(max(fund - counted, 0)),
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def check_journal_balance(
    bank: Bank,
    debit_amounts: Annotated[list[Money], Meta(min_length=1, max_length=50)],
    credit_amounts: Annotated[list[Money], Meta(min_length=1, max_length=50)],
) -> JournalBalance:
    """Check that the debits and credits of a journal entry or trial balance agree, and guess the slip if they do not: a
    line left out, on the wrong side, or with two neighbouring digits swapped (a difference divisible by 9).

    Args:
        debit_amounts: Amounts on the debit side in dollars.
        credit_amounts: Amounts on the credit side in dollars.
    """
    return compare_sides(
        debit_amounts,
        credit_amounts,
    )


@tool(act=Act.FINAL, category=Category.FINANCIAL_DISTRACTOR)
def post_journal_entry(
    bank: Bank,
    entry_date: date,
    debit_account: LedgerAccount,
    credit_account: LedgerAccount,
    amount: Money,
    voucher_number: Annotated[str, Meta(pattern="^[A-Z]{1,3}-[0-9]{1,6}$", max_length=10)],
    memo: Annotated[str, Meta(pattern="^[ -~]+$", max_length=60)],
    cost_center: Label | None = None,
) -> PostedEntry:
    """Post an entry with one debit and one credit to the branch office's own general ledger. Accounts of classes 1 to 3
    belong to the balance sheet, 4 to 9 to profit and loss. Posting the same entry again changes nothing.

    Args:
        entry_date: Day of the entry, in the current year and not after today.
        debit_account: Ledger account debited, four digits.
        credit_account: Ledger account credited, four digits.
        amount: Amount in dollars, above 0.
        voucher_number: Number of the voucher, such as PC-118.
        memo: What the entry is for.
        cost_center: Cost center, needed when an account of profit and loss takes part.
    """
    return post_entry(
        bank,
        entry_date,
        debit_account,
        credit_account,
        amount,
        voucher_number,
        memo,
        cost_center,
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def list_journal_entries(
    bank: Bank,
    ledger_account: LedgerAccount | None = None,
    from_date: date | None = None,
    to_date: date | None = None,
) -> JournalList:
    """List entries of the branch office's general ledger by day, with what was debited and credited.

    Args:
        ledger_account: Only entries with this account, and sums for it alone.
        from_date: First day to include.
        to_date: Last day to include.
    """
    return list_entries(
        bank,
        ledger_account,
        from_date,
        to_date,
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def calculate_sales_commission(
    bank: Bank,
    sales_amount: Money,
    tier_starts: Annotated[list[Money], Meta(min_length=1, max_length=10)],
    tier_percents: Annotated[list[Share], Meta(min_length=1, max_length=10)],
    tier_mode: Literal["each_part_at_its_tier", "all_at_highest_tier"],
    returned_goods: Money = 0,
    advance_paid: Money = 0,
) -> Commission:
    """Calculate a salesperson's commission from tiers, after returned goods and an advance on it. The commission is
    rounded to cents, halves up, the effective percentage to two decimals.

    Args:
        sales_amount: Sales of the period in dollars.
        tier_starts: Sales at which each tier begins, rising, the first 0, in dollars.
        tier_percents: Commission of each tier in percent.
        tier_mode: Whether each part of the sales earns its own tier's percentage or all the highest tier reached.
        returned_goods: Value of goods that came back, in dollars.
        advance_paid: Commission paid in advance, in dollars.
    """
    return earn_commission(
        sales_amount,
        tier_starts,
        tier_percents,
        tier_mode,
        returned_goods,
        advance_paid,
    )
