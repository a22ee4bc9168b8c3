"""Tests of staff_planning/rosters: expected values worked out by hand, or anew in another way."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call

ROSTER: dict[str, Any] = {"staff_numbers": ["E1001", "E1002"], "night_shifts": [4, 1], "weekend_shifts": [2, 2]}
ROSTER |= {"contract_percents": [100, 50]}


def test_roster_by_hand() -> None:
    # Loads of 10 and 4; of 14, two thirds and one third would be fair.
    assert call("measure_roster_fairness", **ROSTER, night_weight=2) == {
        "is_fair": False,
        "above_fair_share": [0.7, -0.7],
        "most_burdened": "E1001",
        "least_burdened": "E1002",
    }
    assert call("measure_roster_fairness", **ROSTER, night_weight=2, tolerance_percent=15)["is_fair"]
    assert call("measure_roster_fairness", **ROSTER)["above_fair_share"] == [0, 0]
    wrongs: list[dict[str, Any]] = [{"night_shifts": [1]}, {"staff_numbers": []}]
    for wrong in (*wrongs, {"staff_numbers": ["E1001", "E1001"]}):
        with pytest.raises(ToolError):
            call("measure_roster_fairness", **ROSTER | wrong)
    with pytest.raises(ToolError, match="at least one night or weekend shift"):
        call("measure_roster_fairness", **ROSTER | {"night_shifts": [0, 0], "weekend_shifts": [0, 0]})


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 50), st.integers(5, 100)), min_size=2, max_size=20))
@settings(deadline=None, max_examples=50)
def test_what_one_has_too_much_others_have_too_little(rows: list[tuple[int, int, int]]) -> None:
    nights, weekends, contracts = (list(column) for column in zip(*rows, strict=True))
    staff = [f"E{1000 + i}" for i in range(len(rows))]
    made = call(
        "measure_roster_fairness",
        staff_numbers=staff,
        night_shifts=nights,
        weekend_shifts=weekends,
        contract_percents=contracts,
        tolerance_percent=0,
    )
    assert abs(sum(made["above_fair_share"])) <= 0.05 * len(rows) + 1e-9
    ratios = {(night + weekend) / contract for night, weekend, contract in rows}
    if made["is_fair"]:
        assert max(ratios) - min(ratios) < 1e-9


def allowance(**changes: Any) -> dict[str, Any]:
    year: dict[str, Any] = {"year": 2026, "full_time_days": 30}
    return call("prorate_holiday_allowance", **year | changes)


def test_holiday_by_hand() -> None:
    half_year = allowance(employed_from="2026-07-01", carried_over_days=2, taken_days=18)
    # 184 of 365 days
    assert half_year == {"entitled_days": 15.12, "left_days": -0.88, "employed_percent": 50.4, "overdrawn": True}
    assert allowance(employed_from="2026-07-01", count_by="whole_months")["entitled_days"] == 15
    assert allowance(employed_from="2026-07-02", count_by="whole_months")["entitled_days"] == 12.5
    assert allowance(employed_until="2026-02-28", count_by="whole_months")["entitled_days"] == 5
    assert allowance(employed_until="2026-02-27", count_by="whole_months")["entitled_days"] == 2.5
    assert allowance(employed_from="2026-03-02", employed_until="2026-03-30", count_by="whole_months")["left_days"] == 0
    assert allowance(employed_from="2026-07-01", rounding="half_day_up")["entitled_days"] == 15.5
    assert allowance(employed_from="2026-07-01", rounding="whole_day_up")["entitled_days"] == 16
    assert allowance(days_a_week=3)["entitled_days"] == 18
    assert allowance(days_a_week=3, full_time_days_a_week=6)["entitled_days"] == 15
    assert allowance(year=2028, employed_until="2028-02-29")["entitled_days"] == 4.92  # 60 of 366 days
    for wrong in ({"employed_from": "2027-01-01"}, {"employed_until": "2025-12-31"}, {"days_a_week": 6}):
        with pytest.raises(ToolError):
            allowance(**wrong)


@given(st.dates(date(2026, 1, 1), date(2026, 12, 30)), st.sampled_from(["days", "whole_months"]))
@settings(deadline=None, max_examples=50)
def test_two_parts_of_a_year_make_no_more_than_the_year(last: date, count_by: str) -> None:
    before = allowance(employed_until=str(last), count_by=count_by)["entitled_days"]
    after = allowance(employed_from=str(date.fromordinal(last.toordinal() + 1)), count_by=count_by)["entitled_days"]
    assert before + after <= 30.01
    assert count_by == "whole_months" or before + after >= 29.99
