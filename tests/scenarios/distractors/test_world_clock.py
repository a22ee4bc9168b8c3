"""Clocks and calendars; expected values from almanacs, by hand, or by another way of reckoning."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from tests.scenarios.distractors.desk import call, empty_bank

DAYS = st.dates(date(1900, 1, 1), date(2100, 12, 31))


def refused(name: str, field: str, /, **arguments: Any) -> str:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert (caught.value.kind, caught.value.field) == (ErrorKind.VALIDATION, field)
    return caught.value.message


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


def test_calendar_days_by_hand() -> None:
    assert call("describe_calendar_day", day="2027-01-01") == {
        "iso_year": 2026,
        "iso_week": 53,
        "weekday": "Friday",
        "day_of_year": 1,
        "days_left_in_year": 364,
        "leap_year": False,
        "next_leap_year": 2028,
    }
    assert call("describe_calendar_day", day="2024-12-30")["iso_week"] == 1
    assert call("describe_calendar_day", day="1896-06-01")["next_leap_year"] == 1904
    with pytest.raises(ToolError):
        call("describe_calendar_day", day="2027-02-29")


@given(st.dates())
def test_calendar_days_agree_with_the_standard_library(day: date) -> None:
    found = call("describe_calendar_day", day=f"{day}")
    assert f"{day:%j}" == f"{found['day_of_year']:03}"
    assert date.fromisocalendar(found["iso_year"], found["iso_week"], day.isoweekday()) == day
    assert found["leap_year"] == (found["day_of_year"] + found["days_left_in_year"] == 366)


def test_feasts_of_known_years() -> None:
    def easter(year: int, tradition: str = "western", feast: str = "easter_sunday") -> str:
        found: str = call("find_easter_date", year=year, tradition=tradition, feast=feast)["feast_date"]
        return found

    assert [easter(year) for year in (1818, 1943, 2024, 2025, 2026)] == [
        "1818-03-22",
        "1943-04-25",
        "2024-03-31",
        "2025-04-20",
        "2026-04-05",
    ]
    assert [easter(year, "orthodox") for year in (2024, 2025, 2026)] == ["2024-05-05", "2025-04-20", "2026-04-12"]
    assert easter(2026, feast="ash_wednesday") == "2026-02-18"
    assert easter(2026, feast="pentecost") == "2026-05-24"
    refused("find_easter_date", "feast", year=2026, feast="clean_monday")
    refused("find_easter_date", "year", year=1500)


@given(st.integers(1600, 4000))
def test_easter_is_a_sunday_in_spring(year: int) -> None:
    western, orthodox = (call("find_easter_date", year=year, tradition=side) for side in ("western", "orthodox"))
    assert western["weekday"] == orthodox["weekday"] == "Sunday"
    assert f"{year}-03-22" <= western["feast_date"] <= f"{year}-04-25"
    assert orthodox["feast_date"] >= f"{year}-03-31"


def test_planet_ages_by_hand() -> None:
    # 366 days of 686.98; day 687 is 321 days after new year's day 2001.
    asked: dict[str, Any] = {"born_on": "2000-01-01", "planet": "Mars", "on_day": "2001-01-01"}
    assert call("get_planet_age", **asked) == {
        "planet_years": 0.53,
        "completed_years": 0,
        "next_birthday": "2001-11-18",
    }
    assert call("get_planet_age", born_on="2026-03-03", planet="Venus")["planet_years"] == 0
    refused("get_planet_age", "on_day", **asked | {"on_day": "1999-12-31"})
    refused("get_planet_age", "born_on", born_on="9900-01-01", planet="Neptune", on_day="9900-01-02")


@given(DAYS, st.integers(0, 40_000), st.sampled_from(["Mercury", "Jupiter", "Uranus"]))
def test_on_the_next_birthday_one_year_more_is_complete(born: date, days: int, planet: str) -> None:
    asked: dict[str, Any] = {"born_on": f"{born}", "planet": planet}
    now = call("get_planet_age", **asked, on_day=f"{born + timedelta(days)}")
    then = date.fromisoformat(now["next_birthday"])
    assert call("get_planet_age", **asked, on_day=f"{then}")["completed_years"] == now["completed_years"] + 1
    assert call("get_planet_age", **asked, on_day=f"{then - timedelta(1)}")["completed_years"] == now["completed_years"]


def test_known_moons() -> None:
    full = call("get_moon_phase", day="2000-01-21", hour_utc=5)  # a total eclipse at 04:44
    assert (full["phase"], full["lit_side"]) == ("full moon", "whole")
    assert call("get_moon_phase", day="2024-04-08", hour_utc=18)["phase"] == "new moon"  # a solar eclipse
    assert call("get_moon_phase", day="2000-01-14", seen_from="south")["lit_side"] == "left"
    start = call("get_moon_phase", day="2000-01-06", hour_utc=19)
    assert (start["age_days"], start["illuminated_percent"], start["days_to_full_moon"]) == (0, 0, 14.7)
    with pytest.raises(ToolError):
        call("get_moon_phase", day="2000-01-06", hour_utc=24)


@given(DAYS)
def test_the_moon_comes_back_after_a_month(day: date) -> None:
    now = call("get_moon_phase", day=f"{day}")
    later = call("get_moon_phase", day=f"{day + timedelta(59)}")  # two months of 29.53 days
    assert 0 <= now["illuminated_percent"] <= 100
    assert 0 <= now["age_days"] <= 29.6
    assert abs(later["illuminated_percent"] - now["illuminated_percent"]) < 1.5


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


def test_day_counts_by_hand() -> None:
    noon: dict[str, Any] = {"day": "2000-01-01", "clock_time": "12:00:00"}
    assert call("convert_day_count", system="julian_day", **noon)["count"] == 2_451_545
    assert call("convert_day_count", system="unix_seconds", **noon)["count"] == 946_728_000
    assert call("convert_day_count", system="modified_julian_day", count=0) == {
        "count": 0,
        "day": "1858-11-17",
        "clock_time": "00:00:00",
        "weekday": "Wednesday",
    }
    local = call("convert_day_count", system="unix_milliseconds", count=-1000, utc_offset_minutes=60)
    assert (local["day"], local["clock_time"]) == ("1970-01-01", "00:59:59")
    refused("convert_day_count", "count", system="julian_day")
    refused("convert_day_count", "count", system="julian_day", count=1, **noon)
    refused("convert_day_count", "count", system="julian_day", count=1e15)
    refused("convert_day_count", "day", system="unix_seconds", day="0001-01-01", utc_offset_minutes=1)


@given(
    st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1)),
    st.sampled_from(["unix_seconds", "unix_milliseconds", "julian_day", "modified_julian_day"]),
    st.integers(-720, 840),
)
def test_day_counts_there_and_back(time: datetime, system: str, ahead: int) -> None:
    asked: dict[str, Any] = {"system": system, "utc_offset_minutes": ahead}
    there = call("convert_day_count", **asked, day=f"{time:%Y-%m-%d}".zfill(10), clock_time=f"{time:%H:%M:%S}")
    assert call("convert_day_count", **asked, count=there["count"]) == there
    if system == "unix_seconds":
        assert there["count"] == time.replace(microsecond=0, tzinfo=UTC).timestamp() - 60 * ahead


def test_saved_events_are_counted_down() -> None:
    bank = empty_bank()  # on 2026-03-04
    saved = call("save_yearly_event", bank, event_name="Founding  day", month=3, day_of_month=1, first_year=1901)
    assert (saved["next_date"], saved["replaced"]) == ("2027-03-01", False)
    assert call("count_down_to_event", bank, event_name="founding day", dates_shown=2) == {
        "days_left": 362,
        "dates": ["2027-03-01", "2028-03-01"],
        "weekday": "Monday",
        "times_kept_before": 126,
    }
    again = call("save_yearly_event", bank, event_name="founding day", month=3, day_of_month=4)
    assert (again["event_id"], again["replaced"]) == (saved["event_id"], True)
    assert call("count_down_to_event", bank, event_name="founding day")["days_left"] == 0
    assert [record["owner"] for _, record in bank.rows("misc_yearly_events")] == ["misc"]
    refused("save_yearly_event", "day_of_month", event_name="x", month=4, day_of_month=31)
    refused("save_yearly_event", "event_name", event_name="  ", month=4, day_of_month=30)
    refused("count_down_to_event", "event_name", event_name="nothing")


@pytest.mark.parametrize(
    ("rule", "dates"),
    [
        ("february_28", ["2026-02-28", "2027-02-28", "2028-02-29"]),
        ("march_1", ["2026-03-01", "2027-03-01", "2028-02-29"]),
        ("leap_years_only", ["2028-02-29", "2032-02-29", "2036-02-29"]),
    ],
)
def test_leap_days(rule: str, dates: list[str]) -> None:
    bank = empty_bank()
    call("save_yearly_event", bank, event_name="leap", month=2, day_of_month=29, leap_rule=rule, first_year=2020)
    found = call("count_down_to_event", bank, event_name="leap", from_day="2026-01-01", dates_shown=3)
    assert found["dates"] == dates
    assert found["times_kept_before"] == (2 if rule == "leap_years_only" else 6)
    with pytest.raises(ToolError, match="year 10000"):
        call("count_down_to_event", bank, event_name="leap", from_day="9999-12-31")


@given(st.dates(max_value=date(9980, 1, 1)), st.integers(1, 12), st.integers(1, 28))
def test_an_event_is_never_more_than_a_year_away(start: date, month: int, day: int) -> None:
    bank = empty_bank()
    call("save_yearly_event", bank, event_name="any", month=month, day_of_month=day)
    found = call("count_down_to_event", bank, event_name="any", from_day=f"{start}")
    assert 0 <= found["days_left"] <= 365
    assert date.fromisoformat(found["dates"][0]) == start + timedelta(found["days_left"])
