"""Tests of taxes_and_payroll/payslips: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.taxes_and_payroll.values import cents, hours, percents, refused

PAYSLIP: dict[str, Any] = {"gross_pay": 3333.33, "deduction_percents": [6.2, 1.45, 12], "stated_net": 2678.33}


def test_payslips() -> None:
    # 206.666…, 48.333… and 399.9996
    found = call("check_payslip_lines", **PAYSLIP, deduction_amounts=[206.67, 48.33, 400])
    assert found == {
        "fits": True,
        "lines_off": [],
        "expected_deductions": [206.67, 48.33, 400],
        "net_of_stated_lines": 2678.33,
        "net_difference": 0,
    }
    wrong = call("check_payslip_lines", **PAYSLIP, deduction_amounts=[206.66, 48.35, 400])
    assert (wrong["fits"], wrong["lines_off"], wrong["net_difference"]) == (False, [2], 0.01)
    strict = call("check_payslip_lines", **PAYSLIP, deduction_amounts=[206.66, 48.35, 400], tolerance_cents=0)
    assert strict["lines_off"] == [1, 2]
    below = call("check_payslip_lines", gross_pay=1, deduction_percents=[50], deduction_amounts=[3], stated_net=0)
    assert (below["net_of_stated_lines"], below["net_difference"]) == (-2, 2)
    assert refused("check_payslip_lines", **PAYSLIP, deduction_amounts=[1]) == "deduction_amounts"


@given(cents, st.lists(percents, min_size=1, max_size=15))
def test_a_payslip_of_the_expected_lines_fits(gross: float, rates: list[float]) -> None:
    asked: dict[str, Any] = {"gross_pay": gross, "deduction_percents": rates}
    zeros = [0.0] * len(rates)
    expected = call("check_payslip_lines", **asked, deduction_amounts=zeros, stated_net=0)["expected_deductions"]
    net = round(gross * 100) - sum(round(amount * 100) for amount in expected)
    if net >= 0:
        assert call(
            "check_payslip_lines", **asked, deduction_amounts=expected, stated_net=net / 100, tolerance_cents=0
        )["fits"]


def test_tips() -> None:
    found = call("share_tip_pool", total_tips=100, hours=[1, 1, 1])
    assert found == {"shares": [33.34, 33.33, 33.33], "tips_per_weighted_hour": 33.3333, "cents_spread": 1}
    weighted = call("share_tip_pool", total_tips=90, hours=[8, 4, 5], points=[1, 0.5, 0])
    assert (weighted["shares"], weighted["tips_per_weighted_hour"]) == ([72, 18, 0], 9)
    # 33.4, 33.3 and 33.3 of 100 cents: the cent goes to the largest fraction.
    assert call("share_tip_pool", total_tips=1, hours=[33.3, 33.4, 33.3])["shares"] == [0.33, 0.34, 0.33]
    assert refused("share_tip_pool", total_tips=1, hours=[0, 5], points=[5, 0]) == "hours"
    assert refused("share_tip_pool", total_tips=1, hours=[1, 5], points=[5]) == "points"
    # Weights so small that an hour's tips would be no number.
    assert refused("share_tip_pool", total_tips=1, hours=[8], points=[5e-324]) == "points"
    assert call("share_tip_pool", total_tips=1, hours=[0.01], points=[0.0001])["shares"] == [1]


@given(cents, st.lists(hours, min_size=1, max_size=40).filter(any))
def test_tips_add_up(pool: float, worked: list[float]) -> None:
    shares = call("share_tip_pool", total_tips=pool, hours=worked)["shares"]
    assert sum(round(share * 100) for share in shares) == round(pool * 100)
    for share, time in zip(shares, worked, strict=True):
        assert share == pytest.approx(pool * time / sum(worked), abs=0.0101)
