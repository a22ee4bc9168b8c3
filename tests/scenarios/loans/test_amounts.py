"""The solver's amounts against hand-computed figures: income, debts, rates, and limits by collateral and income.

Payments follow P r / (1 - (1 + r)^-n). For 1,000 dollars: personal, 12 months at 9.500 %: 87.68351 (factor 87.6836);
auto, 60 months at 6.750 %: 19.68346 (19.6835), at 7.500 %: 20.03795 (20.0380); home, 360 months at 6.375 %: 6.23870
(6.2387), at 6.625 %: 6.40311 (with 0.650 % mortgage insurance 6.40311 + 0.54167 = 6.94478, factor 6.9448).
"""

from typing import Any

import pytest

from teller_gym.base.money import to_cents
from teller_gym.scenarios.loans.solver_facts import monthly_debts, monthly_income, price, qualifying_income
from tests.scenarios.loans.bench import POLICY, Bench, auto, home, personal, tradeline


def offer(bench: Bench) -> tuple[Any, ...]:
    """Return decision, reason, amount, payment and affordability outcome."""
    solution = bench.solve()
    named = ("decision", "principal_reason", "approved_amount", "monthly_payment")
    return (*(solution.outputs[name] for name in named), solution.branches["affordability"])


def with_housing(dollars: float) -> Bench:
    """Return the personal loan of 1,052.20 a month; 5,000.00 x 43 % = 2,150.00 are left for it and for housing."""
    bench = personal()
    bench.application["monthly_housing_cost"] = to_cents(dollars)
    return bench


@pytest.mark.parametrize(
    ("pay_type", "gross", "hours", "monthly"),
    [
        ("hourly", 20.00, 40, 3_466.67),  # 41,600.00 / 12 = 3,466.6667
        ("hourly", 28.35, 38.5, 4_729.73),  # 56,756.70 / 12 = 4,729.725: half up
        ("weekly", 1_000.01, 0, 4_333.38),  # 52,000.52 / 12 = 4,333.3767
        ("biweekly", 2_000.00, 0, 4_333.33),
        ("semimonthly", 2_500.00, 0, 5_000.00),
        ("salaried", 65_000.00, 0, 5_416.67),
        ("pension", 2_345.67, 0, 2_345.67),
    ],
)
def test_income_by_pay_type(pay_type: str, gross: float, hours: float, monthly: float) -> None:
    job: dict[str, Any] = {"employment_type": "employed", "pay_type": pay_type, "gross_pay": to_cents(gross)}
    assert qualifying_income({**job, "net_pay": 1, "hours_per_week": hours}, POLICY) == to_cents(monthly)


@pytest.mark.parametrize(
    ("before", "latest", "monthly"),
    [
        (60_000, 72_000, 5_500.00),  # the mean, 66,000 / 12
        (72_000, 60_000, 5_000.00),  # lower than the year before: the latest, 60,000 / 12
        (60_000, 60_000, 5_000.00),
        (-12_000, 60_000, 2_000.00),  # a loss counts in the mean: 24,000 / 12
    ],
)
def test_income_of_the_self_employed(before: float, latest: float, monthly: float) -> None:
    profits = {"prior_year_profit": to_cents(before), "latest_year_profit": to_cents(latest)}
    job = {"employment_type": "self_employed", "pay_type": "self_employed", **profits}
    assert qualifying_income(job, POLICY) == to_cents(monthly)


def test_income_of_both_applicants_counts() -> None:
    bench = personal().add_applicant("co_applicant").monthly_income(1_234.56, number=1)
    assert monthly_income(bench.case()) == to_cents(6_234.56)


