"""The auxiliary tools that look up policy, count days or calculate; expected values are worked out by hand or anew."""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.scenarios.loans.policy import LoanPolicy
from tests.scenarios.loans.auxiliary_bank import BASE, POLICY, TOOLS, ask, error, new_bank

# Policy


TOPICS = next(p for p in TOOLS["get_lending_policy"].parameters if p.name == "topic").schema["enum"]


def everything_looked_up(policy: LoanPolicy) -> list[Any]:
    bank = new_bank(policy)
    asked = [ask("get_lending_policy", bank, topic=topic) for topic in TOPICS]
    asked += [ask("get_rate_table", bank, product=product) for product in ("home", "auto", "personal")]
    months = [(2026, month) for month in range(1, 13)] + [(2027, 1), (2027, 2)]
    for year, month in months:
        try:
            asked.append(ask("get_business_calendar", bank, year=year, month=month))
        except ToolError as found:
            asked.append(found.to_dict())
    return asked


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*path, key))
    else:
        yield path


PLAIN_POLICY = json.loads(msgspec.json.encode(POLICY))


@pytest.mark.parametrize("path", list(leaves(PLAIN_POLICY)), ids=lambda path: ".".join(map(str, path)))
def test_every_entry_of_the_policy_can_be_looked_up(path: tuple[Any, ...]) -> None:
    changed = json.loads(json.dumps(PLAIN_POLICY))
    *way, last = path
    place = changed
    for key in way:
        place = place[key]
    if way == ["holidays"]:
        place[last] = "2026-07-03"  # a Friday on which the bank is open
    elif isinstance(place[last], int):
        # Less, where more is refused: every score that passes has a grade.
        place[last] += -1 if path == ("grades", 3, "min_score") else 1
    else:
        place[last] += "_changed"
    policy = msgspec.convert(changed, LoanPolicy, strict=False)
    assert everything_looked_up(policy) != everything_looked_up(POLICY)


def test_policy_and_rates_in_the_units_that_people_use() -> None:
    affordability = ask("get_lending_policy", topic="affordability")["entries"]
    assert affordability["max_debt_to_income_percent"] == 43
    assert affordability["max_payment_to_income_percent_auto"] == 15
    assert affordability["amounts_rounded_down_to_usd"] == 100
    debts = ask("get_lending_policy", topic="debts")["entries"]
    assert debts == {"short_debt_payments_left": 10, "revolving_without_payment_percent_of_balance": 5}
    assert ask("get_lending_policy", topic="collateral")["entries"]["max_loan_to_value_percent"] == {
        "home": 95,
        "auto": 120,
    }
    assert ask("get_lending_policy", topic="exposure")["entries"] == {"escalation_above_usd": 100_000}
    due = ask("get_lending_policy", topic="due_dates")["entries"]
    assert (due["notice_calendar_days"], due["disclosure_business_days"]) == (30, 3)
    home = ask("get_rate_table", product="home")
    assert home["base_rates"] == {"180": 5.875, "240": 6.125, "360": 6.375}
    assert (home["autopay_discount"], home["ltv_surcharge"], home["ltv_surcharge_above"]) == (0.25, 0.25, 80)
    assert home["grades"][3] == {"grade": "D", "min_score": 650, "surcharge": 1.5, "origination_fee": 1}
    assert home["mortgage_insurance"][0] == {"above_ltv": 90, "yearly_rate": 0.9}
    assert ask("get_rate_table", product="auto")["mortgage_insurance"] == []


# Dates


def moved(start: str, days: int, unit: str, roll: str = "none") -> str:
    result: str = ask("add_days", start_date=start, days=days, unit=unit, roll=roll)["result_date"]
    return result


