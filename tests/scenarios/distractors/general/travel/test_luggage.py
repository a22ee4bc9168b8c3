"""Tests of travel/luggage: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.travel.values import refused

CABIN: dict[str, Any] = {"cabin_weight_kg": 7, "cabin_length_cm": 23, "cabin_width_cm": 55, "cabin_height_cm": 40}


def test_luggage_by_hand() -> None:
    assert call("check_luggage_allowance", fare="light", checked_weights_kg=[], **CABIN) == {
        "accepted": True,
        "fee": 0,
        "remarks": [],
    }

    def fee(fare: str, weights: list[float], **other: Any) -> Any:
        return call("check_luggage_allowance", fare=fare, checked_weights_kg=weights, **CABIN | other)["fee"]

    assert fee("light", [20]) == 45
    assert fee("light", [20], frequent_flyer=True) == 0
    assert fee("flex", [23, 23.5]) == 30
    assert fee("standard", [20], cabin_weight_kg=8.5) == 45
    assert fee("standard", [20], cabin_length_cm=24) == 45
    assert fee("business", [32.1]) is None
    refused("check_luggage_allowance", "fare", fare="first", checked_weights_kg=[], **CABIN)


@given(st.lists(st.floats(0, 32), max_size=5), st.floats(0, 32))
def test_one_piece_more_is_never_cheaper(weights: list[float], more: float) -> None:
    few = call("check_luggage_allowance", fare="standard", checked_weights_kg=weights, **CABIN)
    many = call("check_luggage_allowance", fare="standard", checked_weights_kg=[*weights, more], **CABIN)
    assert few["fee"] <= many["fee"] <= few["fee"] + 75


def test_packing_by_hand() -> None:
    found = call("list_packing_items", days=3, weather="mild", trip="business", travellers=2)
    assert found["items"][:3] == ["6 × shirt", "8 × underwear", "8 × pair of socks"]
    # Each: shirts 540 g, underwear 280, socks 240, trousers 450, nightwear 300, toilet bag 600, charger 120,
    # sweater 420, suit 1400, shoes 900.
    assert found["total_kg"] == 10.5
    beach = call("list_packing_items", days=12, weather="warm", trip="beach", travellers=3)["items"]
    assert "2 × bottle of sun cream" in beach
    assert "9 × swimwear" in beach
    with pytest.raises(ToolError):
        call("list_packing_items", days=0, weather="warm", trip="beach")


@given(st.integers(1, 60), st.integers(2, 30), st.sampled_from(["warm", "mild", "cold", "rainy"]))
def test_washing_never_makes_luggage_heavier(days: int, wash: int, weather: str) -> None:
    asked: dict[str, Any] = {"days": days, "weather": weather, "trip": "hike"}
    washed = call("list_packing_items", **asked, wash_every_days=wash)["total_kg"]
    assert washed <= call("list_packing_items", **asked)["total_kg"]
