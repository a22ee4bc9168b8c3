"""Tests of world_clock/calendar: expected values worked out by hand, or anew in another way."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.world_clock.values import refused


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
