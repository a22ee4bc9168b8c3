"""Results of the bookkeeping tools and the longer of their computations, in cents inside; no tools."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Literal

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, fmt_usd, percent, round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial._checks import check_length, check_unlike
from teller_gym.tools.tool import Result


class Depreciation(Result):
    """One year's write-off and where it leaves the asset, in dollars."""

    depreciation: float
    accumulated_depreciation: float
    book_value: float
    fully_depreciated: bool


def depreciate(
    method: str,
    asset_cost: float,
    salvage_value: float,
    show_year: int,
    useful_life_years: int | None,
    first_year_months: int,
    declining_factor: float,
    lifetime_units: int | None,
    units_by_year: list[int] | None,
) -> Depreciation:
    """Return the write-off of one year; see the tool ``compute_depreciation``."""
    cost, base = to_cents(asset_cost), to_cents(asset_cost) - to_cents(salvage_value)
    if base < 0:
        raise invalid("salvage_value", f"expected at most the cost, {fmt_usd(cost)}, got {salvage_value}")
    if method == "units_of_production":
        before, after = _written_off_by_units(base, show_year, lifetime_units, units_by_year)
    else:
        if useful_life_years is None:
            raise invalid("useful_life_years", f"expected a number of years for {method}, got none")
        last = useful_life_years + (first_year_months < 12)
        if show_year > last:
            raise invalid("show_year", f"expected one of the {last} years in which the asset is used, got {show_year}")
        if method == "straight_line":
            before, after = (
                round_half_up(Fraction(base * months, 12 * useful_life_years))
                for months in _months_used(show_year, first_year_months, useful_life_years)
            )
        else:
            rate = exact(declining_factor) / useful_life_years
            before = after = 0
            for year in range(1, show_year + 1):
                start, end = _months_used(year, first_year_months, useful_life_years)
                before = after
                after += min(round_half_up((cost - after) * rate * (end - start) / 12), base - after)
    return Depreciation(
        depreciation=usd(after - before),
        accumulated_depreciation=usd(after),
        book_value=usd(cost - after),
        fully_depreciated=after == base,
    )


def _months_used(year: int, first_year_months: int, life: int) -> tuple[int, int]:
    """Months of use before and after the given year."""
    end = first_year_months + 12 * (year - 1)
    return max(end - 12, 0), min(end, 12 * life)


def _written_off_by_units(base: int, year: int, lifetime: int | None, by_year: list[int] | None) -> tuple[int, int]:
    if lifetime is None:
        raise invalid("lifetime_units", "expected a number of units for units_of_production, got none")
    if by_year is None or len(by_year) < year:
        raise invalid("units_by_year", f"expected units for {year} years, got {len(by_year or ())}")
    before, after = (
        round_half_up(Fraction(base * min(sum(by_year[:count]), lifetime), lifetime)) for count in (year - 1, year)
    )
    return before, after


class StockValue(Result):
    """Cost of what was sold and value of what is left, in dollars; the value is after any write-down."""

    cost_of_goods_sold: float
    ending_units: int
    ending_value: float
    write_down: float


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


class BreakEven(Result):
    """Break-even in units and dollars, and the room above it; a negative margin is a planned loss."""

    break_even_units: int
    break_even_sales: float
    margin_of_safety_units: int
    margin_of_safety_percent: float
    planned_profit: float
    units_for_target: int