@pytest.mark.parametrize(
    ("line", "counted"),
    [
        (tradeline("TL-1", "installment", 210, 11), 210.00),
        (tradeline("TL-1", "installment", 210, 10), 0.00),
        (tradeline("TL-1", "lease", 310, 5), 310.00),
        (tradeline("TL-1", "mortgage", 910, 3), 910.00),
        (tradeline("TL-1", "revolving", 35, balance=to_cents(9_000)), 35.00),
        (tradeline("TL-1", "revolving", 0, balance=to_cents(1_234.50)), 61.73),  # 5 % is 61.725
        (tradeline("TL-1", "installment", 0, 24, balance=to_cents(1_000)), 0.00),  # the share is for revolving ones
        (tradeline("TL-1", "revolving", 35, role="joint"), 35.00),
        (tradeline("TL-1", "revolving", 35, role="authorized_user"), 0.00),
        (tradeline("TL-PAID", "installment", 210, 30), 0.00),
    ],
)
def test_tradelines(line: dict[str, Any], counted: float) -> None:
    bench = personal().add_applicant("co_applicant")
    bench.application["closing_payoff_tradelines"] = ["TL-PAID"]
    bench.record("report", 1)["tradelines"].append(line)
    assert monthly_debts(bench.case()) == to_cents(counted)


def test_debts_are_added_over_reports_and_a_shared_one_counts_once() -> None:
    bench = personal().add_applicant("co_applicant")
    shared = tradeline("TL-1", "mortgage", 900, role="joint")
    bench.record("report", 0)["tradelines"] += [shared, tradeline("TL-2", "lease", 200)]
    bench.record("report", 1)["tradelines"] += [shared, tradeline("TL-3", "lease", 30)]
    bench.application.update(monthly_housing_cost=to_cents(1_000), monthly_support_paid=to_cents(400))
    assert monthly_debts(bench.case()) == to_cents(900 + 200 + 30 + 1_000 + 400)


def test_housing_is_replaced_by_a_home_loan_for_a_primary_residence_only() -> None:
    bench = home()
    bench.application["monthly_housing_cost"] = to_cents(1_000)
    assert monthly_debts(bench.case()) == 0
    for use in ("second_home", "investment"):
        bench.application["property_use"] = use
        assert monthly_debts(bench.case()) == to_cents(1_000)
    for other in (auto(), personal()):
        other.application.update(monthly_housing_cost=to_cents(1_000), property_use="primary")
        assert monthly_debts(other.case()) == to_cents(1_000)


@pytest.mark.parametrize(
    ("score", "rate"),
    [(760, 6_750), (759, 7_125), (720, 7_125), (719, 7_625), (680, 7_625), (679, 8_250), (650, 8_250)],
)
def test_rate_by_grade_of_the_lowest_score(score: int, rate: int) -> None:
    bench = auto().add_applicant("co_applicant")
    bench.record("report", 1)["score"] = score
    assert price(bench.case(), 2_500_000).rate == rate
    bench.application["autopay"] = True
    assert price(bench.case(), 2_500_000).rate == rate - 250


@pytest.mark.parametrize(
    ("amount", "rate", "insurance"),
    [
        (400_000, 6_375, 0),  # of 500,000: exactly 80 %
        (400_000.01, 6_625, 450),
        (425_000, 6_625, 450),
        (425_000.01, 6_625, 650),
        (450_000, 6_625, 650),
        (450_000.01, 6_625, 900),
        (475_000, 6_625, 900),
    ],
)
def test_home_rate_and_mortgage_insurance_by_loan_to_value(amount: float, rate: int, insurance: int) -> None:
    quote = price(home().case(), to_cents(amount))
    assert (quote.rate, quote.mortgage_insurance, quote.months) == (rate, insurance, 360)


def test_auto_surcharge_above_the_whole_value() -> None:
    assert price(auto(value=25_000).case(), 2_500_000).rate == 6_750
    assert price(auto(value=25_000).case(), 2_500_001).rate == 7_500
    assert price(auto(value=25_000).case(), 2_500_001).mortgage_insurance == 0


def test_dti_of_exactly_43_percent_passes_and_a_cent_more_does_not() -> None:
    # 2,150.00 - 1,052.20 = 1,097.80.
    assert offer(with_housing(1_097.80)) == ("approve", "none", 12_000, 1_052.20, "within")
    # 1,052.19 left, less a cent 1,052.18; / 87.6836 = 11,999.73 thousandths: 11,900.00 at 11.9 x 87.68351 = 1,043.43.
    reduced = ("counter_offer", "excessive_obligations", 11_900, 1_043.43, "dti_reduced")
    assert offer(with_housing(1_097.81)) == reduced


