"""Bookkeeping: expected values are worked out by hand, or anew in another way."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from tests.scenarios.distractors.desk import call, empty_bank


def refused(name: str, field: str, **arguments: Any) -> None:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert (caught.value.kind, caught.value.field) == (ErrorKind.VALIDATION, field)


def cents(dollars: float) -> int:
    return round(dollars * 100)


# Depreciation

MACHINE: dict[str, Any] = {"asset_cost": 10_000, "salvage_value": 1_000}


def written_off(method: str, years: int, **more: Any) -> list[float]:
    arguments: dict[str, Any] = {**MACHINE, "method": method, **more}
    return [call("compute_depreciation", show_year=year, **arguments)["depreciation"] for year in range(1, years + 1)]


def test_depreciation_by_hand() -> None:
    assert written_off("straight_line", 3, useful_life_years=3) == [3_000] * 3
    assert written_off("straight_line", 4, useful_life_years=3, first_year_months=4) == [1_000, 3_000, 3_000, 2_000]
    assert written_off("declining_balance", 5, useful_life_years=5) == [4_000, 2_400, 1_440, 864, 296]
    assert written_off("declining_balance", 2, useful_life_years=5, declining_factor=1.5) == [3_000, 2_100]
    assert written_off("declining_balance", 2, useful_life_years=5, first_year_months=6) == [2_000, 3_200]
    assert written_off("units_of_production", 3, lifetime_units=900, units_by_year=[300, 500, 400]) == [
        3_000,
        5_000,
        1_000,
    ]
    assert call("compute_depreciation", method="declining_balance", show_year=5, useful_life_years=5, **MACHINE) == {
        "depreciation": 296,
        "accumulated_depreciation": 9_000,
        "book_value": 1_000,
        "fully_depreciated": True,
    }


def test_depreciation_refuses_what_is_missing_or_too_much() -> None:
    by_time: dict[str, Any] = {**MACHINE, "method": "straight_line", "show_year": 4}
    refused("compute_depreciation", "useful_life_years", **by_time)
    refused("compute_depreciation", "show_year", **by_time, useful_life_years=3)
    refused("compute_depreciation", "salvage_value", **{**by_time, "salvage_value": 10_000.01}, useful_life_years=9)
    by_units: dict[str, Any] = {**MACHINE, "method": "units_of_production", "show_year": 2}
    refused("compute_depreciation", "lifetime_units", **by_units, units_by_year=[1, 2])
    refused("compute_depreciation", "units_by_year", **by_units, lifetime_units=10, units_by_year=[1])
    refused("compute_depreciation", "units_by_year", **by_units, lifetime_units=10)


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(1, 12), st.integers(1, 12), st.booleans())
def test_a_life_of_depreciation_adds_up(one: int, other: int, life: int, months: int, straight: bool) -> None:
    cost, salvage = max(one, other), min(one, other)
    arguments: dict[str, Any] = {
        "method": "straight_line" if straight else "declining_balance",
        "asset_cost": cost / 100,
        "salvage_value": salvage / 100,
        "useful_life_years": life,
        "first_year_months": months,
    }
    last = life + (months < 12)
    years = [call("compute_depreciation", show_year=year, **arguments) for year in range(1, last + 1)]
    assert sum(cents(year["depreciation"]) for year in years) == cents(years[-1]["accumulated_depreciation"])
    assert all(cents(year["book_value"]) >= salvage and year["depreciation"] >= 0 for year in years)
    if straight:
        assert cents(years[-1]["book_value"]) == salvage


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


# Break-even

PRODUCT: dict[str, Any] = {"unit_price": 25, "variable_unit_cost": 15, "fixed_costs": 1_005, "planned_units": 150}


def test_break_even_by_hand() -> None:
    assert call("analyze_break_even", **PRODUCT, target_profit=300, profit_tax_percent=25) == {
        "break_even_units": 101,
        "break_even_sales": 2_525,
        "margin_of_safety_units": 49,
        "margin_of_safety_percent": 32.67,
        "planned_profit": 495,
        "units_for_target": 141,  # 1,405 over 10
    }
    assert call("analyze_break_even", **PRODUCT | {"planned_units": 80})["margin_of_safety_percent"] == -26.25
    refused("analyze_break_even", "variable_unit_cost", **PRODUCT | {"variable_unit_cost": 25})


@given(st.integers(1, 10**6), st.integers(0, 10**6), st.integers(0, 10**8), st.integers(1, 10**6))
def test_break_even_is_the_first_unit_count_without_loss(margin: int, variable: int, fixed: int, planned: int) -> None:
    result = call(
        "analyze_break_even",
        unit_price=(variable + margin) / 100,
        variable_unit_cost=variable / 100,
        fixed_costs=fixed / 100,
        planned_units=planned,
    )
    units = result["break_even_units"]
    assert units * margin >= fixed > (units - 1) * margin or units == fixed == 0
    assert (result["planned_profit"] >= 0) == (planned >= units)
    assert result["units_for_target"] == units


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


# Budgets and shared costs


def test_budget_by_hand() -> None:
    lines: dict[str, Any] = {
        "line_names": ["Rent", "Travel", "Gifts"],
        "budgeted": [1_000, 200, 0],
        "actual": [1_050, 180, 0.01],
    }
    assert call("compare_budget_to_actual", **lines, line_kind="expense") == {
        "total_budgeted": 1_200,
        "total_actual": 1_230.01,
        "variance": -30.01,
        "variance_percent": -2.5,
        "lines_out_of_tolerance": ["Travel", "Gifts"],  # rent is over by just 5 %
    }
    wide = call("compare_budget_to_actual", **lines, line_kind="revenue", tolerance_percent=10)
    assert (wide["variance"], wide["lines_out_of_tolerance"]) == (30.01, ["Gifts"])
    empty: dict[str, Any] = {"line_names": ["Rent"], "budgeted": [0], "actual": [0], "line_kind": "expense"}
    assert call("compare_budget_to_actual", **empty)["variance_percent"] is None
    refused("compare_budget_to_actual", "line_names", **lines | {"line_names": ["A", "B", "A"]}, line_kind="expense")
    refused("compare_budget_to_actual", "budgeted", **lines | {"budgeted": [1, 2]}, line_kind="expense")
    refused("compare_budget_to_actual", "actual", **lines | {"actual": [1, 2]}, line_kind="expense")


@given(st.lists(st.tuples(st.integers(0, 10**8), st.integers(0, 10**8)), min_size=1, max_size=8))
def test_what_is_good_for_revenue_is_bad_for_expenses(lines: list[tuple[int, int]]) -> None:
    names = [f"Line {at}" for at in range(len(lines))]
    plans, facts = [plan / 100 for plan, _ in lines], [fact / 100 for _, fact in lines]
    up, down = (
        call("compare_budget_to_actual", line_names=names, budgeted=plans, actual=facts, line_kind=kind)
        for kind in ("revenue", "expense")
    )
    assert cents(up["variance"]) == -cents(down["variance"]) == sum(fact - plan for plan, fact in lines)
    outside = [name for name, (plan, fact) in zip(names, lines, strict=True) if 20 * abs(fact - plan) > plan]
    assert up["lines_out_of_tolerance"] == down["lines_out_of_tolerance"] == outside


def test_shared_cost_by_hand() -> None:
    names = ["Tellers", "Vault", "Canteen"]
    assert call("allocate_shared_cost", shared_cost=100, cost_centers=names, key_values=[1, 1, 1]) == {
        "cost_shares": [33.34, 33.33, 33.33],
        "share_percents": [33.33, 33.33, 33.33],
        "largest_center": "Tellers",
    }
    floors = call("allocate_shared_cost", shared_cost=1_000, cost_centers=names, key_values=[12.5, 25, 62.5])
    assert (floors["cost_shares"], floors["largest_center"]) == ([125, 250, 625], "Canteen")
    refused("allocate_shared_cost", "key_values", shared_cost=1, cost_centers=names, key_values=[0, 0, 0])
    refused("allocate_shared_cost", "key_values", shared_cost=1, cost_centers=names, key_values=[1, 2])
    refused("allocate_shared_cost", "cost_centers", shared_cost=1, cost_centers=["A", "A"], key_values=[1, 2])


@given(st.integers(0, 10**10), st.lists(st.floats(0, 10**6), min_size=1, max_size=30).filter(any))
def test_shares_add_up_and_are_within_a_cent(cost: int, keys: list[float]) -> None:
    names = [f"Center {at}" for at in range(len(keys))]
    shares = call("allocate_shared_cost", shared_cost=cost / 100, cost_centers=names, key_values=keys)["cost_shares"]
    assert sum(map(cents, shares)) == cost
    whole = sum(map(Fraction, keys))
    for share, key in zip(shares, keys, strict=True):
        assert abs(cents(share) - cost * Fraction(key) / whole) < 1 + Fraction(1, 100)  # keys are read as decimals


# Petty cash


def test_petty_cash_by_hand() -> None:
    box: dict[str, Any] = {
        "twenties": 3,
        "tens": 2,
        "fives": 1,
        "ones": 4,
        "quarters": 3,
        "dimes": 2,
        "nickels": 1,
        "pennies": 4,
    }
    assert call("count_petty_cash", fund_amount=200, vouchers_total=110, **box) == {
        "cash_counted": 90.04,  # 60 + 20 + 5 + 4 + 0.75 + 0.20 + 0.05 + 0.04
        "cash_expected": 90,
        "difference": 0.04,
        "finding": "over",
        "refill_needed": 109.96,
    }
    assert call("count_petty_cash", fund_amount=20, vouchers_total=0, twenties=1)["finding"] == "balanced"
    assert call("count_petty_cash", fund_amount=20, vouchers_total=5.5, tens=1)["difference"] == -4.5
    refused("count_petty_cash", "vouchers_total", fund_amount=20, vouchers_total=20.01)


COINS = {
    "twenties": 2000,
    "tens": 1000,
    "fives": 500,
    "ones": 100,
    "quarters": 25,
    "dimes": 10,
    "nickels": 5,
    "pennies": 1,
}


@given(st.fixed_dictionaries({name: st.integers(0, 10_000) for name in COINS}))
def test_every_coin_counts(box: dict[str, Any]) -> None:
    result = call("count_petty_cash", fund_amount=50, vouchers_total=0, **box)
    counted = sum(COINS[name] * count for name, count in box.items())
    assert cents(result["cash_counted"]) == counted == cents(result["difference"]) + 5_000
    assert result["finding"] == ("balanced" if counted == 5_000 else "over" if counted > 5_000 else "short")


# Journal


@pytest.mark.parametrize(
    ("debits", "credits", "cause"),
    [
        ([100, 50.5], [150.5], "none"),
        ([100, 50], [100], "amount_left_out"),
        ([30, 70], [70, 20, 70], "unknown"),
        ([100, 40, 25], [115], "amount_on_wrong_side"),
        ([540], [450], "digits_swapped"),
        ([100], [101], "unknown"),
    ],
)
def test_slips_in_a_journal_entry(debits: list[float], credits: list[float], cause: str) -> None:
    result = call("check_journal_balance", debit_amounts=debits, credit_amounts=credits)
    assert result["likely_cause"] == cause
    assert result["balanced"] == (cause == "none") == (result["difference"] == 0)
    assert result["difference"] == sum(debits) - sum(credits)
    mirrored = call("check_journal_balance", debit_amounts=credits, credit_amounts=debits)
    assert (mirrored["likely_cause"], mirrored["difference"]) == (cause, -result["difference"])


def test_a_journal_entry_needs_both_sides() -> None:
    refused("check_journal_balance", "credit_amounts", debit_amounts=[1], credit_amounts=[])


@given(st.integers(10, 10**6), st.lists(st.integers(1, 10**6), min_size=1, max_size=5))
def test_swapped_digits_are_found(number: int, rest: list[int]) -> None:
    wrong = number // 100 * 100 + number % 10 * 10 + number // 10 % 10
    debits, credits = [number / 100, *(n / 100 for n in rest)], [wrong / 100, *(n / 100 for n in rest)]
    result = call("check_journal_balance", debit_amounts=debits, credit_amounts=credits)
    assert cents(result["difference"]) == number - wrong
    assert result["likely_cause"] != "unknown"
    assert (result["likely_cause"] == "none") == (number == wrong)


STAMPS: dict[str, Any] = {
    "entry_date": "2026-02-10",
    "debit_account": "6300",
    "credit_account": "1010",
    "amount": 42.5,
    "voucher_number": "PC-118",
    "memo": "Stamps",
    "cost_center": "Front desk",
}


def test_entries_are_posted_and_listed() -> None:
    bank = empty_bank()
    assert call("list_journal_entries", bank)["matching_entries"] == 0
    stamps = call("post_journal_entry", bank, **STAMPS)
    assert stamps["profit_effect"] == -42.5
    assert call("post_journal_entry", bank, **STAMPS) == stamps
    fee = STAMPS | {"entry_date": "2026-01-05", "debit_account": "1010", "credit_account": "4100", "amount": 10}
    assert call("post_journal_entry", bank, **fee)["profit_effect"] == 10
    chair: dict[str, Any] = {
        "debit_account": "1500",
        "credit_account": "2000",
        "cost_center": None,
        "entry_date": "2026-03-04",
    }
    assert call("post_journal_entry", bank, **STAMPS | chair)["profit_effect"] == 0

    everything = call("list_journal_entries", bank)
    assert [line["entry_date"] for line in everything["entries"]] == ["2026-01-05", "2026-02-10", "2026-03-04"]
    assert (everything["total_debited"], everything["total_credited"]) == (95, 95)
    assert everything["entries"][1] == {
        "entry_id": stamps["entry_id"],
        **{name: STAMPS[name] for name in ("entry_date", "debit_account", "credit_account", "amount", "memo")},
    }
    cash = call("list_journal_entries", bank, ledger_account="1010", from_date="2026-01-05", to_date="2026-02-10")
    assert (cash["matching_entries"], cash["total_debited"], cash["total_credited"]) == (2, 10, 42.5)
    assert call("list_journal_entries", bank, ledger_account="1010", from_date="2026-01-06")["matching_entries"] == 1
    assert call("list_journal_entries", bank, ledger_account="9999")["entries"] == []
    assert {(change.table, change.after["owner"]) for change in bank.diff()} == {("misc_journal_entries", "misc")}


def test_ids_of_entries_do_not_depend_on_order() -> None:
    there, back = empty_bank(), empty_bank()
    entries = [STAMPS | {"amount": amount} for amount in range(1, 13)]
    for bank, order in ((there, entries), (back, entries[::-1])):
        for entry in order:
            call("post_journal_entry", bank, **entry)
    assert there.state_hash() == back.state_hash()
    listed = call("list_journal_entries", there)
    assert (len(listed["entries"]), listed["matching_entries"], listed["total_debited"]) == (10, 12, 78)
    assert listed == call("list_journal_entries", back)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("entry_date", "2026-03-05"),
        ("entry_date", "2025-12-31"),
        ("credit_account", "6300"),
        ("amount", 0),
        ("amount", 1.001),
        ("cost_center", None),
        ("debit_account", "0300"),
        ("voucher_number", "118"),
    ],
)
def test_entries_that_cannot_be_posted(field: str, value: Any) -> None:
    refused("post_journal_entry", field, **STAMPS | {field: value})


def test_a_span_of_days_must_not_end_before_it_begins() -> None:
    refused("list_journal_entries", "to_date", from_date="2026-02-01", to_date="2026-01-31")


# Commissions

TIERS: dict[str, Any] = {"tier_starts": [0, 10_000, 50_000], "tier_percents": [2, 3, 5]}
PARTS: dict[str, Any] = {"tier_mode": "each_part_at_its_tier"}
HIGHEST: dict[str, Any] = {"tier_mode": "all_at_highest_tier"}


def test_commission_by_hand() -> None:
    assert call(
        "calculate_sales_commission", sales_amount=62_000, returned_goods=2_000, advance_paid=1_000, **TIERS, **PARTS
    ) == {
        "commission": 1_900,  # 200 + 1,200 + 500
        "tier_reached": 3,
        "effective_percent": 3.17,
        "payout": 900,
        "carried_over": 0,
    }
    flat = call("calculate_sales_commission", sales_amount=49_999, advance_paid=1_500, **TIERS, **HIGHEST)
    assert (flat["commission"], flat["tier_reached"], flat["carried_over"]) == (1_499.97, 2, 0.03)
    assert call("calculate_sales_commission", sales_amount=50_000, **TIERS, **HIGHEST)["commission"] == 2_500
    assert call("calculate_sales_commission", sales_amount=0, **TIERS, **PARTS)["effective_percent"] == 0


def test_commissions_that_cannot_be() -> None:
    refused("calculate_sales_commission", "returned_goods", sales_amount=1, returned_goods=2, **TIERS, **PARTS)
    for starts in ([1, 2, 3], [0, 2, 2]):
        refused("calculate_sales_commission", "tier_starts", sales_amount=1, **TIERS | {"tier_starts": starts}, **PARTS)
    refused("calculate_sales_commission", "tier_percents", sales_amount=1, **TIERS | {"tier_percents": [1]}, **PARTS)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_more_sales_never_earn_less(one: int, other: int) -> None:
    for mode in (PARTS, HIGHEST):
        low, high = (
            call("calculate_sales_commission", sales_amount=amount / 100, **TIERS, **mode)["commission"]
            for amount in sorted((one, other))
        )
        assert low <= high <= max(one, other) / 100 * 0.05 + 0.01