def find_break_even(
    unit_price: float,
    variable_unit_cost: float,
    fixed_costs: float,
    planned_units: int,
    target_profit: float,
    profit_tax_percent: float,
) -> BreakEven:
    """Find the break-even of a product; see the tool ``analyze_break_even``."""
    price, fixed = to_cents(unit_price), to_cents(fixed_costs)
    contribution = price - to_cents(variable_unit_cost)
    if contribution <= 0:
        raise invalid("variable_unit_cost", f"expected less than the price, {unit_price}, got {variable_unit_cost}")
    before_tax = to_cents(target_profit) / (1 - exact(profit_tax_percent) / 100)
    units = -(-fixed // contribution)
    margin = planned_units - units
    return BreakEven(
        break_even_units=units,
        break_even_sales=usd(units * price),
        margin_of_safety_units=margin,
        margin_of_safety_percent=round_half_up(Fraction(10_000 * margin, planned_units)) / 100,
        planned_profit=usd(planned_units * contribution - fixed),
        units_for_target=-(-(fixed + before_tax) // contribution),
    )


class InvoiceTotal(Result):
    """Totals of an invoice in dollars; ``overpaid`` is what a deposit exceeds the total by."""

    lines_total: float
    invoice_discount: float
    sales_tax: float
    invoice_total: float
    amount_due: float
    overpaid: float


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


class BudgetVariance(Result):
    """Totals in dollars; the variance is positive when it is good for the result."""

    total_budgeted: float
    total_actual: float
    variance: float
    variance_percent: float | None
    lines_out_of_tolerance: list[str]


class CostShares(Result):
    """Share of each cost center in dollars and in percent, in the order given; the dollars add up to the cost."""

    cost_shares: list[float]
    share_percents: list[float]
    largest_center: str


def allocate(
    shared_cost: float,
    cost_centers: list[str],
    key_values: list[float],
) -> CostShares:
    """Share a cost by key values, to the cent; see the tool ``allocate_shared_cost``."""
    check_unlike("cost_centers", cost_centers)
    check_length("key_values", key_values, "cost_centers", cost_centers)
    keys = [exact(value) for value in key_values]
    whole = sum(keys)
    if not whole:
        raise invalid("key_values", "expected at least one value above 0, got only zeros")
    parts = [to_cents(shared_cost) * key / whole for key in keys]
    shares = [int(share) for share in parts]
    by_fraction = sorted(range(len(keys)), key=lambda at: (shares[at] - parts[at], at))
    for at in by_fraction[: to_cents(shared_cost) - sum(shares)]:
        shares[at] += 1
    return CostShares(
        cost_shares=[usd(share) for share in shares],
        share_percents=[round_half_up(10_000 * key / whole) / 100 for key in keys],
        largest_center=cost_centers[keys.index(max(keys))],
    )


class CashCount(Result):
    """What lies in the box and what should, in dollars; a negative difference is money missing."""

    cash_counted: float
    cash_expected: float
    difference: float
    finding: Literal["balanced", "over", "short"]
    refill_needed: float


class JournalBalance(Result):
    """Sums of both sides in dollars; the difference is debits less credits."""

    total_debits: float
    total_credits: float
    difference: float
    balanced: bool
    likely_cause: Literal["none", "amount_left_out", "amount_on_wrong_side", "digits_swapped", "unknown"]


def compare_sides(
    debit_amounts: list[float],
    credit_amounts: list[float],
) -> JournalBalance:
    """Compare debits and credits; see the tool ``check_journal_balance``."""
    debits, credits = ([to_cents(amount) for amount in side] for side in (debit_amounts, credit_amounts))
    difference = sum(debits) - sum(credits)
    gap, heavier = abs(difference), debits if difference > 0 else credits
    cause: Literal["none", "amount_left_out", "amount_on_wrong_side", "digits_swapped", "unknown"] = "unknown"
    if gap == 0:
        cause = "none"
    elif gap in heavier:
        cause = "amount_left_out"
    elif gap % 2 == 0 and gap // 2 in heavier:
        cause = "amount_on_wrong_side"
    elif gap % 9 == 0:
        cause = "digits_swapped"
    return JournalBalance(
        total_debits=usd(sum(debits)),
        total_credits=usd(sum(credits)),
        difference=usd(difference),
        balanced=gap == 0,
        likely_cause=cause,
    )


class Commission(Result):
    """A commission in dollars; ``tier_reached`` counts from 1, ``carried_over`` is an advance not yet earned."""

    commission: float
    tier_reached: int
    effective_percent: float
    payout: float
    carried_over: float


def earn_commission(
    sales_amount: float,
    tier_starts: list[float],
    tier_percents: list[float],
    tier_mode: str,
    returned_goods: float,
    advance_paid: float,
) -> Commission:
    """Work out a commission; see the tool ``calculate_sales_commission``."""
    check_length("tier_percents", tier_percents, "tier_starts", tier_starts)
    starts = [to_cents(start) for start in tier_starts]
    if starts[0] or any(low >= high for low, high in pairwise(starts)):
        raise invalid("tier_starts", f"expected rising amounts with 0 first, got {tier_starts}")
    sales = to_cents(sales_amount) - to_cents(returned_goods)
    if sales < 0:
        raise invalid("returned_goods", f"expected at most the sales, {sales_amount}, got {returned_goods}")
    tier = sum(start <= sales for start in starts)
    rates = [exact(rate) / 100 for rate in tier_percents]
    if tier_mode == "all_at_highest_tier":
        earned = round_half_up(sales * rates[tier - 1])
    else:
        ends = [*starts[1:tier], sales]
        parts = zip(starts[:tier], ends, rates[:tier], strict=True)
        earned = round_half_up(sum(((end - start) * rate for start, end, rate in parts), Fraction(0)))
    payout = earned - to_cents(advance_paid)
    return Commission(
        commission=usd(earned),
        tier_reached=tier,
        effective_percent=percent(earned, sales) if sales else 0,
        payout=usd(max(payout, 0)),
        carried_over=usd(max(-payout, 0)),
    )
