"""Tests of taxes_and_payroll/pay_dates: expected values worked out by hand, or anew in another way."""

from calendar import monthrange
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.taxes_and_payroll.values import refused


@pytest.mark.parametrize(
    ("frequency", "first", "rule", "expected"),
    [
        ("monthly", "2026-01-31", "keep", ["2026-01-31", "2026-02-28", "2026-03-31"]),
        ("monthly", "2028-01-30", "keep", ["2028-01-30", "2028-02-29", "2028-03-30"]),
        ("monthly", "2026-01-31", "friday_before", ["2026-01-30", "2026-02-27", "2026-03-31"]),
        ("monthly", "2026-01-31", "monday_after", ["2026-02-02", "2026-03-02", "2026-03-31"]),
        ("semimonthly", "2026-01-16", "keep", ["2026-01-31", "2026-02-15", "2026-02-28"]),
        ("semimonthly", "2026-02-15", "monday_after", ["2026-02-16", "2026-03-02", "2026-03-16"]),
        ("biweekly", "2026-12-18", "keep", ["2026-12-18", "2027-01-01", "2027-01-15"]),
        ("weekly", "2026-02-22", "friday_before", ["2026-02-20", "2026-02-27", "2026-03-06"]),
    ],
)
def test_pay_dates(frequency: str, first: str, rule: str, expected: list[str]) -> None:
    found = call("list_pay_dates", frequency=frequency, first_pay_date=first, count=3, weekend_rule=rule)
    assert found["pay_dates"] == expected


def test_months_with_one_pay_more() -> None:
    found = call("list_pay_dates", frequency="biweekly", first_pay_date="2026-01-02", count=26)
    assert found["months_with_extra_pay"] == ["2026-01", "2026-07"]
    assert found["moved_for_weekend"] == 0
    assert call("list_pay_dates", frequency="monthly", first_pay_date="2026-01-31", count=2)["moved_for_weekend"] == 2
    assert refused("list_pay_dates", frequency="weekly", first_pay_date="9999-12-31", count=1) == "first_pay_date"


@given(
    st.sampled_from(["weekly", "biweekly", "semimonthly", "monthly"]),
    st.dates(date(2000, 1, 1), date(2100, 12, 31)),
    st.integers(1, 53),
)
def test_pay_dates_ascend_and_avoid_weekends(frequency: str, first: date, count: int) -> None:
    asked: dict[str, Any] = {"frequency": frequency, "first_pay_date": first.isoformat(), "count": count}
    kept = [date.fromisoformat(day) for day in call("list_pay_dates", **asked, weekend_rule="keep")["pay_dates"]]
    moved = [date.fromisoformat(day) for day in call("list_pay_dates", **asked)["pay_dates"]]
    assert len(kept) == count and kept == sorted(set(kept)) and kept[0] >= first
    assert all(day.weekday() < 5 for day in moved)
    assert all(0 <= (planned - day).days <= 2 for planned, day in zip(kept, moved, strict=True))
    if frequency == "semimonthly":
        assert all(day.day in (15, monthrange(day.year, day.month)[1]) for day in kept)
