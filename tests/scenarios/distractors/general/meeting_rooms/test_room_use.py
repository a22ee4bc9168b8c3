"""Tests of meeting_rooms/room_use: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call


def test_utilisation_by_hand() -> None:
    day: dict[str, Any] = {"room": "Beech", "opens_at": "08:00", "closes_at": "18:00", "meeting_minutes": [60, 60, 60]}
    day |= {"meeting_starts": ["17:30", "09:30", "09:00"], "attendees": [4, 10, 5]}
    # 09:00 to 10:30 with half an hour twice, and 17:30 to 18:00; (60 * 5 + 60 * 10 + 30 * 4) of 150 * 10 seat minutes.
    assert call("measure_room_utilisation", **day) == {
        "used_minutes": 120,
        "utilisation_percent": 20.0,
        "double_booked_minutes": 30,
        "longest_gap_minutes": 420,
        "seat_fill_percent": 68.0,
    }
    for wrong in ({"attendees": [4, 11, 5]}, {"attendees": [4]}, {"closes_at": "08:00"}):
        with pytest.raises(ToolError):
            call("measure_room_utilisation", **day | wrong)


@given(st.lists(st.tuples(st.integers(0, 23), st.integers(1, 600)), min_size=1, max_size=15))
@settings(deadline=None, max_examples=50)
def test_used_minutes_are_those_that_some_meeting_covers(meetings: list[tuple[int, int]]) -> None:
    measured = call(
        "measure_room_utilisation",
        room="Oak",
        opens_at="08:00",
        closes_at="18:00",
        meeting_starts=[f"{hour:02d}:00" for hour, _ in meetings],
        meeting_minutes=[minutes for _, minutes in meetings],
        attendees=[80] * len(meetings),
    )
    covered = {60 * hour + i for hour, minutes in meetings for i in range(minutes)} & set(range(480, 1080))
    assert measured["used_minutes"] == len(covered)
    assert measured["seat_fill_percent"] == (100 if covered else 0)


@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        ("theatre", (88, 8, 11, 0.91)),
        ("classroom", (55, 5, 11, 1.45)),
        ("boardroom", (22, 4, 10, 3.64)),
        ("u_shape", (30, 3, 11, 2.67)),
    ],
)
def test_seats_by_hand(layout: str, expected: tuple[float, ...]) -> None:
    seating = call("plan_seating_layout", layout=layout, room_length_m=10, room_width_m=8)  # 8 by 7 metres usable
    assert tuple(seating.values()) == expected
    with pytest.raises(ToolError, match="one too small"):
        call("plan_seating_layout", layout=layout, room_length_m=2, room_width_m=8)


@given(st.floats(3, 59), st.floats(3, 59), st.sampled_from(["theatre", "classroom", "boardroom", "u_shape"]))
@settings(deadline=None, max_examples=50)
def test_a_longer_room_seats_no_fewer(length: float, width: float, layout: str) -> None:
    def seats(length: float) -> int:
        try:
            made = call("plan_seating_layout", layout=layout, room_length_m=length, room_width_m=width)
        except ToolError:
            return 0
        return int(made["seats"])

    assert seats(length) <= seats(length + 1)
