"""Tests of travel/hotels: expected values worked out by hand, or anew in another way."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import TODAY, call, empty_bank
from tests.scenarios.distractors.general.travel.values import refused

STAY: dict[str, Any] = {
    "hotel": "tower_inn",
    "room": "family",
    "guest_name": "Ann  Lee",
    "arrival_day": "2026-05-01",
    "nights": 3,
    "guests": 2,
}


def test_rooms_on_hold() -> None:
    bank = empty_bank()
    held = call("hold_hotel_room", bank, **STAY, breakfast=True)
    assert held["total_price"] == 3 * (133 + 2 * 11)
    assert (held["departure_day"], held["held_until"]) == ("2026-05-04", "2026-03-07")
    assert call("hold_hotel_room", bank, **STAY)["hold_id"] == held["hold_id"]  # the same stay, without breakfast
    other = STAY | {"guest_name": "Bo Kim"}
    with pytest.raises(ToolError, match="2026-05-03, when all are taken"):
        call("hold_hotel_room", bank, **other | {"arrival_day": "2026-05-03"})
    call("hold_hotel_room", bank, **other | {"arrival_day": "2026-04-28"})
    call("hold_hotel_room", bank, **other | {"hotel": "harbor_house"})
    listed = call("list_hotel_holds", bank, hotel="tower_inn")
    assert listed["holds_found"] == 2
    assert listed["total_price"] == 2 * 3 * 133
    assert listed["holds"][1] == f"{held['hold_id']}: tower_inn family, Ann Lee, 2026-05-01 to 2026-05-04"
    assert call("list_hotel_holds", bank, guest_name="bo kim")["holds_found"] == 2
    assert call("list_hotel_holds", bank, arriving_until="2026-04-30")["holds_found"] == 1
    assert all(record["owner"] == "misc" for _, record in bank.rows("misc_hotel_holds"))


def test_rooms_that_cannot_be_held() -> None:
    refused("hold_hotel_room", "arrival_day", **STAY | {"arrival_day": "2026-03-03"})
    refused("hold_hotel_room", "arrival_day", **STAY | {"arrival_day": "2027-03-05"})
    refused("hold_hotel_room", "guests", **STAY | {"room": "single"})
    refused("list_hotel_holds", "guest_name", guest_name="1")
    soon = call("hold_hotel_room", **STAY | {"arrival_day": "2026-03-05"}, hold_days=14)
    assert soon["held_until"] == "2026-03-05"


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(1, 4), st.sampled_from(["An", "Bo", "Cy", "Di"])), max_size=12)
)
def test_no_night_is_held_too_often(wishes: list[tuple[int, int, str]]) -> None:
    bank = empty_bank()
    for day, nights, guest in wishes:
        arrival = f"{TODAY + timedelta(days=day)}"
        try:
            call("hold_hotel_room", bank, **STAY | {"arrival_day": arrival, "nights": nights, "guest_name": guest})
        except ToolError:
            continue
    stays = [(row["arrival_day"], row["departure_day"]) for _, row in bank.rows("misc_hotel_holds")]
    nights_held = [f"{TODAY + timedelta(days=night)}" for night in range(12)]
    assert all(sum(start <= night < end for start, end in stays) <= 1 for night in nights_held)
    assert all(date.fromisoformat(start) < date.fromisoformat(end) for start, end in stays)
