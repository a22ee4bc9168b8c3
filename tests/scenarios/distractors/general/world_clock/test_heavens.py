"""Tests of world_clock/heavens: expected values worked out by hand, or anew in another way."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.world_clock.values import DAYS, refused


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
