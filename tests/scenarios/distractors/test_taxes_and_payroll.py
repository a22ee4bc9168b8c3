"""Taxes and payroll; expected values are worked out by hand, or anew in another way."""

from calendar import monthrange
from datetime import date, timedelta
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.scenarios.distractors.financial._tax_numbers import SCHEMES, TaxNumberKind
from tests.scenarios.distractors.desk import call, empty_bank

cents = st.integers(0, 10_000_000).map(lambda n: n / 100)
hours = st.integers(0, 2400).map(lambda n: n / 100)
percents = st.integers(0, 47_000).map(lambda n: n / 1000)


def refused(name: str, /, **arguments: Any) -> str | None:
    """Return the argument that is refused."""
    with pytest.raises(ToolError) as found:
        call(name, **arguments)
    assert found.value.kind == ErrorKind.VALIDATION
    assert found.value.field is not None and found.value.message.startswith(f"{found.value.field}: expected ")
    return found.value.field


# Taxes

BRACKETS: dict[str, Any] = {"bracket_limits": [10_000, 40_000], "bracket_rates": [0, 20, 30]}


def test_a_progressive_tax() -> None:
    found = call("compute_progressive_tax", income=50_000, **BRACKETS)
    assert found == {
        "tax": 9000,  # 20 % of 30,000 and 30 % of 10,000
        "top_bracket": 3,
        "marginal_rate_percent": 30,
        "average_rate_percent": 18,
        "unused_credit": 0,
    }
    assert call("compute_progressive_tax", income=50_000, allowance=10_000, **BRACKETS)["tax"] == 6000
    split = call("compute_progressive_tax", income=50_000, splitting_persons=2, **BRACKETS)
    assert (split["tax"], split["top_bracket"]) == (6000, 2)  # twice 20 % of 15,000
    edge = call("compute_progressive_tax", income=40_000, **BRACKETS)
    assert (edge["tax"], edge["marginal_rate_percent"]) == (6000, 20)
    spared = call("compute_progressive_tax", income=11_000.03, tax_credit=250, **BRACKETS)
    assert (spared["tax"], spared["unused_credit"]) == (0, 49.99)  # 200.006 rounds to 200.01
    assert call("compute_progressive_tax", income=11_009, rounding="dollar_down", **BRACKETS)["tax"] == 201
    nothing = call("compute_progressive_tax", income=0, bracket_limits=[], bracket_rates=[15])
    assert (nothing["tax"], nothing["average_rate_percent"]) == (0, 0)


def test_brackets_that_are_refused() -> None:
    income: dict[str, Any] = {"income": 1000, "bracket_rates": [1, 2, 3]}
    assert refused("compute_progressive_tax", **income, bracket_limits=[50, 50]) == "bracket_limits"
    assert refused("compute_progressive_tax", **income, bracket_limits=[0, 50]) == "bracket_limits"
    assert refused("compute_progressive_tax", **income, bracket_limits=[50]) == "bracket_rates"


@given(cents, cents, st.lists(percents, min_size=3, max_size=3).map(sorted), st.integers(1, 6))
def test_more_income_never_means_less_tax(one: float, two: float, rates: list[float], persons: int) -> None:
    low, high = (
        call(
            "compute_progressive_tax",
            income=income,
            bracket_limits=[10_000, 40_000],
            bracket_rates=rates,
            splitting_persons=persons,
        )
        for income in sorted((one, two))
    )
    assert low["tax"] <= high["tax"] <= max(one, two) * rates[-1] / 100 + 0.01


def test_sales_tax() -> None:
    lines: dict[str, Any] = {"line_amounts": [0.07, 0.07, 0.07], "tax_rate_percent": 20}
    whole = call("split_sales_tax", **lines, prices_include_tax=False)
    assert whole == {"net_total": 0.21, "tax_total": 0.04, "gross_total": 0.25, "rounding_gap": 0.01}
    by_line = call("split_sales_tax", **lines, prices_include_tax=False, rounded_by="line")
    assert (by_line["tax_total"], by_line["rounding_gap"]) == (0.03, -0.01)
    gross = call("split_sales_tax", line_amounts=[119, 59.5], tax_rate_percent=19, prices_include_tax=True)
    assert (gross["net_total"], gross["tax_total"], gross["gross_total"]) == (150, 28.5, 178.5)
    with pytest.raises(ToolError):
        call("split_sales_tax", line_amounts=[], tax_rate_percent=19, prices_include_tax=True)


