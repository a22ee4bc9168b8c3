"""Tests of it_reference/schedules: expected values worked out by hand, or anew in another way."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call


def runs(expression: str, after: str = "2026-03-06 09:30", count: int = 3) -> list[str]:
    found = call("preview_cron_runs", expression=expression, after_date=after[:10], after_time=after[11:], runs=count)
    return list(found["next_runs"])


def test_cron_runs_by_hand() -> None:
    made = call("preview_cron_runs", expression="30 9 * * MON-FRI", after_date="2026-03-06", after_time="09:30")
    assert made == {
        "next_runs": ["2026-03-09 09:30", "2026-03-10 09:30", "2026-03-11 09:30"],
        "meaning": "at 09:30; day any; month any; weekday 1,2,3,4,5",
        "runs_a_day": 1,
    }
    assert runs("*/20 8-9 * * *") == ["2026-03-06 09:40", "2026-03-07 08:00", "2026-03-07 08:20"]
    assert runs("0 0 13 * 5") == ["2026-03-13 00:00", "2026-03-20 00:00", "2026-03-27 00:00"]  # either is enough
    assert runs("0 0 1 JAN,jul *") == ["2026-07-01 00:00", "2027-01-01 00:00", "2027-07-01 00:00"]
    assert runs("5/25 0 * * 7", count=2) == ["2026-03-08 00:05", "2026-03-08 00:30"]
    assert runs("0 0 29 2 *", "2096-03-01 00:00", 2) == ["2104-02-29 00:00", "2108-02-29 00:00"]
    assert runs("0 0 29 2 */7", "2026-03-01 00:00", 1) == ["2032-02-29 00:00"]  # starred, so both are needed
    assert runs("0 0 31 12 *", "9999-12-01 00:00") == ["9999-12-31 00:00"]
    ways = call("preview_cron_runs", expression="0 0,12 13 * 5", after_date="2026-03-06")
    assert ways["meaning"] == "2 times from 00:00 to 12:00; day 13; month any; weekday 5; day or weekday is enough"


@pytest.mark.parametrize("expression", ["0 0 30 2 *", "60 * * * *", "* * * * ", "5-1 * * * *", "*/0 * * * *"])
def test_cron_expressions_that_are_refused(expression: str) -> None:
    with pytest.raises(ToolError, match="expression"):
        runs(expression.ljust(9))


@pytest.mark.parametrize(
    "expression", ["a * * * *", "1- * * * *", "-1 * * * *", "1,,2 * * * *", "² * * * *", "* * 0 * *"]
)
def test_cron_fields_that_are_no_numbers_are_refused(expression: str) -> None:
    with pytest.raises(ToolError, match="expected"):
        runs(expression)


@given(
    st.integers(1, 59), st.integers(1, 23), st.integers(1, 27), st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1))
)
@settings(deadline=None, max_examples=40)
def test_cron_runs_are_those_found_by_trying_each_hour(minute: int, step: int, day: int, after: datetime) -> None:
    found = runs(f"{minute} */{step} {day}-28 * *", after.strftime("%Y-%m-%d %H:%M"), 2)
    moment = after.replace(second=0, microsecond=0, minute=minute)
    expected: list[str] = []
    moment += timedelta(hours=moment <= after.replace(second=0, microsecond=0))
    while len(expected) < 2:
        if moment.hour % step == 0 and day <= moment.day <= 28:
            expected.append(moment.strftime("%Y-%m-%d %H:%M"))
        moment += timedelta(hours=1)
    assert found == expected