def test_dti_leaves_the_smallest_amount_or_nothing() -> None:
    # 87.70 left, less a cent 87.69; / 87.6836 = 1,000.07: 1,000.00 at 87.68.
    least = ("counter_offer", "excessive_obligations", 1_000, 87.68, "dti_reduced")
    assert offer(with_housing(2_062.30)) == least
    # 87.69 left, less a cent 87.68; / 87.6836 = 999.96: 900.00 is below 1,000.00.
    failed = ("deny", "excessive_obligations", 0, 0, "dti_failed")
    assert offer(with_housing(2_062.31)) == failed
    assert offer(with_housing(9_999)) == failed  # nothing left at all


def test_pti_of_exactly_15_percent_passes_and_a_cent_less_income_does_not() -> None:
    # 3,280.60 x 15 % = 492.09, the payment of 25,000.00.
    assert offer(auto().monthly_income(3_280.60)) == ("approve", "none", 25_000, 492.09, "within")
    # 3,280.59 x 15 % = 492.0885, less a cent 492.0785; / 19.6835 = 24,999.54: 24,900.00 at 24.9 x 19.68346 = 490.12.
    reduced = ("counter_offer", "payment_to_income_high", 24_900, 490.12, "pti_reduced")
    assert offer(auto().monthly_income(3_280.59)) == reduced


def test_pti_leaves_the_smallest_amount_or_nothing() -> None:
    # 1,968.42 x 15 % - 0.01 = 295.253; / 19.6835 = 15,000.03: 15,000.00 at 15 x 19.68346 = 295.25.
    least = ("counter_offer", "payment_to_income_high", 15_000, 295.25, "pti_reduced")
    assert offer(auto().monthly_income(1_968.42)) == least
    # 1,968.41 x 15 % - 0.01 = 295.2515; / 19.6835 = 14,999.95: 14,900.00 is below 15,000.00.
    assert offer(auto().monthly_income(1_968.41)) == ("deny", "payment_to_income_high", 0, 0, "pti_failed")


@pytest.mark.parametrize(
    ("housing", "expected"),
    [
        # Income 3,000.00: PTI leaves 450.00, DTI 1,290.00 - 900.00 = 390.00: 389.99 / 19.6835 = 19,813.04.
        (900, ("counter_offer", "excessive_obligations", 19_800, 389.73, "dti_reduced")),
        # DTI leaves 490.00, also too little for 492.09, but PTI less: 449.99 / 19.6835 = 22,861.28.
        (800, ("counter_offer", "payment_to_income_high", 22_800, 448.78, "pti_reduced")),
    ],
)
def test_lower_limit_binds_where_both_are_broken(housing: float, expected: tuple[Any, ...]) -> None:
    bench = auto().monthly_income(3_000)
    bench.application["monthly_housing_cost"] = to_cents(housing)
    assert offer(bench) == expected


def test_personal_loan_has_no_payment_to_income_limit() -> None:
    # 1,052.20 of 2,500.00 is 42.09 %.
    assert offer(personal().monthly_income(2_500)) == ("approve", "none", 12_000, 1_052.20, "within")


def test_home_obligations_include_escrow() -> None:
    # 10,000.00 x 43 % = 4,300.00; escrow (1,800 + 6,000) / 12 = 650.00; 4,300.00 - 650.00 - 2,495.48 = 1,154.52.
    bench = home()
    bench.application["monthly_support_paid"] = to_cents(1_154.52)
    assert offer(bench) == ("approve", "none", 400_000, 2_495.48, "within")
    bench.application["monthly_support_paid"] = to_cents(1_154.53)
    # 2,495.47 left, less a cent 2,495.46; / 6.2387 = 399,996.79: 399,900.00 at 399.9 x 6.23870 = 2,494.86.
    assert offer(bench) == ("counter_offer", "excessive_obligations", 399_900, 2_494.86, "dti_reduced")


