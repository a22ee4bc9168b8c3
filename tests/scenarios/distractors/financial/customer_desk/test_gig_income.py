"""Income from platforms, by hand and added up anew."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused

WORK: dict[str, Any] = {
    "gross_pay": [1_000, 2_000],
    "platform_fee_percent": 20,
    "miles_driven": 500,
    "cents_per_mile": 60,
    "hours_per_week": 25,
}


def test_income_by_hand() -> None:
    # 3,000 less 600, 300 and 100 leaves 2,000, a quarter of it for tax.
    assert call("estimate_gig_income", **WORK, equipment_costs=100) == {
        "monthly_income": 750,
        "monthly_costs": 500,
        "set_aside_for_tax": 250,
        "best_month_percent": 33.33,
        "pay_pattern": "uneven",
    }
    rooms = call("estimate_gig_income", **WORK, pay_type="rooms", tax_reserve_percent=0)
    assert (rooms["monthly_income"], rooms["monthly_costs"]) == (1_200, 300)
    assert call("estimate_gig_income", **WORK | {"hours_per_week": 9})["pay_pattern"] == "seasonal"
    assert call("estimate_gig_income", **WORK | {"gross_pay": [500, 500]})["pay_pattern"] == "steady"
    loss = call("estimate_gig_income", **WORK, equipment_costs=5_000)
    assert (loss["monthly_income"], loss["set_aside_for_tax"]) == (-1_450, 0)
    refused("gross_pay", "estimate_gig_income", **WORK | {"gross_pay": [0, 0]})


@given(st.lists(st.integers(1, 10**7), min_size=1, max_size=24))
def test_what_comes_in_goes_somewhere(payouts: list[int]) -> None:
    found = call("estimate_gig_income", **WORK | {"gross_pay": [cents / 100 for cents in payouts]})
    parts = sum(found[name] for name in ("monthly_income", "monthly_costs", "set_aside_for_tax"))
    assert abs(parts - sum(payouts) / 100 / len(payouts)) < 0.02
