"""Tests of foreign_exchange/prices: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.foreign_exchange.values import codes, refused

# Prices


def prices(**arguments: Any) -> list[float]:
    return [line["price"] for line in call("list_foreign_prices", **arguments)["prices"]]


def test_prices_in_other_currencies() -> None:
    dollars: dict[str, Any] = {"price": 100, "price_currency": "USD"}
    assert prices(**dollars, target_currencies=["EUR", "JPY", "BHD", "USD"]) == [85.3, 15620, 37.6, 100]
    assert prices(**dollars, target_currencies=["EUR"], markup_percent=10) == [93.83]
    assert prices(**dollars, target_currencies=["EUR"], markup_percent=10, ending="whole") == [94]
    assert prices(price=9.99, price_currency="USD", target_currencies=["CAD"]) == [13.71]
    assert prices(price=9.99, price_currency="USD", target_currencies=["CAD"], ending="smallest_coin") == [13.75]
    assert prices(price=10, price_currency="EUR", target_currencies=["GBP"]) == [8.69]  # 7.415 / 0.853 = 8.6928…
    assert refused("list_foreign_prices", **dollars, target_currencies=["EUR", "EUR"]) == "target_currencies"


@given(st.integers(1, 10**6), codes, codes)
def test_endings_never_lower_a_price(cents: int, home: str, target: str) -> None:
    asked: dict[str, Any] = {"price": cents / 100, "price_currency": home, "target_currencies": [target]}
    plain, coin, whole = (prices(**asked, ending=ending)[0] for ending in ("exact", "smallest_coin", "whole"))
    assert plain <= coin + 0.005 and plain <= whole + 0.5 and whole == int(whole)


# Remittances


def test_remittances() -> None:
    asked: dict[str, Any] = {"amount_usd": 1000, "target_currency": "EUR", "payout": "cash", "within_hours": 48}
    found = call("compare_remittance_services", **asked, fee_handling="on_top")
    assert found["services_left_out"] == 3
    assert found["offers"] == [
        {"service": "Heron Transfer", "fee": 4.9, "paid": 1004.9, "received": 842.76, "hours": 24},
        {"service": "Cordel Express", "fee": 9, "paid": 1009, "received": 832.52, "hours": 2},
        {"service": "Bluegate Remit", "fee": 0, "paid": 1000, "received": 828.26, "hours": 12},
    ]

    def order(**arguments: Any) -> list[str]:
        answer = call("compare_remittance_services", **asked, **arguments)
        return [offer["service"].split()[0] for offer in answer["offers"]]

    assert order(fee_handling="on_top", rank_by="paid") == ["Bluegate", "Heron", "Cordel"]
    assert order(fee_handling="on_top", rank_by="speed") == ["Cordel", "Bluegate", "Heron"]
    deducted = call("compare_remittance_services", **asked, fee_handling="deducted")["offers"][0]
    assert (deducted["paid"], deducted["received"]) == (1000, 838.63)
    dollars: dict[str, Any] = {**asked, "target_currency": "USD"}
    assert refused("compare_remittance_services", **dollars, fee_handling="on_top") == "target_currency"


def test_a_fee_that_eats_up_the_amount() -> None:
    found = call(
        "compare_remittance_services",
        amount_usd=1,
        target_currency="EUR",
        payout="wallet",
        within_hours=240,
        fee_handling="deducted",
    )
    assert found == {"offers": [], "services_left_out": 6}


@given(st.integers(100, 5_000_000), codes.filter(lambda code: code != "USD"))
def test_deducting_the_fee_never_delivers_more(cents: int, code: str) -> None:
    asked: dict[str, Any] = {
        "amount_usd": cents / 100,
        "target_currency": code,
        "payout": "account",
        "within_hours": 240,
    }
    above, within = (
        {offer["service"]: offer for offer in call("compare_remittance_services", **asked, fee_handling=way)["offers"]}
        for way in ("on_top", "deducted")
    )
    for name, offer in within.items():
        assert offer["received"] <= above[name]["received"]
        assert offer["paid"] == cents / 100 <= above[name]["paid"]
