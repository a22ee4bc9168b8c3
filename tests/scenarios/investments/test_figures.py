"""Hand-computed figures: lots, wash sales, margin, concentration, cash and required distributions."""

import pytest

from teller_gym.base.errors import ErrorKind, ToolError
from tests.scenarios.investments.desk import ACCOUNT, INVESTMENTS, call, desk, lot

SOLD_ON = {"sold_on": "2026-03-04", "symbol": "ABCD", "account_id": ACCOUNT}


def test_first_in_first_out() -> None:
    bank = desk(lots={"LT-100001": lot("2024-01-05", 100, 4000), "LT-100002": lot("2025-06-05", 100, 5500)})
    found = call(
        bank, "calculate_realized_gain", **SOLD_ON, sale_price=50.0, lot_sales=["LT-100001:100", "LT-100002:50"],
        long_term_lot_ids=["LT-100001"],
    )  # fmt: skip
    assert (found["sold_quantity"], found["long_term_result"], found["short_term_result"]) == (150, 1000.0, -250.0)


@pytest.mark.parametrize(("replaced", "disallowed"), [(0, 0.0), (60, 600.0), (100, 1000.0), (140, 1000.0)])
def test_wash_sale(replaced: int, disallowed: float) -> None:
    lots = {"LT-100001": lot("2025-01-06", 100, 5000), "LT-100002": lot("2026-02-20", 140, 4200)}
    bank = desk(lots=lots)
    call(
        bank, "calculate_realized_gain", **SOLD_ON, sale_price=40.0, lot_sales=["LT-100001:100"],
        long_term_lot_ids=["LT-100001"],
    )  # fmt: skip
    found = call(
        bank, "check_wash_sale", account_id=ACCOUNT, symbol="ABCD", window_start="2026-02-02",
        loss_lot_ids=["LT-100001"], replacement_lot_ids=["LT-100002"] if replaced else [],
        replacement_quantity=replaced,
    )  # fmt: skip
    assert found["disallowed_loss"] == disallowed
    assert found["reportable_result"] == disallowed - 1000.0


def test_a_lot_sold_at_its_cost_is_no_loss_lot() -> None:
    lots = {"LT-100001": lot("2025-01-06", 100, 4000), "LT-100002": lot("2025-02-06", 50, 4001)}
    bank = desk(lots=lots)
    call(
        bank, "calculate_realized_gain", **SOLD_ON, sale_price=40.0, lot_sales=["LT-100001:100", "LT-100002:50"],
        long_term_lot_ids=[],
    )  # fmt: skip
    asked = {"account_id": ACCOUNT, "symbol": "ABCD", "window_start": "2026-02-02", "replacement_lot_ids": []}
    found = call(bank, "check_wash_sale", **asked, loss_lot_ids=["LT-100002"], replacement_quantity=0)
    assert found["reportable_result"] == -0.5
    with pytest.raises(ToolError) as caught:
        call(bank, "check_wash_sale", **asked, loss_lot_ids=["LT-100001"], replacement_quantity=0)
    assert caught.value.field == "loss_lot_ids"


def test_no_wash_sale_before_the_gain() -> None:
    with pytest.raises(ToolError) as caught:
        call(
            desk(), "check_wash_sale", account_id=ACCOUNT, symbol="ABCD", window_start="2026-02-02", loss_lot_ids=[],
            replacement_lot_ids=[], replacement_quantity=0,
        )  # fmt: skip
    assert caught.value.kind is ErrorKind.ORDER and "calculate_realized_gain" in caught.value.message


def test_margin_by_class() -> None:
    found = call(
        desk("withdrawal", account_type="margin"), "calculate_margin_requirement", account_id=ACCOUNT,
        debit_balance=30000.0, full_value=5000.0, leveraged_value=8000.0, concentrated_value=40000.0,
        standard_value=27000.0,
    )  # fmt: skip
    # 5,000 + 6,000 + 16,000 + 8,100 = 35,100, which is less than half of 80,000
    assert found["maintenance_requirement"] == 35100.0
    assert (found["equity"], found["margin_deficiency"], found["withdrawable_amount"]) == (50000.0, 0.0, 10000.0)


def test_a_deficiency_is_what_equity_lacks() -> None:
    found = call(
        desk("withdrawal", account_type="margin"), "calculate_margin_requirement", account_id=ACCOUNT,
        debit_balance=7100.01, full_value=0.0, leveraged_value=0.0, concentrated_value=0.0, standard_value=10000.0,
    )  # fmt: skip
    assert (found["margin_deficiency"], found["withdrawable_amount"]) == (100.01, 0.0)


@pytest.mark.parametrize(
    ("age", "divisor", "required"), [(73, 26.5, 10000.0), (88, 13.7, 19343.07), (120, 2.0, 132500.0)]
)
def test_required_distribution(age: int, divisor: float, required: float) -> None:
    assert INVESTMENTS.policy.divisors[age] == round(divisor * 100)
    found = call(
        desk("distribution", account_type="traditional_ira"), "calculate_required_distribution", tax_year=2026,
        account_ids=[ACCOUNT], age_reached=age, divisor=divisor, year_end_balance=265000.0, taken_this_year=1000.0,
    )  # fmt: skip
    assert found == {"required_distribution": required, "remaining_distribution": required - 1000.0}


def test_exactly_the_limit_is_permitted() -> None:
    bank = desk("purchase")
    bank.put("profiles", bank.reference("RP", "IR-100001"), {"owner": "IR-100001"})
    for portfolio, permitted in ((100000.0, 100), (99999.99, 99)):
        found = call(
            bank, "check_concentration", ordered_symbol="ABCD", ordered_quantity=400, unit_price=100.0,
            held_value=5000.0, portfolio_value=portfolio, limit_percent=15.0,
        )  # fmt: skip
        assert found["permitted_quantity"] == permitted


def test_cash_covers_whole_shares_and_the_fee() -> None:
    bank = desk("purchase")
    bank.put("concentrations", bank.reference("CC", "IR-100001"), {"owner": "IR-100001"})
    found = call(
        bank, "check_available_cash", account_id=ACCOUNT, cash_balance=1500.0, counted_credits=600.0,
        reserved_debits=100.0, cash_reserve=990.0, amount_needed=2006.95, unit_price=100.0, order_fee=6.95,
    )  # fmt: skip
    assert found == {"available_cash": 1010.0, "covered_quantity": 10, "covered_amount": 1006.95}


def test_divisors_reach_to_120() -> None:
    divisors = INVESTMENTS.policy.divisors
    assert list(divisors) == list(range(73, 121)) and sorted(divisors.values(), reverse=True) == list(divisors.values())
