"""Tests of taxes_and_payroll/travel_costs: expected values worked out by hand, or anew in another way."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.taxes_and_payroll.values import cents, hours, refused

# Travel

TRIP: dict[str, Any] = {
    "first_day": "2026-03-02",
    "last_day": "2026-03-05",
    "daily_meal_rate": 60,
    "nightly_lodging_rate": 110,
}


def test_travel_allowances() -> None:
    assert call("work_out_travel_allowance", **TRIP) == {
        "travel_days": 4,
        "paid_nights": 3,
        "meals_before_reduction": 210,  # two days in full, two at 75 %
        "meal_reduction": 0,
        "lodging": 330,
        "total_allowance": 540,
    }
    meals = ["breakfast", "breakfast", "dinner"]
    found = call("work_out_travel_allowance", **TRIP, meals_provided=meals, free_nights=1, edge_day_percent=50)
    assert (found["meals_before_reduction"], found["meal_reduction"], found["lodging"]) == (180, 54, 220)
    day_trip: dict[str, Any] = {**TRIP, "last_day": "2026-03-02"}
    fed = call("work_out_travel_allowance", **day_trip, meals_provided=["breakfast", "lunch", "dinner"])
    assert (fed["meals_before_reduction"], fed["total_allowance"]) == (45, 0)
    assert refused("work_out_travel_allowance", **{**TRIP, "last_day": "2026-03-01"}) == "last_day"
    assert refused("work_out_travel_allowance", **{**TRIP, "last_day": "2026-05-03"}) == "last_day"
    assert refused("work_out_travel_allowance", **TRIP, free_nights=4) == "free_nights"
    assert refused("work_out_travel_allowance", **TRIP, meals_provided=["lunch"] * 5) == "meals_provided"


@given(st.integers(0, 61), cents.filter(lambda rate: rate <= 1000), st.lists(st.sampled_from(["lunch", "dinner"])))
def test_provided_meals_only_lower_the_allowance(days: int, rate: float, meals: list[str]) -> None:
    meals = meals[: days + 1]
    trip: dict[str, Any] = {
        **TRIP,
        "last_day": (date(2026, 3, 2) + timedelta(days=days)).isoformat(),
        "daily_meal_rate": rate,
    }
    full, less = (call("work_out_travel_allowance", **trip, meals_provided=given) for given in ([], meals))
    assert 0 <= less["total_allowance"] <= full["total_allowance"]
    assert full["meals_before_reduction"] <= rate * (days + 1) + 0.01


def test_mileage() -> None:
    found = call("reimburse_mileage", trip_distances=[30, 12.5], distance_unit="mile", rate_per_mile=0.7)
    assert found == {"claimed_miles": 42.5, "mileage_amount": 29.75, "total_amount": 29.75}
    more = call(
        "reimburse_mileage",
        trip_distances=[30, 12.5],
        distance_unit="mile",
        rate_per_mile=0.7,
        round_trips=True,
        usual_commute=15,
        tolls_and_parking=8.5,
    )
    assert more == {"claimed_miles": 30, "mileage_amount": 21, "total_amount": 29.5}
    metric = call("reimburse_mileage", trip_distances=[160.9344], distance_unit="kilometer", rate_per_mile=0.655)
    assert metric == {"claimed_miles": 100, "mileage_amount": 65.5, "total_amount": 65.5}
    with pytest.raises(ToolError):
        call("reimburse_mileage", trip_distances=[-1], distance_unit="mile", rate_per_mile=0.7)


@given(st.lists(hours, min_size=1, max_size=31), hours, st.booleans())
def test_a_commute_never_makes_a_claim_larger(ways: list[float], commute: float, both: bool) -> None:
    asked: dict[str, Any] = {"trip_distances": ways, "distance_unit": "mile", "rate_per_mile": 0.5, "round_trips": both}
    plain, less = call("reimburse_mileage", **asked), call("reimburse_mileage", **asked, usual_commute=commute)
    assert 0 <= less["mileage_amount"] <= plain["mileage_amount"]
    assert plain["claimed_miles"] == pytest.approx(sum(ways) * (1 + both), abs=0.006)
