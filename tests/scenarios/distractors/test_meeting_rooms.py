"""Meeting rooms: expected values are worked out by hand from the house table."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from teller_gym.tools.bank import Bank
from tests.scenarios.distractors.desk import call, empty_bank

DAY = "2026-03-05"


def book(bank: Bank, **changes: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"room": "Beech", "day": DAY, "start_time": "09:00", "end_time": "10:30", "attendees": 8}
    return call("book_meeting_room", bank, **given | {"organiser": "Mara", "subject": "Budget"} | changes)


def test_rooms_that_fit() -> None:
    found = call("find_meeting_rooms", attendees=10, equipment=["video_system"], limit=2)
    assert found == {"rooms": ["Beech", "Hazel"], "floors": [3, 8], "spare_seats": [0, 2], "total_found": 5}
    assert call("find_meeting_rooms", attendees=12, limit=2)["rooms"] == ["Hazel", "Rowan"]
    assert call("find_meeting_rooms", attendees=12, limit=2, step_free=True)["rooms"] == ["Hazel", "Cedar"]
    with pytest.raises(ToolError, match="all three or none"):
        call("find_meeting_rooms", attendees=12, day=DAY)


@given(st.integers(1, 99))
@settings(deadline=None, max_examples=30)
def test_more_people_find_fewer_rooms(attendees: int) -> None:
    fewer = call("find_meeting_rooms", attendees=attendees + 1)["total_found"]
    assert fewer <= call("find_meeting_rooms", attendees=attendees)["total_found"]


def test_a_booking_takes_the_room_until_it_is_cancelled() -> None:
    bank = empty_bank()
    made = book(bank)
    assert (made["time"], made["minutes"], made["status"]) == ("09:00-10:30", 90, "booked")
    wanted: dict[str, Any] = {"attendees": 10, "equipment": ["video_system"], "day": DAY, "end_time": "11:00"}
    assert call("find_meeting_rooms", bank, **wanted, start_time="10:00")["rooms"][0] == "Hazel"
    assert call("find_meeting_rooms", bank, **wanted, start_time="10:30")["rooms"][0] == "Beech"
    with pytest.raises(ToolError, match="taken then by " + made["booking_id"]):
        book(bank, start_time="10:00", end_time="11:00")
    later = book(bank, start_time="10:30", end_time="11:00")
    listed = call("list_room_bookings", bank, day=DAY)
    assert listed == {"bookings": [made, later], "total_found": 2, "booked_minutes": 120}
    assert call("cancel_room_booking", bank, booking_id=made["booking_id"]) == made | {"status": "cancelled"}
    with pytest.raises(ToolError, match="cancelled booking"):
        call("cancel_room_booking", bank, booking_id=made["booking_id"])
    assert call("list_room_bookings", bank, day=DAY, room="Beech")["bookings"] == [later]
    assert call("list_room_bookings", bank, day=DAY, include_cancelled=True)["total_found"] == 2
    assert call("list_room_bookings", bank, day=DAY, room="Ash")["total_found"] == 0
    assert book(bank) == made


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"room": "Beach"}, "room"),
        ({"day": "2026-03-03"}, "day"),
        ({"day": "2026-09-01"}, "day"),
        ({"start_time": "06:45"}, "end_time"),
        ({"end_time": "20:15"}, "end_time"),
        ({"end_time": "09:14"}, "end_time"),
        ({"end_time": "08:00"}, "end_time"),
        ({"attendees": 11}, "attendees"),
        ({"organiser": " "}, "organiser"),
        ({"subject": "a\nb"}, "subject"),
        ({"start_time": "09:00\n"}, "start_time"),
    ],
)
def test_bookings_that_are_refused(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(ToolError) as refused:
        book(empty_bank(), **changes)
    assert refused.value.field == field


def test_unknown_bookings_and_rooms_are_refused() -> None:
    with pytest.raises(ToolError, match="no booking"):
        call("cancel_room_booking", booking_id="RB-100000")
    with pytest.raises(ToolError, match="did you mean 'Beech'"):
        call("list_room_bookings", day=DAY, room="Beach")


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
