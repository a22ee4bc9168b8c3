"""Tests of payments_and_trade/discounts: expected values worked out by hand, or anew in another way."""

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import TODAY, call, not_accepted
from tests.scenarios.distractors.financial.payments_and_trade.values import cents

# Discounts

OFFER: dict[str, Any] = {
    "invoice_amount": 5_000,
    "discount_percent": 2,
    "invoice_date": "2026-03-01",
    "discount_days": 10,
    "net_days": 30,
    "daily_cash_cost": 1.25,
}


def test_discount_by_hand() -> None:
    assert call("weigh_early_payment_discount", **OFFER) == {
        "discount_until": "2026-03-11",
        "due_date": "2026-03-31",
        "discount": 100,
        "cost_of_paying_early": 25,
        "advantage": 75,
        "decision": "pay_early",
    }

    def decision(**changed: Any) -> str:
        result: str = call("weigh_early_payment_discount", **OFFER | changed)["decision"]
        return result

    assert decision(daily_cash_cost=5) == "no_difference"
    assert decision(daily_cash_cost=5.01) == "pay_at_due_date"
    assert decision(invoice_date="2026-02-22") == "pay_early"
    assert decision(invoice_date="2026-02-21") == "discount_expired"
    not_accepted("discount_days", "weigh_early_payment_discount", **OFFER | {"discount_days": 30})
    not_accepted("invoice_date", "weigh_early_payment_discount", **OFFER | {"invoice_date": "9999-12-01"})


@given(st.integers(0, 10**9), st.integers(0, 100), st.integers(0, 10**5), st.integers(1, 120), st.integers(1, 200))
def test_the_larger_amount_decides(amount: int, percent: int, daily: int, early: int, more: int) -> None:
    result = call(
        "weigh_early_payment_discount",
        invoice_amount=amount / 100,
        discount_percent=percent,
        invoice_date=TODAY.isoformat(),
        discount_days=early,
        net_days=early + more,
        daily_cash_cost=daily / 100,
    )
    advantage = Fraction((amount * percent + 50) // 100) - daily * more
    assert cents(result["advantage"]) == advantage
    assert (result["decision"] == "pay_early") == (advantage > 0)
