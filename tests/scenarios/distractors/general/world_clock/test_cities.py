"""Tests of world_clock/cities: expected values worked out by hand, or anew in another way."""

from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.world_clock.values import DAYS, refused


def test_city_times_by_hand() -> None:
    asked: dict[str, Any] = {"day": "2026-03-04", "clock_time": "09:30", "from_city": "Chicago", "to_city": "tokyo"}
    assert call("convert_city_time", **asked) == {
        "local_date": "2026-03-05",
        "local_time": "00:30",
        "weekday": "Thursday",
        "day_shift": 1,
        "hours_ahead": 15,
    }
    assert call("convert_city_time", **asked, summer_time="from_city")["local_time"] == "23:30"
    assert call("convert_city_time", **asked | {"to_city": "Kathmandu"})["hours_ahead"] == 11.75
    assert "Honolulu" in refused("convert_city_time", "to_city", **asked | {"to_city": "Atlantis"})
    refused("convert_city_time", "day", **asked | {"day": "9999-12-31"})


@given(DAYS, st.times(), st.sampled_from(["Honolulu", "London", "Tehran", "Kiritimati"]))
def test_city_times_go_there_and_back(day: date, time: Any, city: str) -> None:
    clock = f"{time:%H:%M}"
    there = call("convert_city_time", day=f"{day}", clock_time=clock, from_city="Lima", to_city=city)
    back = call(
        "convert_city_time",
        day=there["local_date"],
        clock_time=there["local_time"],
        from_city=city,
        to_city="Lima",
    )
    assert (back["local_date"], back["local_time"]) == (f"{day}", clock)
    assert back["hours_ahead"] == -there["hours_ahead"]


def test_meeting_slots_by_hand() -> None:
    asked: dict[str, Any] = {"meeting_date": "2026-03-06", "cities": ["New York", "London"], "duration_minutes": 60}
    found = call("find_meeting_slots", **asked, max_slots=1)
    assert found == {"slots": [["09:00", "14:00"]], "slots_found": 5}
    asked = {"meeting_date": "2026-03-06", "cities": ["Los Angeles", "Tokyo"], "duration_minutes": 60}
    assert call("find_meeting_slots", **asked)["slots"] == []  # Friday there is Saturday here
    assert call("find_meeting_slots", **asked, allow_weekends=True)["slots"] == [["16:00", "09:00 (+1 day)"]]
    near: dict[str, Any] = {
        "meeting_date": "2026-03-04",
        "cities": ["Paris", "Rome"],
        "duration_minutes": 90,
        "step_minutes": 60,
    }
    assert call("find_meeting_slots", **near)["slots_found"] == 7
    assert call("find_meeting_slots", **near, keep_lunch_free=True)["slots_found"] == 5
    refused("find_meeting_slots", "latest_end", **near, latest_end="10:00")
    refused("find_meeting_slots", "cities", **near | {"cities": ["Paris", "paris "]})


@given(st.lists(st.sampled_from(["Paris", "Lagos", "Cairo", "Dubai"]), min_size=2, unique=True), st.integers(15, 300))
def test_a_longer_meeting_never_fits_more_often(cities: list[str], minutes: int) -> None:
    def count(duration: int) -> int:
        asked: dict[str, Any] = {"meeting_date": "2026-03-04", "cities": cities, "duration_minutes": duration}
        found: int = call("find_meeting_slots", **asked, step_minutes=15)["slots_found"]
        return found

    assert count(minutes + 15) <= count(minutes) <= 96


def minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


def test_known_sunrises() -> None:
    london: dict[str, Any] = {"day": "2026-06-21", "latitude": 51.51, "longitude": -0.13, "utc_offset_hours": 1}
    found = call("get_sunrise_times", **london)
    assert abs(minutes(found["morning"]) - minutes("04:43")) <= 2
    assert abs(minutes(found["evening"]) - minutes("21:22")) <= 2
    assert call("get_sunrise_times", **london, eye_height_m=100)["minutes_above"] > found["minutes_above"]
    assert call("get_sunrise_times", **london, hills_degrees=5)["minutes_above"] < found["minutes_above"]
    assert call("get_sunrise_times", **london, limit="astronomical")["course"] == "above_all_day"
    assert "set both to 0" in refused("get_sunrise_times", "limit", **london, limit="civil", hills_degrees=1)
    tromso: dict[str, Any] = {"latitude": 69.65, "longitude": 18.96, "utc_offset_hours": 1}
    assert call("get_sunrise_times", day="2026-12-21", **tromso)["course"] == "below_all_day"
    summer = call("get_sunrise_times", day="2026-06-21", **tromso)
    assert (summer["course"], summer["minutes_above"], summer["morning"]) == ("above_all_day", 1440, None)


@given(DAYS, st.floats(-90, 90), st.floats(-180, 180))
def test_twilight_is_longer_than_the_day(day: date, latitude: float, longitude: float) -> None:
    place: dict[str, Any] = {"day": f"{day}", "latitude": latitude, "longitude": longitude, "utc_offset_hours": 0}
    limits = ("sunrise", "civil", "nautical", "astronomical")
    above = [call("get_sunrise_times", **place, limit=limit)["minutes_above"] for limit in limits]
    assert 0 <= above[0] <= above[1] <= above[2] <= above[3] <= 1440
