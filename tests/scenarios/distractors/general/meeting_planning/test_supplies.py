"""Tests of meeting_planning/supplies: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call


def test_catering_by_hand() -> None:
    lunch: dict[str, Any] = {"attendees": 10, "serving": "lunch", "minutes": 100, "vegetarians": 3, "vegans": 1}
    assert call("plan_meeting_catering", **lunch, spare_percent=10) == {
        "standard_portions": 20,  # 18 and a tenth
        "vegetarian_portions": 10,
        "vegan_portions": 4,
        "coffee_litres": 2.5,  # 20 cups of 150 ml, 70 % of them, and a tenth: 2.31
        "tea_litres": 1.0,  # 0.99
        "water_litres": 5.5,
    }
    assert call("plan_meeting_catering", **lunch | {"serving": "reception"})["vegan_portions"] == 5
    assert call("plan_meeting_catering", **lunch, tea_percent=100)["coffee_litres"] == 0
    with pytest.raises(ToolError, match="among 10"):
        call("plan_meeting_catering", **lunch | {"vegans": 8})


@given(st.integers(1, 99), st.integers(1, 600), st.integers(0, 100))
@settings(deadline=None, max_examples=50)
def test_one_guest_more_never_takes_less(attendees: int, minutes: int, spare: int) -> None:
    orders = [
        call("plan_meeting_catering", attendees=n, serving="breakfast", minutes=minutes, spare_percent=spare)
        for n in (attendees, attendees + 1)
    ]
    assert all(orders[0][name] <= orders[1][name] for name in orders[0])


def test_bandwidth_by_hand() -> None:
    asked: dict[str, Any] = {
        "participants": 5,
        "cameras_on": 3,
        "picture": "720p",
        "screen_shared": True,
        "call_minutes": 60,
    }
    expected = {"upload_mbps": 2.76, "download_mbps": 5.94, "received_gigabytes": 2.67}
    assert call("estimate_video_bandwidth", **asked) == expected
    assert call("estimate_video_bandwidth", **asked, topology="mesh")["upload_mbps"] == 11.04
    assert call("estimate_video_bandwidth", **asked | {"cameras_on": 5})["download_mbps"] == 7.44
    voices = call("estimate_video_bandwidth", **asked | {"cameras_on": 0, "screen_shared": False})
    assert (voices["upload_mbps"], voices["download_mbps"]) == (0.06, 0.24)
    with pytest.raises(ToolError, match="at most the 5 participants"):
        call("estimate_video_bandwidth", **asked | {"cameras_on": 6})