def test_days_added_by_hand() -> None:
    assert moved("2026-03-10", 30, "calendar") == "2026-04-09"
    assert moved("2026-01-31", 28, "calendar", "previous") == "2026-02-27"  # from a Saturday
    assert moved("2026-06-17", 2, "calendar", "previous") == "2026-06-18"  # 19 June is a holiday
    assert moved("2026-06-17", 2, "calendar", "next") == "2026-06-22"
    assert moved("2026-06-17", 2, "business") == "2026-06-22"
    assert moved("2026-12-24", 1, "business") == "2026-12-28"
    assert moved("2026-03-09", -1, "business") == "2026-03-06"
    assert moved("2026-03-07", 0, "business") == "2026-03-07"
    assert moved("2026-03-07", 0, "business", "next") == "2026-03-09"
    friday = ask("add_days", start_date="2026-06-18", days=1, unit="calendar")
    assert (friday["weekday"], friday["is_business_day"]) == ("Friday", False)


def test_business_days_are_refused_where_the_calendar_ends() -> None:
    assert ask("add_days", start_date="2027-02-25", days=1, unit="calendar")["is_business_day"] is True
    for beyond, days in (("2027-02-26", 3), ("2026-01-02", -3), ("2030-01-01", 0)):
        assert ask("add_days", start_date=beyond, days=days, unit="calendar")["is_business_day"] is None
    assert error("add_days", start_date="2027-02-26", days=1, unit="business").field == "start_date"
    assert error("add_days", start_date="2026-01-02", days=-1, unit="business").kind is ErrorKind.VALIDATION
    assert error("add_days", start_date="2030-01-01", days=0, unit="calendar", roll="next").kind is ErrorKind.VALIDATION
    assert error("add_days", start_date="9999-12-31", days=1, unit="calendar").kind is ErrorKind.VALIDATION
    assert moved("2030-01-01", 1, "calendar") == "2030-01-02"
    assert moved("2027-02-25", 1, "business") == "2027-02-26"
    assert moved("2026-01-01", 0, "calendar", "next") == "2026-01-02"
    whole = ask("days_between", start_date="2026-01-01", end_date="2027-02-28", unit="business")
    assert whole["days"] == 260 - 9 + 41 - 3  # weekdays less holidays, of the rest of 2026 and of two months of 2027
    assert ask("get_business_calendar", year=2026, month=1)["business_days"] == 20
    assert ask("get_business_calendar", year=2027, month=2)["business_days"] == 19
    span = error("days_between", start_date="2025-12-31", end_date="2026-01-31", unit="business")
    assert (span.kind, span.field) == (ErrorKind.VALIDATION, "start_date")
    assert error("get_business_calendar", year=2027, month=3).kind is ErrorKind.VALIDATION


OPEN_DAYS = [
    day
    for day in (date(2026, 1, 1) + timedelta(days=i) for i in range(365))
    if day.isoweekday() <= 5 and day not in POLICY.holidays
]
IN_2026 = st.integers(60, 300).map(lambda i: date(2026, 1, 1) + timedelta(days=i))


@given(IN_2026, st.integers(1, 30))
def test_business_days_added_are_those_on_the_list_of_open_days(start: date, count: int) -> None:
    after = [day for day in OPEN_DAYS if day > start]
    before = [day for day in OPEN_DAYS if day < start]
    assert moved(start.isoformat(), count, "business") == after[count - 1].isoformat()
    assert moved(start.isoformat(), -count, "business") == before[-count].isoformat()


@given(IN_2026, st.integers(-50, 50))
def test_a_rolled_day_is_the_nearest_open_day(start: date, count: int) -> None:
    plain = start + timedelta(days=count)
    assert moved(start.isoformat(), count, "calendar") == plain.isoformat()
    before, after = max(day for day in OPEN_DAYS if day <= plain), min(day for day in OPEN_DAYS if day >= plain)
    assert moved(start.isoformat(), count, "calendar", "previous") == before.isoformat()
    assert moved(start.isoformat(), count, "calendar", "next") == after.isoformat()


@given(IN_2026, IN_2026)
def test_days_between_undoes_days_added(one: date, other: date) -> None:
    start, end = min(one, other), max(one, other)
    dates = {"start_date": start.isoformat(), "end_date": end.isoformat()}
    assert ask("days_between", **dates, unit="calendar")["days"] == end.toordinal() - start.toordinal()
    assert ask("days_between", **dates, unit="business")["days"] == sum(start < day <= end for day in OPEN_DAYS)


