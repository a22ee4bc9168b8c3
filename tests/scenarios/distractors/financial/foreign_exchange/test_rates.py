"""Tests of foreign_exchange/rates: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.foreign_exchange.values import codes, refused

# Rates


def test_cross_rates() -> None:
    pair: dict[str, Any] = {"base_currency": "EUR", "quote_currency": "USD"}
    mid = call("quote_cross_rate", **pair, basis="mid")
    assert mid == {"rate": 1.17233, "inverse_rate": 0.853, "margin_percent": 0, "card_date": "2026-01-05"}
    assert call("quote_cross_rate", **pair, basis="customer_buys_base")["rate"] == 1.19578
    pounds = call("quote_cross_rate", base_currency="GBP", quote_currency="JPY", basis="customer_sells_base")
    assert (pounds["rate"], pounds["margin_percent"]) == (201.175, -4.5)
    short = call("quote_cross_rate", base_currency="GBP", quote_currency="JPY", basis="mid", significant_digits=3)
    assert short["rate"] == 211
    assert refused("quote_cross_rate", base_currency="EUR", quote_currency="EUR", basis="mid") == "quote_currency"
    assert refused("quote_cross_rate", base_currency="XAU", quote_currency="EUR", basis="mid") == "base_currency"


@given(codes, codes)
def test_a_customer_never_gains_at_the_counter(base: str, quote: str) -> None:
    if base == quote:
        return
    pair: dict[str, Any] = {"base_currency": base, "quote_currency": quote, "significant_digits": 10}
    buys, mid, sells = (
        call("quote_cross_rate", **pair, basis=basis) for basis in ("customer_buys_base", "mid", "customer_sells_base")
    )
    assert buys["rate"] > mid["rate"] > sells["rate"]
    assert mid["rate"] * mid["inverse_rate"] == pytest.approx(1, rel=1e-8)


def test_margins_in_pips_percent_and_money() -> None:
    euros: dict[str, Any] = {"base_currency": "EUR", "quote_currency": "USD", "mid_rate": 1.1, "base_amount": 1000}
    found = call("measure_rate_margin", **euros, offered_rate=1.115, customer_side="buys_base")
    assert found == {
        "pips": 150,
        "margin_percent": 1.3636,
        "margin_in_quote": 15,
        "margin_in_base": 13.64,
        "pip_size": 0.0001,
    }
    favored = call("measure_rate_margin", **euros, offered_rate=1.115, customer_side="sells_base", pip_decimals=2)
    assert (favored["pips"], favored["margin_in_quote"]) == (-1.5, -15)
    yen: dict[str, Any] = {"base_currency": "USD", "quote_currency": "JPY", "mid_rate": 150, "base_amount": 10}
    assert call("measure_rate_margin", **yen, offered_rate=149.4, customer_side="sells_base")["pips"] == 60
    twice: dict[str, Any] = {**euros, "quote_currency": "EUR"}
    assert refused("measure_rate_margin", **twice, offered_rate=1, customer_side="buys_base") == "quote_currency"
