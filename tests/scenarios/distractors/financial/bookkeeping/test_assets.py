"""Tests of bookkeeping/assets: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.bookkeeping.values import cents, refused

# Depreciation

MACHINE: dict[str, Any] = {"asset_cost": 10_000, "salvage_value": 1_000}


def written_off(method: str, years: int, **more: Any) -> list[float]:
    arguments: dict[str, Any] = {**MACHINE, "method": method, **more}
    return [call("compute_depreciation", show_year=year, **arguments)["depreciation"] for year in range(1, years + 1)]


def test_depreciation_by_hand() -> None:
    assert written_off("straight_line", 3, useful_life_years=3) == [3_000] * 3
    assert written_off("straight_line", 4, useful_life_years=3, first_year_months=4) == [1_000, 3_000, 3_000, 2_000]
    assert written_off("declining_balance", 5, useful_life_years=5) == [4_000, 2_400, 1_440, 864, 296]
    assert written_off("declining_balance", 2, useful_life_years=5, declining_factor=1.5) == [3_000, 2_100]
    assert written_off("declining_balance", 2, useful_life_years=5, first_year_months=6) == [2_000, 3_200]
    assert written_off("units_of_production", 3, lifetime_units=900, units_by_year=[300, 500, 400]) == [
        3_000,
        5_000,
        1_000,
    ]
    assert call("compute_depreciation", method="declining_balance", show_year=5, useful_life_years=5, **MACHINE) == {
        "depreciation": 296,
        "accumulated_depreciation": 9_000,
        "book_value": 1_000,
        "fully_depreciated": True,
    }


def test_depreciation_refuses_what_is_missing_or_too_much() -> None:
    by_time: dict[str, Any] = {**MACHINE, "method": "straight_line", "show_year": 4}
    refused("compute_depreciation", "useful_life_years", **by_time)
    refused("compute_depreciation", "show_year", **by_time, useful_life_years=3)
    refused("compute_depreciation", "salvage_value", **{**by_time, "salvage_value": 10_000.01}, useful_life_years=9)
    by_units: dict[str, Any] = {**MACHINE, "method": "units_of_production", "show_year": 2}
    refused("compute_depreciation", "lifetime_units", **by_units, units_by_year=[1, 2])
    refused("compute_depreciation", "units_by_year", **by_units, lifetime_units=10, units_by_year=[1])
    refused("compute_depreciation", "units_by_year", **by_units, lifetime_units=10)


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(1, 12), st.integers(1, 12), st.booleans())
def test_a_life_of_depreciation_adds_up(one: int, other: int, life: int, months: int, straight: bool) -> None:
    cost, salvage = max(one, other), min(one, other)
    arguments: dict[str, Any] = {
        "method": "straight_line" if straight else "declining_balance",
        "asset_cost": cost / 100,
        "salvage_value": salvage / 100,
        "useful_life_years": life,
        "first_year_months": months,
    }
    last = life + (months < 12)
    years = [call("compute_depreciation", show_year=year, **arguments) for year in range(1, last + 1)]
    assert sum(cents(year["depreciation"]) for year in years) == cents(years[-1]["accumulated_depreciation"])
    assert all(cents(year["book_value"]) >= salvage and year["depreciation"] >= 0 for year in years)
    if straight:
        assert cents(years[-1]["book_value"]) == salvage
