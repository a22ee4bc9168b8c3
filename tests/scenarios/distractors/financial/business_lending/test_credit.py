"""A firm's score and debt service: by hand, and in floating point from the formula as published."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused

SHEET: dict[str, Any] = {
    "current_assets": 400,
    "current_liabilities": 200,
    "total_assets": 1_000,
    "total_liabilities": 500,
    "retained_earnings": 100,
    "operating_profit": 150,
    "annual_sales": 900,
}
AMOUNTS = st.integers(1, 10**6)


def test_score_by_hand() -> None:
    # 0.1434 + 0.0847 + 0.46605 + 0.42 + 0.8982
    assert call("report_business_credit", **SHEET) == {
        "score": 2.01,
        "zone": "grey",
        "main_factor": "retained_earnings",
    }
    weak = call("report_business_credit", **SHEET | {"retained_earnings": -900})
    assert (weak["zone"], weak["main_factor"]) == ("distress", "retained_earnings")
    assert call("report_business_credit", **SHEET | {"annual_sales": 1_900})["zone"] == "safe"


@given(AMOUNTS, AMOUNTS, AMOUNTS, AMOUNTS, st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6), AMOUNTS)
def test_score_is_that_of_the_formula(ca: int, cl: int, ta: int, tl: int, re: int, ebit: int, sales: int) -> None:
    score = 0.717 * (ca - cl) / ta + 0.847 * re / ta + 3.107 * ebit / ta + 0.42 * (ta - tl) / tl + 0.998 * sales / ta
    assume(min(abs(score - 1.23), abs(score - 2.9)) > 1e-6)
    given_sheet: dict[str, Any] = dict(zip(SHEET, (ca, cl, ta, tl, re, ebit, sales), strict=True))
    found = call("report_business_credit", **given_sheet)
    assert found["score"] == pytest.approx(score, abs=0.0051)
    assert found["zone"] == ("safe" if score > 2.9 else "distress" if score < 1.23 else "grey")


YEAR: dict[str, Any] = {
    "operating_profit": 100_000,
    "depreciation": 20_000,
    "taxes_paid": 15_000,
    "annual_principal": 50_000,
    "annual_interest": 30_000,
}


def test_debt_service_by_hand() -> None:
    assert call("calculate_debt_service_coverage", **YEAR) == {
        "coverage_ratio": 1.31,  # 105,000 for 80,000
        "within_limits": True,
        "max_debt_service": 84_000,
        "short_by": 0,
    }
    tight = call("calculate_debt_service_coverage", **YEAR, annual_leases=4_000.01)
    assert (tight["within_limits"], tight["short_by"]) == (False, 0.01)
    loss = call("calculate_debt_service_coverage", **YEAR | {"operating_profit": -50_000}, owner_draws=5_000)
    assert (loss["coverage_ratio"], loss["max_debt_service"]) == (-0.63, 0)
    nothing = YEAR | {"annual_principal": 0, "annual_interest": 0}
    refused("annual_principal", "calculate_debt_service_coverage", **nothing)
