"""Tests of bookkeeping/petty_cash: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.bookkeeping.values import cents, refused

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
