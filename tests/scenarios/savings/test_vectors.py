"""Interest, charges and dates of Savings against figures computed by hand."""

from datetime import date, timedelta
from fractions import Fraction

import pytest

from teller_gym.procedure.scenario import load_scenario
from teller_gym.scenarios.savings.solver_facts import Case
from teller_gym.scenarios.savings.tools.coverage import insured
from teller_gym.scenarios.savings.tools.interest import days_of, interest_of
from teller_gym.scenarios.savings.tools.maturity import maturity_of

SAVINGS = load_scenario("savings")


@pytest.mark.parametrize(("days", "interest", "paid"), [(200, 21_918, 1_012_055), (40, 4_384, 994_521)])
def test_a_deposit_of_10_000_at_4_percent_withdrawn_early(days: int, interest: int, paid: int) -> None:
    earned = interest_of(1_000_000, 4.0, days, "simple", "actual_365")
    charge = interest_of(1_000_000, 4.0, 90, "simple", "actual_365")
    assert (earned, charge, 1_000_000 + earned - charge) == (interest, 9_863, paid)


@pytest.mark.parametrize(("method", "days", "grown"), [("daily", 365, 46_025), ("monthly", 360, 45_940)])
def test_yields_of_4_50_percent(method: str, days: int, grown: int) -> None:
    day_count = "thirty_360" if method == "monthly" else "actual_365"
    assert interest_of(1_000_000, 4.5, days, method, day_count) == grown


@pytest.mark.parametrize(
    ("first", "last", "days"),
    [
        (date(2026, 1, 31), date(2026, 3, 31), 60),
        (date(2026, 1, 30), date(2026, 2, 28), 28),
        (date(2026, 2, 28), date(2026, 3, 31), 32),
        (date(2025, 12, 15), date(2026, 12, 15), 360),
    ],
)
def test_thirty_days_a_month(first: date, last: date, days: int) -> None:
    assert days_of(first, last, "thirty_360") == days


@pytest.mark.parametrize(
    ("start", "months", "anchor", "matures"),
    [
        (date(2026, 2, 28), 6, 31, date(2026, 8, 31)),
        (date(2026, 8, 31), 6, 31, date(2027, 2, 28)),
        (date(2026, 5, 18), 12, 16, date(2027, 5, 16)),
        (date(2027, 8, 30), 6, 30, date(2028, 2, 29)),
    ],
)
def test_terms_end_on_the_anchor_day(start: date, months: int, anchor: int, matures: date) -> None:
    assert maturity_of(start, months, anchor) == matures


def test_trusts_are_insured_by_beneficiary_up_to_five() -> None:
    policy, limit = SAVINGS.policy, 25_000_000
    assert insured(policy, (limit + 1, 0, 0), 0, 0) == limit
    assert insured(policy, (0, 0, 0), 4 * limit, 3) == 3 * limit
    assert insured(policy, (0, 0, 0), 9 * limit, 7) == 5 * limit


def test_the_solver_works_interest_out_like_the_tool() -> None:
    task = SAVINGS.generate(1)
    case = Case(task, SAVINGS.policy)
    for product in SAVINGS.policy.products:
        row = SAVINGS.policy.products[product]
        for days in (0, 1, 29, 30, 59, 364, 365, 731):
            start = date(2025, 1, 31)
            end = start + timedelta(days=days)
            record = {"product": product, "interest_paid_to": start.isoformat(), "annual_rate": 437}
            counted = days_of(start, end, row.day_count)
            expected = interest_of(1_234_567, 4.37, counted, row.method, row.day_count)
            assert case.interest(record, 1_234_567, end) == expected


def test_a_half_cent_is_rounded_up() -> None:
    cents, rate = 3_650_000, Fraction(1, 100)
    assert cents * rate * 5 / 365 == 500
    assert interest_of(36_500, 1.0, 1, "simple", "actual_365") == 1
    assert interest_of(18_250, 1.0, 1, "simple", "actual_365") == 1