def test_whole_years_and_the_calendar_of_a_month() -> None:
    years = [
        ask("days_between", start_date="1966-03-11", end_date=end, unit="calendar")["whole_years"]
        for end in ("2026-03-10", "2026-03-11")
    ]
    assert years == [59, 60]
    assert ask("get_business_calendar", year=2026, month=11) == {
        "business_days": 19,
        "first_business_day": "2026-11-02",
        "last_business_day": "2026-11-30",
        "bank_holidays": ["2026-11-11", "2026-11-26"],
    }


# Calculators


def test_a_schedule_by_hand() -> None:
    result = ask("build_amortization_schedule", **BASE["build_amortization_schedule"])
    assert result["level_payment"] == 1_199.10  # 200,000 at 6 % over 30 years, the textbook example
    assert (result["payments_in_all"], result["last_due_date"]) == (360, "2056-04-01")
    assert result["payments"][0] == {
        "number": 1,
        "due_date": "2026-05-01",
        "interest": 1_000,
        "principal": 199.1,
        "balance": 199_800.9,
    }
    free = ask(
        "build_amortization_schedule",
        loan_amount=1_000,
        annual_rate=0,
        term_months=3,
        first_due_date="2026-01-31",
        extra_monthly_payment=100,
    )
    assert [(row["due_date"], row["principal"]) for row in free["payments"]] == [
        ("2026-01-31", 433.33),
        ("2026-02-28", 433.33),
        ("2026-03-31", 133.34),
    ]


@given(
    cents=st.integers(10_000, 80_000_000),
    rate=st.integers(0, 25_000),
    months=st.integers(1, 360),
    extra=st.integers(0, 100_000),
)
def test_schedules_pay_back_what_was_borrowed(cents: int, rate: int, months: int, extra: int) -> None:
    arguments = {
        "loan_amount": cents / 100,
        "annual_rate": rate / 1000,
        "term_months": months,
        "first_due_date": "2026-01-15",
        "extra_monthly_payment": extra / 100,
    }
    result = ask("build_amortization_schedule", **arguments, show_payments=1)
    count = result["payments_in_all"]
    last = ask("build_amortization_schedule", **arguments, show_from_payment=count, show_payments=1)["payments"][0]
    assert last["balance"] == 0
    assert count <= months
    factor = rate / 1_200_000
    payment = cents / months if rate == 0 else cents * factor / (1 - (1 + factor) ** -months)
    assert abs(result["level_payment"] * 100 - payment) < 0.51
    # Interest is what is paid beyond the amount: all payments but the last are level, the last clears the rest.
    last_payment = round((last["interest"] + last["principal"]) * 100)
    paid = (count - 1) * (round(result["level_payment"] * 100) + extra) + last_payment
    assert round(result["total_interest"] * 100) == paid - cents


def test_offers_compared_by_hand() -> None:
    result = ask("compare_loan_offers", **BASE["compare_loan_offers"] | {"months_kept": 1})
    assert result == {"payment_a": 833.33, "payment_b": 470.73, "cost_a": 200, "cost_b": 100, "cheaper": "b"}
    long = ask("compare_loan_offers", **BASE["compare_loan_offers"])
    assert (long["cost_a"], long["cheaper"]) == (200, "a")


OFFER = st.tuples(st.integers(0, 20_000), st.integers(1, 120), st.integers(0, 10_000))


@given(OFFER, OFFER, st.integers(1, 120))
def test_comparing_is_fair(one: tuple[int, int, int], other: tuple[int, int, int], kept: int) -> None:
    def compare(a: tuple[int, int, int], b: tuple[int, int, int]) -> dict[str, Any]:
        named = {
            f"{name}_{side}": value
            for side, (rate, months, fee) in (("a", a), ("b", b))
            for name, value in (("annual_rate", rate / 1000), ("term_months", months), ("fee_percent", fee / 1000))
        }
        return ask("compare_loan_offers", loan_amount=25_000, months_kept=kept, **named)

    there, back = compare(one, other), compare(other, one)
    assert (there["cost_a"], there["payment_a"]) == (back["cost_b"], back["payment_b"])
    assert {there["cheaper"], back["cheaper"]} in ({"a", "b"}, {"equal"})
    assert compare(one, one)["cheaper"] == "equal"


