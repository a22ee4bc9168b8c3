"""Insured deposits and a merchant's reserve."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import branch_bank, call

ZOE, BOTH = ["CU-100001"], ["CU-100001", "CU-100002"]


@pytest.mark.parametrize(
    ("arguments", "insured", "uninsured"),
    [
        ({"customer_ids": ZOE, "ownership": "single"}, 250_000, 62_000),
        ({"customer_ids": ZOE, "ownership": "single", "closing_accounts": ["AC-2"]}, 12_000, 0),
        ({"customer_ids": BOTH, "ownership": "joint"}, 312_500, 0),
        ({"customer_ids": BOTH, "ownership": "joint", "planned_deposit": 200_000}, 500_000, 12_500),
        ({"customer_ids": ZOE, "ownership": "trust", "beneficiaries": 2}, 312_000, 0),
        ({"customer_ids": ZOE, "ownership": "trust", "beneficiaries": 9, "planned_deposit": 1e6}, 1_250_000, 62_000),
        ({"customer_ids": ZOE, "ownership": "joint", "beneficiaries": 9}, 250_000, 62_000),
    ],
)
def test_insured_deposits(arguments: dict[str, Any], insured: float, uninsured: float) -> None:
    found = call("calculate_insured_deposits", branch_bank(), **arguments)
    assert (found["amount_below_limit"], found["amount_above_limit"]) == (insured, uninsured)
    assert "AC-3" not in found["counted_accounts"] and "AC-4" not in found["counted_accounts"]


def test_owners_that_cannot_be() -> None:
    for owners in (BOTH, ZOE * 2):
        with pytest.raises(Exception, match="customer_ids: expected each owner once, one if single"):
            call("calculate_insured_deposits", branch_bank(), customer_ids=owners, ownership="single")


BATCH: dict[str, Any] = {
    "deposit_amount": 1_000,
    "deposit_kind": "card_batch",
    "months_as_merchant": 12,
    "chargeback_percent": 0.5,
    "usual_deposit": 800,
}


def test_holds_by_hand() -> None:
    assert call("calculate_merchant_hold", **BATCH) == {
        "available_now": 1_000,
        "held_amount": 0,
        "hold_days": 0,
        "hold_reason": "none",
    }
    new = call("calculate_merchant_hold", **BATCH | {"months_as_merchant": 5}, weekend_batch=True)
    assert (new["held_amount"], new["hold_days"], new["hold_reason"]) == (100, 4, "new_merchant")
    all_four = BATCH | {"deposit_kind": "remote_check", "months_as_merchant": 0, "chargeback_percent": 1.1}
    bad = call("calculate_merchant_hold", **all_four | {"deposit_amount": 2_400.01})
    assert (bad["held_amount"], bad["hold_days"], bad["hold_reason"]) == (960, 9, "many_chargebacks")
    assert call("calculate_merchant_hold", **all_four | {"deposit_kind": "cash"})["held_amount"] == 0


@given(st.integers(0, 10**9), st.integers(0, 100))
def test_nothing_is_lost(amount: int, reserve: int) -> None:
    batch = BATCH | {"deposit_amount": amount / 100, "months_as_merchant": 1, "reserve_percent": reserve}
    found = call("calculate_merchant_hold", **batch)
    assert round(found["available_now"] * 100) + round(found["held_amount"] * 100) == amount
