"""Tests of taxes_and_payroll/overtime: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.taxes_and_payroll.values import hours, refused

WEEK: dict[str, Any] = {"hours_by_day": [10, 8, 8, 8, 13], "hourly_rate": 20, "daily_limit": 8, "weekly_limit": 38}


def test_overtime() -> None:
    plain = call("split_overtime_pay", **WEEK)
    assert plain == {
        "regular_hours": 38,
        "overtime_hours": 9,
        "double_time_hours": 0,
        "premium_pay": 90,
        "total_pay": 1030,  # 47 hours at 20, and half of 9 hours
    }
    double = call("split_overtime_pay", **WEEK, double_time_after=12)
    assert (double["overtime_hours"], double["double_time_hours"], double["total_pay"]) == (8, 1, 1040)
    generous = call("split_overtime_pay", **WEEK, overtime_factor=2, double_time_after=12, double_time_factor=3)
    assert generous["premium_pay"] == 200
    assert refused("split_overtime_pay", **WEEK, double_time_after=7) == "double_time_after"


@given(st.lists(hours, min_size=1, max_size=7), hours, hours)
def test_no_hour_is_lost(days: list[float], daily: float, weekly: float) -> None:
    found = call(
        "split_overtime_pay",
        hours_by_day=days,
        hourly_rate=10,
        daily_limit=daily,
        weekly_limit=weekly,
        double_time_after=daily,
    )
    kinds = (found["regular_hours"], found["overtime_hours"], found["double_time_hours"])
    assert sum(kinds) == pytest.approx(sum(days)) and min(kinds) >= 0
    assert found["regular_hours"] <= weekly
    assert found["total_pay"] == pytest.approx(10 * sum(days) + found["premium_pay"])