def test_payments_estimated_by_hand() -> None:
    assert ask("estimate_payment", loan_amount=20_000, annual_rate=6, term_months=60) == {
        "estimated_payment": 386.66,
        "number_of_payments": 60,
        "balloon_due": 0,
        "total_paid": 23_199.6,
    }
    weekly = ask("estimate_payment", loan_amount=5_200, annual_rate=0, term_months=12, payment_frequency="weekly")
    assert (weekly["estimated_payment"], weekly["number_of_payments"]) == (100, 52)
    fee = {"upfront_fee": 100, "finance_fee": True}
    financed = ask("estimate_payment", loan_amount=1_100, annual_rate=0, term_months=12, **fee)
    assert (financed["estimated_payment"], financed["total_paid"]) == (100, 1_200)
    balloon = ask("estimate_payment", loan_amount=10_000, annual_rate=12, term_months=1, balloon_amount=4_000)
    assert (balloon["estimated_payment"], balloon["total_paid"]) == (6_100, 10_100)
    insured = ask("estimate_payment", loan_amount=12_000, annual_rate=0, term_months=12, yearly_insurance_percent=1)
    assert (insured["estimated_payment"], insured["total_paid"]) == (1_010, 12_120)
    balloon_free = {"annual_rate": 0, "balloon_amount": 600}
    at_once = ask("estimate_payment", loan_amount=1_200, term_months=12, upfront_fee=60, **balloon_free)
    assert (at_once["estimated_payment"], at_once["total_paid"]) == (50, 1_260)


@given(
    cents=st.integers(100_000, 80_000_000),
    rate=st.integers(1, 25_000),
    years=st.integers(1, 30),
    frequency=st.sampled_from([("monthly", 12), ("biweekly", 26), ("weekly", 52)]),
    share=st.integers(0, 9),
)
def test_estimated_payments_are_worth_the_loan(
    cents: int, rate: int, years: int, frequency: tuple[str, int], share: int
) -> None:
    name, a_year = frequency
    balloon = cents * share // 10
    result = ask(
        "estimate_payment",
        loan_amount=cents / 100,
        annual_rate=rate / 1000,
        term_months=12 * years,
        payment_frequency=name,
        balloon_amount=balloon / 100,
    )
    balance, factor = float(cents), 1 + rate / 100_000 / a_year
    growth = 0.0
    for _ in range(years * a_year):
        balance = balance * factor - result["estimated_payment"] * 100
        growth = growth * factor + 1
    assert result["number_of_payments"] == years * a_year
    assert abs(balance - balloon) <= 0.51 * growth + 1e-3


def test_ratio_estimated_by_hand() -> None:
    base = BASE["estimate_debt_to_income"]
    expected = {"estimated_dti_percent": 30, "estimated_housing_percent": 20, "indication": "below_limit"}
    assert ask("estimate_debt_to_income", **base) == expected  # (1000 + 200 + 3 % of 2000 + 240) / 5000
    other = ask("estimate_debt_to_income", **base | {"other_monthly_income": 1_000})
    assert other["estimated_dti_percent"] == 25  # of 6000
    net = ask("estimate_debt_to_income", **base | {"income_basis": "net"})
    assert net["estimated_dti_percent"] == 24  # of 6250
    assert ask("estimate_debt_to_income", **base | {"proposed_payment": 890})["indication"] == "near_limit"  # 43.00
    assert ask("estimate_debt_to_income", **base | {"proposed_payment": 890.01})["indication"] == "above_limit"
    assert ask("estimate_debt_to_income", **base | {"proposed_payment": 640})["indication"] == "below_limit"  # 38.00
    assert ask("estimate_debt_to_income", **base | {"proposed_payment": 640.01})["indication"] == "near_limit"