def test_home_obligations_include_mortgage_insurance() -> None:
    # 450,000.00 of 500,000.00: 450 x 6.40311 = 2,881.40, and 0.650 % / 12 = 243.75;
    # 4,300.00 - 650.00 - 2,881.40 - 243.75 = 524.85.
    bench = home(asked=450_000)
    bench.application["monthly_support_paid"] = to_cents(524.85)
    assert offer(bench) == ("approve", "none", 450_000, 2_881.40, "within")
    bench.application["monthly_support_paid"] = to_cents(524.86)
    # 3,125.14 left, less a cent 3,125.13; / 6.9448 = 449,995.68: 449,900.00 at 449.9 x 6.40311 = 2,880.76.
    assert offer(bench) == ("counter_offer", "excessive_obligations", 449_900, 2_880.76, "dti_reduced")


@pytest.mark.parametrize(
    ("value", "amount", "payment", "outcome"),
    [
        (20_833.34, 25_000, 500.95, "ok"),  # x 120 % = 25,000.008; 25 x 20.03795 = 500.95
        (20_833.33, 24_900, 498.94, "capped"),  # x 120 % = 24,999.996; 24.9 x 20.03795 = 498.94
        (20_070.00, 24_000, 480.91, "capped"),  # 24,084.00 in whole hundreds
        (12_500.00, 15_000, 300.57, "capped"),  # exactly the smallest amount
    ],
)
def test_collateral_caps_the_amount(value: float, amount: float, payment: float, outcome: str) -> None:
    bench = auto(value=value)
    decision, reason = ("approve", "none") if outcome == "ok" else ("counter_offer", "collateral_insufficient")
    assert offer(bench) == (decision, reason, amount, payment, "within")
    assert bench.solve().branches["collateral"] == outcome


def test_collateral_below_the_smallest_amount() -> None:
    bench = auto(value=12_499.99)  # x 120 % = 14,999.988: 14,900.00
    assert offer(bench) == ("deny", "collateral_insufficient", 0, 0, "not_reached")
    assert bench.solve().branches["collateral"] == "too_small"


def test_collateral_is_the_lower_of_price_and_appraised_value() -> None:
    for lower, higher in (("purchase_price", "appraised_value"), ("appraised_value", "purchase_price")):
        bench = auto(value=20_000)  # x 120 % = 24,000.00; 24 x 20.03795 = 480.91
        bench.application.update({lower: to_cents(20_000), higher: to_cents(30_000)})
        assert offer(bench) == ("counter_offer", "collateral_insufficient", 24_000, 480.91, "within")


def test_capped_and_reduced_is_put_down_to_income() -> None:
    # 24,000.00 costs 480.91; 3,000.00 x 15 % = 450.00, less a cent / 20.0380 = 22,456.83: 22,400.00 at the same
    # quote, although 22,400.00 of 20,000.00 would still be above 100 %: 22.4 x 20.03795 = 448.85.
    bench = auto(value=20_000).monthly_income(3_000)
    assert offer(bench) == ("counter_offer", "payment_to_income_high", 22_400, 448.85, "pti_reduced")
    assert bench.solve().branches["collateral"] == "capped"


def test_reduction_keeps_the_quote_of_the_considered_amount() -> None:
    # 400,100.00 of 500,000.00 is above 80 %: 6.625 % and 0.450 %; factor 6.40311 + 0.375 = 6.7782 rounded up.
    # Room 4,300.00 - 650.00 - 1,000.00 = 2,650.00, less a cent / 6.7782 = 390,957.78: 390,900.00, by itself below
    # 80 %, at 390.9 x 6.40311 = 2,502.98 all the same.
    bench = home(asked=400_100)
    bench.application["monthly_support_paid"] = to_cents(1_000)
    assert offer(bench) == ("counter_offer", "excessive_obligations", 390_900, 2_502.98, "dti_reduced")
