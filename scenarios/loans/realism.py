"""Realism rules for every instance, from Appendix B of the TELLER paper and from what a banker would find absurd."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from teller_gym.base.dates import whole_years
from teller_gym.procedure.task import Task
from teller_gym.scenarios.banking.generator.people import RETIREMENT_AGE
from teller_gym.scenarios.loans.generator.pay import RETIRED_INCOME_LIMIT
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.scenarios.loans.realism_money import credit_complaints, offer_complaints
from teller_gym.tools.bank import Record

_ADULT = 18
_LEAST_HOUSING = 30_000
"""Lowest monthly housing cost, in cents."""
_LOAN_ON_HOME = 60
"""Lowest monthly cost of a home loan, in hundredths of a percent of the balance."""
_OUTSIDE = 0.02
"""Smallest amount by which an out-of-range request misses a limit, as a share of the limit."""
_HOURLY_PAY = range(725, 12_001)
"""Plausible hourly pay in cents, starting at the federal minimum wage (unchanged since 2009)."""
_OLD_VEHICLE_YEARS, _OLD_VEHICLE_VALUE = 8, 3_000_000
_CLOSE = 0.25
"""Largest difference between price and appraisal, as a share of the lower."""
_LEAST_COVER = 0.5
"""Lowest plausible sum insured, as a share of the value."""


def complaints(task: Task, policy: LoanPolicy) -> Iterator[str]:
    """Yield a complaint for each unrealistic detail of a task's case."""
    case = task.tables["applications"][task.case_id]
    yield from _amounts(task, case, policy)
    yield from _housing(task, case)
    yield from _dates(task, case)
    for person in case["applicants"]:
        yield from _person(task, case, person)
    yield from credit_complaints(task, case, policy)
    yield from offer_complaints(task, case, policy)


def _amounts(task: Task, case: Record, policy: LoanPolicy) -> Iterator[str]:
    product = policy.products[case["product"]]
    asked, low, high = case["requested_amount"], product.min_amount, product.max_amount
    if not low <= asked <= high and "validation" not in task.tags:
        yield f"{asked} cents lie outside the range of {case['product']}"
    if low * (1 - _OUTSIDE) < asked < low or high < asked < high * (1 + _OUTSIDE):
        yield f"{asked} cents miss the range of {case['product']} by next to nothing"
    if product.secured != (case["collateral_id"] is not None):
        yield "collateral and product do not fit"
        return
    if product.secured:
        yield from _collateral(task, case)
    yield from _payoffs(task, case)


def _collateral(task: Task, case: Record) -> Iterator[str]:
    item = task.tables["collateral"][case["collateral_id"]]
    low, high = sorted((case["purchase_price"], case["appraised_value"]))
    if low <= 0:
        yield "collateral without a value"
    if high - low > _CLOSE * low:
        yield f"price and appraisal of {low} and {high} cents"
    if item["coverage_amount"] < _LEAST_COVER * low:
        yield f"an insurance of {item['coverage_amount']} cents for a value of {low}"
    year = item["model_year"]
    if (year is None) != (case["product"] == "home"):
        yield "a home with a model year, or a vehicle without"
    elif year is not None and task.today.year - year >= _OLD_VEHICLE_YEARS and low > _OLD_VEHICLE_VALUE:
        yield f"a vehicle of {task.today.year - year} years for {low} cents"


def _payoffs(task: Task, case: Record) -> Iterator[str]:
    files = [task.tables["bureau_files"][person["customer_id"]]["current"] for person in case["applicants"]]
    debts = {line["tradeline_id"]: line for file in files for line in file["tradelines"]} | task.tables["accounts"]
    named = [*case["closing_payoff_tradelines"], *case["closing_payoff_accounts"]]
    if unknown := [key for key in named if key not in debts]:
        yield f"{', '.join(unknown)}, to be paid off at closing, stand nowhere"
        return
    paid_off = sum(debts[key]["balance"] for key in named)
    granted = round(task.standard.outputs.get("approved_amount", 0) * 100) or case["requested_amount"]
    if case["purpose"] == "debt_consolidation" and not 0 < paid_off <= granted:
        yield f"{granted} cents consolidate debts of {paid_off}"
    if case["product"] == "personal" and case["purpose"] != "debt_consolidation" and paid_off:
        yield "a personal loan that pays off debts is not called a consolidation"


def _housing(task: Task, case: Record) -> Iterator[str]:
    people = [person["customer_id"] for person in case["applicants"]]
    loans = [a for a in task.tables["accounts"].values() if a["kind"] == "loan" and a["customer_id"] in people]
    owed = sum(account["balance"] for account in loans)
    if case["monthly_housing_cost"] < _LEAST_HOUSING:
        yield f"housing for {case['monthly_housing_cost']} cents a month"
    if case["monthly_housing_cost"] * 10_000 < owed * _LOAN_ON_HOME:
        yield f"housing for {case['monthly_housing_cost']} cents a month cannot contain loans of {owed} with the bank"


def _dates(task: Task, case: Record) -> Iterator[str]:
    received = date.fromisoformat(case["received_date"])
    if received > task.today:
        yield "received after the business date"
    completed = case["completed_date"]
    if completed is not None and not received <= date.fromisoformat(completed) <= task.today:
        yield "completed before it was received, or in the future"
    appraised = case["appraisal_date"]
    if appraised is not None and date.fromisoformat(appraised) > task.today:
        yield "appraised in the future"


def _person(task: Task, case: Record, person: Record) -> Iterator[str]:
    who = person["customer_id"]
    born, start = date.fromisoformat(person["date_of_birth"]), date.fromisoformat(person["start_date"])
    age = whole_years(born, task.today)
    customer = task.tables["customers"][who]
    if age < _ADULT or whole_years(born, start) < _ADULT:
        yield f"{who} is or began work too young"
    if start > task.today:
        yield f"{who} begins work in the future"
    if date.fromisoformat(person["consent_date"]) > task.today:
        yield f"{who} consents in the future"
    if (customer["city"], customer["state"]) != (case["branch_city"], case["branch_state"]):
        yield f"{who} lives elsewhere than the branch"
    since = date.fromisoformat(customer["customer_since"])
    if since > task.today or whole_years(born, since) < _ADULT:
        yield f"{who} became a customer in the future, or as a child"
    for key, account in task.tables["accounts"].items():
        opened = date.fromisoformat(account["opened"])
        if account["customer_id"] == who and not since <= opened <= task.today:
            yield f"{key} was opened before its owner was a customer, or in the future"
    yield from _job(task, person, age, start)


def _job(task: Task, person: Record, age: int, start: date) -> Iterator[str]:
    who, kind = person["customer_id"], person["employment_type"]
    job = task.tables["employment"][who]
    if kind == "retired" and (age < RETIREMENT_AGE or job["gross_pay"] > RETIRED_INCOME_LIMIT):
        yield f"{who} is no realistic retired person"
    if kind == "self_employed" and job["prior_year_profit"] == job["latest_year_profit"]:
        yield f"{who} is self-employed with an income that does not vary"
    if kind == "self_employed" and start.year >= task.today.year - 2:
        yield f"{who} has two years of profit and a business that is younger"
    if job["pay_type"] == "hourly" and job["gross_pay"] not in _HOURLY_PAY:
        yield f"{who} is paid {job['gross_pay']} cents an hour"
