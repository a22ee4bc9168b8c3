"""Equipment as collateral, by hand from the desk's table."""

from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused

PRESS: dict[str, Any] = {
    "collateral_type": "machinery",
    "purchase_price": 100_000,
    "bought_on": "2026-03-04",
    "condition": "new",
    "requested_amount": 52_000,
}


def test_equipment_by_hand() -> None:
    assert call("assess_equipment_collateral", **PRESS) == {
        "collateral_value": 80_000,
        "max_advance": 52_000,
        "advance_ratio_percent": 65,
        "collateral_finding": "sufficient",
    }
    asked = PRESS | {"requested_amount": 52_000.01}
    assert call("assess_equipment_collateral", **asked)["collateral_finding"] == "insufficient"
    used = call("assess_equipment_collateral", **PRESS | {"condition": "worn"}, prior_liens=6_000, units=2)
    assert (used["collateral_value"], used["max_advance"]) == (112_000, 68_900)
    assert call("assess_equipment_collateral", **PRESS, fixed_to_building=True)["max_advance"] == 26_000
    old = call("assess_equipment_collateral", **PRESS | {"bought_on": "2010-01-01"})
    assert (old["collateral_finding"], old["advance_ratio_percent"]) == ("worn_out", None)
    refused("bought_on", "assess_equipment_collateral", **PRESS | {"bought_on": "2026-03-05"})
    refused("requested_amount", "assess_equipment_collateral", **PRESS | {"requested_amount": 0})


@given(st.dates(date(2010, 1, 1), date(2026, 3, 4)), st.integers(0, 10**9))
def test_nothing_is_worth_more_than_it_cost(bought: date, price: int) -> None:
    found = call("assess_equipment_collateral", **PRESS | {"bought_on": str(bought), "purchase_price": price / 100})
    assert 0 <= found["max_advance"] <= found["collateral_value"] <= price / 100