@given(st.lists(cents, min_size=1, max_size=50), percents)
def test_taking_the_tax_out_undoes_putting_it_on(lines: list[float], rate: float) -> None:
    asked: dict[str, Any] = {"tax_rate_percent": rate, "rounded_by": "invoice"}
    put_on = call("split_sales_tax", line_amounts=lines, prices_include_tax=False, **asked)
    taken_out = call("split_sales_tax", line_amounts=[put_on["gross_total"]], prices_include_tax=True, **asked)
    assert taken_out["tax_total"] == pytest.approx(put_on["tax_total"], abs=0.011)
    assert abs(put_on["rounding_gap"]) <= len(lines) * 0.005 + 0.005


# Pay


def test_grossing_up() -> None:
    found = call("gross_up_bonus", desired_net=600, income_tax_percent=30, social_percent=10)
    assert found == {
        "gross_bonus": 1000,
        "income_tax_and_social": 400,
        "net_bonus": 600,
        "gross_per_net_dollar": 1.6667,
    }
    # 10 % of 500 only, so that 70 % of the gross less 50 is 600.
    capped = call("gross_up_bonus", desired_net=600, income_tax_percent=30, social_percent=10, room_below_ceiling=500)
    assert capped["gross_bonus"] == 928.57
    assert call("gross_up_bonus", desired_net=600, income_tax_percent=40, fixed_deduction=60)["gross_bonus"] == 1100
    assert refused("gross_up_bonus", desired_net=1, income_tax_percent=50, social_percent=46) == "social_percent"


@given(st.integers(1, 10**9), percents, percents, cents, cents)
def test_the_gross_is_the_smallest_that_leaves_the_net(
    net: int, tax: float, social: float, room: float, fixed: float
) -> None:
    found = call(
        "gross_up_bonus",
        desired_net=net / 100,
        income_tax_percent=tax,
        social_percent=social,
        room_below_ceiling=room,
        fixed_deduction=fixed,
    )
    assert found["net_bonus"] == net / 100
    gross = round(found["gross_bonus"] * 100)
    assert gross - round(found["income_tax_and_social"] * 100) - round(fixed * 100) == net


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


@given(cents, st.lists(hours, min_size=1, max_size=40).filter(any))
def test_tips_add_up(pool: float, worked: list[float]) -> None:
    shares = call("share_tip_pool", total_tips=pool, hours=worked)["shares"]
    assert sum(round(share * 100) for share in shares) == round(pool * 100)
    for share, time in zip(shares, worked, strict=True):
        assert share == pytest.approx(pool * time / sum(worked), abs=0.0101)


# Travel

TRIP: dict[str, Any] = {
    "first_day": "2026-03-02",
    "last_day": "2026-03-05",
    "daily_meal_rate": 60,
    "nightly_lodging_rate": 110,
}


def test_travel_allowances() -> None:
    assert call("work_out_travel_allowance", **TRIP) == {
        "travel_days": 4,
        "paid_nights": 3,
        "meals_before_reduction": 210,  # two days in full, two at 75 %
        "meal_reduction": 0,
        "lodging": 330,
        "total_allowance": 540,
    }
    meals = ["breakfast", "breakfast", "dinner"]
    found = call("work_out_travel_allowance", **TRIP, meals_provided=meals, free_nights=1, edge_day_percent=50)
    assert (found["meals_before_reduction"], found["meal_reduction"], found["lodging"]) == (180, 54, 220)
    day_trip: dict[str, Any] = {**TRIP, "last_day": "2026-03-02"}
    fed = call("work_out_travel_allowance", **day_trip, meals_provided=["breakfast", "lunch", "dinner"])
    assert (fed["meals_before_reduction"], fed["total_allowance"]) == (45, 0)
    assert refused("work_out_travel_allowance", **{**TRIP, "last_day": "2026-03-01"}) == "last_day"
    assert refused("work_out_travel_allowance", **{**TRIP, "last_day": "2026-05-03"}) == "last_day"
    assert refused("work_out_travel_allowance", **TRIP, free_nights=4) == "free_nights"
    assert refused("work_out_travel_allowance", **TRIP, meals_provided=["lunch"] * 5) == "meals_provided"


