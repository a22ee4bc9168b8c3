"""Chances and advertised rates: expected values worked out by hand from the leaflet's tables."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused

VISITOR: dict[str, Any] = {
    "product": "personal",
    "loan_amount": 12_000,
    "term_months": 36,
    "stated_monthly_income": 4_000,
    "stated_monthly_debts": 500,
    "score_band": "670_to_739",
    "employment_type": "employed",
    "months_in_job": 30,
}


def test_chances_by_hand() -> None:
    # The loan costs 130 % over 36 months, 433.33 a month: a ratio of 23.33 %, which leaves 18.33 of 30 points.
    assert call("estimate_loan_eligibility", **VISITOR) == {
        "indication": "fair",
        "points": 68,  # 30 + 20 + 18.33
        "weakest_point": "no_account",
    }
    known = call("estimate_loan_eligibility", **VISITOR, has_account=True)
    assert (known["indication"], known["points"], known["weakest_point"]) == ("good", 78, "monthly_debts")
    new_job = call("estimate_loan_eligibility", **VISITOR | {"months_in_job": 5}, has_account=True)
    assert (new_job["points"], new_job["weakest_point"]) == (68, "employment")
    owing = VISITOR | {"stated_monthly_debts": 4_000, "score_band": "below_580"}
    assert call("estimate_loan_eligibility", **owing)["indication"] == "poor"
    refused("stated_monthly_income", "estimate_loan_eligibility", **VISITOR | {"stated_monthly_income": 0})


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_more_debts_never_help(one: int, other: int) -> None:
    less, more = (
        call("estimate_loan_eligibility", **VISITOR | {"stated_monthly_debts": cents / 100})["points"]
        for cents in sorted((one, other))
    )
    assert 50 <= more <= less <= 80


ASKED: dict[str, Any] = {"product": "auto", "loan_amount": 20_000, "term_months": 60, "score_band": "740_and_above"}


def test_rates_by_hand() -> None:
    assert call("quote_indicative_rate", **ASKED) == {
        "lowest_rate": 6.24,
        "highest_rate": 8.428,  # a quarter of the way from 6.24 to 14.99: 8.4275, halves up
        "fee_from_percent": 0,
        "campaign_applied": False,
    }
    spring = call("quote_indicative_rate", **ASKED, autopay=True, campaign="spring")
    assert (spring["lowest_rate"], spring["campaign_applied"]) == (5.74, True)
    small = ASKED | {"product": "personal", "loan_amount": 4_999.99}
    assert call("quote_indicative_rate", **small)["fee_from_percent"] == 2
    refused("term_months", "quote_indicative_rate", **ASKED | {"term_months": 85})
    refused("campaign", "quote_indicative_rate", **ASKED, campaign="new_customer")


def test_better_scores_never_cost_more() -> None:
    bands = ["below_580", "580_to_669", "670_to_739", "740_and_above"]
    rates = [call("quote_indicative_rate", **ASKED | {"score_band": band}) for band in bands]
    for rate, better in pairwise(rates):
        assert better["lowest_rate"] < rate["lowest_rate"] <= rate["highest_rate"] >= better["highest_rate"]
