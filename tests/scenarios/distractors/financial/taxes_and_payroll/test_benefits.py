"""Tests of taxes_and_payroll/benefits: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given

from tests.scenarios.distractors.desk import call, empty_bank
from tests.scenarios.distractors.financial.taxes_and_payroll.values import cents, percents, refused

# Fringe benefits

BIKE: dict[str, Any] = {
    "employee_code": "E-0417",
    "benefit": "company_bike",
    "monthly_value": 80,
    "first_month": "2026-11",
    "months": 4,
}


def test_declaring_and_listing_benefits() -> None:
    bank = empty_bank()
    bike = call("declare_fringe_benefit", bank, **BIKE, private_use_percent=60, own_contribution=8.5)
    assert bike["taxable_each_month"] == 39.5
    assert (bike["taxable_total"], bike["last_month"]) == (158, "2027-02")
    meals: dict[str, Any] = {**BIKE, "benefit": "meal_vouchers", "employee_code": "E-0020", "months": 1}
    call("declare_fringe_benefit", bank, **meals)
    listed = call("list_fringe_benefits", bank)
    assert [line["employee_code"] for line in listed["declarations"]] == ["E-0020", "E-0417"]
    assert (listed["declaration_count"], listed["taxable_each_month_total"]) == (2, 119.5)
    assert call("list_fringe_benefits", bank, month="2026-12")["declarations"] == [
        {
            "declaration_id": bike["declaration_id"],
            "employee_code": "E-0417",
            "benefit": "company_bike",
            "first_month": "2026-11",
            "last_month": "2027-02",
            "taxable_each_month": 39.5,
        }
    ]
    assert call("list_fringe_benefits", bank, month="2027-03")["declaration_count"] == 0
    assert call("list_fringe_benefits", bank, employee_code="E-0020")["taxable_each_month_total"] == 80
    assert {record["owner"] for _, record in bank.rows("misc_fringe_benefits")} == {"misc"}


def test_a_benefit_declared_again_replaces_the_first() -> None:
    bank = empty_bank()
    first = call("declare_fringe_benefit", bank, **BIKE)
    second = call("declare_fringe_benefit", bank, **{**BIKE, "monthly_value": 50})
    assert first["declaration_id"] == second["declaration_id"]
    assert call("list_fringe_benefits", bank)["taxable_each_month_total"] == 50
    for month in range(1, 13):
        call("declare_fringe_benefit", bank, **{**BIKE, "first_month": f"2027-{month:02d}"})
        call("declare_fringe_benefit", bank, **{**BIKE, "benefit": "phone", "first_month": f"2027-{month:02d}"})
    found = call("list_fringe_benefits", bank)
    assert (len(found["declarations"]), found["declaration_count"]) == (15, 25)
    assert refused("declare_fringe_benefit", **BIKE, own_contribution=80.01) == "own_contribution"


@given(cents.filter(bool), percents, cents)
def test_a_taxable_value_is_never_negative(value: float, private: float, own: float) -> None:
    asked: dict[str, Any] = {
        **BIKE,
        "monthly_value": value,
        "private_use_percent": private,
        "own_contribution": min(own, value),
    }
    found = call("declare_fringe_benefit", **asked)
    assert 0 <= found["taxable_each_month"] <= value
    assert found["taxable_total"] == pytest.approx(4 * found["taxable_each_month"])
