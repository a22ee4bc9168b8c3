"""Tests of foreign_exchange/cash: expected values worked out by hand, or anew in another way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.foreign_exchange.values import CURRENCIES, codes, refused

# Cash


@pytest.mark.parametrize(
    ("amount", "currency", "direction", "cash"),
    [
        (12.37, "CHF", "nearest", 12.35),
        (12.38, "CHF", "nearest", 12.4),
        (12.36, "CHF", "up", 12.4),
        (12.39, "CHF", "down", 12.35),
        (1.05, "NZD", "nearest", 1.1),
        (99.5, "SEK", "nearest", 100),
        (7.25, "DKK", "nearest", 7.5),
        (1232, "HUF", "nearest", 1230),
        (1233, "HUF", "nearest", 1235),
        (994, "KRW", "nearest", 990),
        (1.002, "BHD", "nearest", 1),
        (0, "USD", "up", 0),
    ],
)
def test_cash_is_rounded_to_the_smallest_coin(amount: float, currency: str, direction: str, cash: float) -> None:
    found = call("round_cash_amount", amount=amount, currency=currency, direction=direction)
    assert found["cash_amount"] == cash
    assert found["difference"] == round(cash - amount, 3)


def test_amounts_that_a_currency_does_not_have() -> None:
    assert refused("round_cash_amount", amount=10.5, currency="JPY") == "amount"
    assert refused("round_cash_amount", amount=1.2345, currency="BHD") == "amount"
    assert refused("round_cash_amount", amount=1, currency="XYZ") == "currency"


@given(st.integers(0, 10**9), codes)
def test_rounding_moves_by_less_than_a_coin(units: int, code: str) -> None:
    amount = units / 10 ** CURRENCIES[code].decimals
    if amount > 10_000_000:
        return
    found = {way: call("round_cash_amount", amount=amount, currency=code, direction=way) for way in ("up", "down")}
    near = call("round_cash_amount", amount=amount, currency=code)
    assert 0 <= found["up"]["difference"] < near["smallest_coin"]
    assert 0 <= -found["down"]["difference"] < near["smallest_coin"]
    assert abs(near["difference"]) <= near["smallest_coin"] / 2