@given(st.integers(0, 61), cents.filter(lambda rate: rate <= 1000), st.lists(st.sampled_from(["lunch", "dinner"])))
def test_provided_meals_only_lower_the_allowance(days: int, rate: float, meals: list[str]) -> None:
    meals = meals[: days + 1]
    trip: dict[str, Any] = {
        **TRIP,
        "last_day": (date(2026, 3, 2) + timedelta(days=days)).isoformat(),
        "daily_meal_rate": rate,
    }
    full, less = (call("work_out_travel_allowance", **trip, meals_provided=given) for given in ([], meals))
    assert 0 <= less["total_allowance"] <= full["total_allowance"]
    assert full["meals_before_reduction"] <= rate * (days + 1) + 0.01


def test_mileage() -> None:
    found = call("reimburse_mileage", trip_distances=[30, 12.5], distance_unit="mile", rate_per_mile=0.7)
    assert found == {"claimed_miles": 42.5, "mileage_amount": 29.75, "total_amount": 29.75}
    more = call(
        "reimburse_mileage",
        trip_distances=[30, 12.5],
        distance_unit="mile",
        rate_per_mile=0.7,
        round_trips=True,
        usual_commute=15,
        tolls_and_parking=8.5,
    )
    assert more == {"claimed_miles": 30, "mileage_amount": 21, "total_amount": 29.5}
    metric = call("reimburse_mileage", trip_distances=[160.9344], distance_unit="kilometer", rate_per_mile=0.655)
    assert metric == {"claimed_miles": 100, "mileage_amount": 65.5, "total_amount": 65.5}
    with pytest.raises(ToolError):
        call("reimburse_mileage", trip_distances=[-1], distance_unit="mile", rate_per_mile=0.7)


@given(st.lists(hours, min_size=1, max_size=31), hours, st.booleans())
def test_a_commute_never_makes_a_claim_larger(ways: list[float], commute: float, both: bool) -> None:
    asked: dict[str, Any] = {"trip_distances": ways, "distance_unit": "mile", "rate_per_mile": 0.5, "round_trips": both}
    plain, less = call("reimburse_mileage", **asked), call("reimburse_mileage", **asked, usual_commute=commute)
    assert 0 <= less["mileage_amount"] <= plain["mileage_amount"]
    assert plain["claimed_miles"] == pytest.approx(sum(ways) * (1 + both), abs=0.006)


# Tax numbers: real companies' numbers and examples of tax offices, as they are printed in public sources

VALID: dict[str, Any] = {
    "de_vat": "DE 136 695 976",
    "it_vat": "IT00743110157",
    "be_vat": "BE 0403.019.261",
    "pl_vat": "PL 856-734-62-15",
    "pt_vat": "501964843",
    "dk_vat": "DK13585628",
    "fi_vat": "FI 2077474-0",
    "lu_vat": "LU15027442",
    "no_org": "988 077 917",
    "au_abn": "83 914 571 673",
}


def test_every_kind_is_known() -> None:
    assert tuple(SCHEMES) == get_args(TaxNumberKind)
    assert {*VALID, "us_ein"} == set(SCHEMES)


@pytest.mark.parametrize("kind", VALID)
def test_numbers_that_are_right_and_single_wrong_digits(kind: str) -> None:
    right = call("check_tax_number", kind=kind, tax_number=VALID[kind])
    assert (right["well_formed"], right["check_digits_fit"], right["problem"]) == (True, True, "none")
    digits = right["digits"]
    for place in range(1, len(digits)):
        wrong = digits[:place] + str((int(digits[place]) + 1) % 10) + digits[place + 1 :]
        found = call("check_tax_number", kind=kind, tax_number=wrong)
        assert (found["check_digits_fit"], found["problem"]) == (False, "wrong_check_digits"), wrong


@pytest.mark.parametrize(
    ("kind", "number", "problem"),
    [
        ("us_ein", "12-3456789", "none"),
        ("us_ein", "123-456789 0", "wrong_length"),
        ("us_ein", "12-34567AB", "not_digits"),
        ("de_vat", "FR136695976", "wrong_country"),
        ("de_vat", "036695976", "wrong_first_digit"),
        ("it_vat", "00000000000", "wrong_check_digits"),
        ("dk_vat", "DK١٣٥٨٥٦٢٨", "not_digits"),
        ("dk_vat", "DK  ..--", "not_digits"),
    ],
)
def test_numbers_of_a_wrong_form(kind: str, number: str, problem: str) -> None:
    found = call("check_tax_number", kind=kind, tax_number=number)
    assert found["problem"] == problem
    assert found["check_digits_fit"] is (False if problem == "wrong_check_digits" else None)


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
