"""Tests of meeting_rooms/bookings: expected values worked out by hand, or anew in another way."""

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
