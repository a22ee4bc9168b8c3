"""Tests of sport_and_health/body: expected values worked out by hand, or anew in another way."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.sport_and_health.values import Arguments, refusal

BODY: Arguments = {"weight_kg": 80, "height_cm": 200, "waist_cm": 85, "hip_cm": 100}


def test_body_ratios() -> None:
    assert call("assess_body_ratios", **BODY, sex="male") == {
        "body_mass_index": 20,
        "weight_class": "normal",
        "waist_to_height": 0.42,
        "waist_to_hip": 0.85,
        "raised_risk": False,
    }
    assert call("assess_body_ratios", **BODY, sex="female")["raised_risk"] is True
    assert call("assess_body_ratios", **BODY | {"waist_cm": 100, "hip_cm": 150}, sex="male")["raised_risk"] is True
    classes = [
        call("assess_body_ratios", **BODY | {"weight_kg": kilograms}, sex="male")["weight_class"]
        for kilograms in (73.9, 74, 99, 100, 119, 120)  # 18.475, 18.5, 24.75, 25, 29.75 and 30, shown with one decimal
    ]
    assert classes == ["normal", "normal", "normal", "overweight", "overweight", "obese"]
    assert call("assess_body_ratios", **BODY | {"weight_kg": 73}, sex="male")["weight_class"] == "underweight"
    assert refusal("assess_body_ratios", **BODY | {"height_cm": 1.8}, sex="male") == "height_cm"


@given(st.floats(25, 300), st.floats(25, 300))
def test_the_index_grows_with_the_weight(one: float, other: float) -> None:
    low, high = sorted((one, other))
    indices = [call("assess_body_ratios", **BODY | {"weight_kg": kg}, sex="male") for kg in (low, high)]
    assert indices[0]["body_mass_index"] <= indices[1]["body_mass_index"]


def test_heart_rate_zones() -> None:
    # 208 - 28 = 180; the reserve over 60 is 120
    reserve = call("calculate_heart_rate_zones", age=40, resting_rate=60, method="share_of_reserve")
    zones = ["120-132", "132-144", "144-156", "156-168", "168-180"]
    assert reserve == {"maximum": 180, "zones": zones}
    plain: Arguments = {"age": 40, "resting_rate": 60, "method": "share_of_maximum"}
    measured = call("calculate_heart_rate_zones", **plain, measured_maximum=190)
    assert (measured["zones"][0], measured["maximum"]) == ("95-114", 190)
    assert refusal("calculate_heart_rate_zones", **plain, measured_maximum=60) == "resting_rate"


@given(st.integers(10, 100), st.integers(25, 130))
def test_zones_join_and_end_at_the_maximum(age: int, resting: int) -> None:
    found = call("calculate_heart_rate_zones", age=age, resting_rate=resting, method="share_of_reserve")
    limits = [tuple(map(int, zone.split("-"))) for zone in found["zones"]]
    assert all(one[1] == other[0] for one, other in pairwise(limits))
    assert limits[0][0] > resting
    assert limits[-1][1] == found["maximum"]


TRAINING: Arguments = {"weight_before_kg": 70, "weight_after_kg": 69, "drunk_ml": 600, "urine_ml": 100, "minutes": 60}


def test_hydration() -> None:
    # 1000 + 600 - 100 ml an hour; two hours lose 3000 ml, of which 1400 (2 %) may stay away
    found = call("plan_hydration", **TRAINING, planned_minutes=120)
    assert found == {"sweat_ml_per_hour": 1_500, "drink_ml": 1_600, "bottles": 3}
    assert call("plan_hydration", **TRAINING, planned_minutes=30)["drink_ml"] == 0
    heavier: Arguments = TRAINING | {"weight_after_kg": 71}
    assert refusal("plan_hydration", **heavier, planned_minutes=60) == "weight_after_kg"


@given(st.integers(10, 600), st.integers(200, 3000))
def test_the_bottles_hold_the_drink(minutes: int, bottle: int) -> None:
    found = call("plan_hydration", **TRAINING, planned_minutes=minutes, bottle_ml=bottle)
    assert (found["bottles"] - 1) * bottle < max(1, found["drink_ml"]) <= max(1, found["bottles"] * bottle)
