"""Tests of world_clock/events: expected values worked out by hand, or anew in another way."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call, empty_bank
from tests.scenarios.distractors.general.world_clock.values import refused


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
