"""Realism rules (Appendix B of the TELLER paper), enforced on every instance."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from teller_gym.base.dates import whole_years
from teller_gym.procedure.task import Task
from teller_gym.scenarios.loans.generator.people import RETIRED_INCOME_LIMIT, RETIREMENT_AGE
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.bank import Record

_ADULT = 18
_LEAST_HOUSING = 30_000
"""Cents a month."""
_HOURLY_PAY = range(725, 12_001)
"""Cents an hour: from the federal minimum wage of 2009, which still holds, to what is no longer paid by the hour."""
_OLD_VEHICLE_YEARS, _OLD_VEHICLE_VALUE = 8, 3_000_000
_CLOSE = 0.25
"""Price and appraisal of a vehicle lie no further apart, as a share of the lower."""


def complaints(task: Task, policy: LoanPolicy) -> Iterator[str]:
    """Yield a complaint for each way in which a task's case is not realistic."""
    case = task.tables["applications"][task.case_id]
    yield from _amounts(task, case, policy)
    yield from _dates(task, case)
    for person in case["applicants"]:
        yield from _person(task, case, person)


def _amounts(task: Task, case: Record, policy: LoanPolicy) -> Iterator[str]:
    product = policy.products[case["product"]]
    inside = product.min_amount <= case["requested_amount"] <= product.max_amount
    if not inside and "validation" not in task.tags:
        yield f"{case['requested_amount']} cents lie outside the range of {case['product']}"
    if product.secured != (case["collateral_id"] is not None):
        yield "collateral and product do not fit"
        return
    if product.secured and min(case["purchase_price"], case["appraised_value"]) <= 0:
        yield "collateral without a value"
    if case["product"] != "home" and case["monthly_housing_cost"] < _LEAST_HOUSING:
        yield f"housing for {case['monthly_housing_cost']} cents a month"
    if case["product"] == "auto":
        yield from _vehicle(task, case)
    yield from _payoffs(task, case)


def _vehicle(task: Task, case: Record) -> Iterator[str]:
    values = case["purchase_price"], case["appraised_value"]
    age = task.today.year - task.tables["collateral"][case["collateral_id"]]["model_year"]
    if age >= _OLD_VEHICLE_YEARS and min(values) > _OLD_VEHICLE_VALUE:
        yield f"a vehicle of {age} years for {min(values)} cents"
    if max(values) - min(values) > _CLOSE * min(values):
        yield f"a vehicle's price and appraisal of {values} cents"


def _payoffs(task: Task, case: Record) -> Iterator[str]:
    files = [task.tables["bureau_files"][person["customer_id"]]["current"] for person in case["applicants"]]
    debts = {line["tradeline_id"]: line for file in files for line in file["tradelines"]} | task.tables["accounts"]
    named = [*case["closing_payoff_tradelines"], *case["closing_payoff_accounts"]]
    if unknown := [key for key in named if key not in debts]:
        yield f"{', '.join(unknown)}, to be paid off at closing, stand nowhere"
        return
    paid_off = sum(debts[key]["balance"] for key in named)
    if case["purpose"] == "debt_consolidation" and not 0 < paid_off <= case["requested_amount"]:
        yield f"{case['requested_amount']} cents consolidate debts of {paid_off}"
    if case["product"] == "personal" and case["purpose"] != "debt_consolidation" and paid_off:
        yield "a personal loan that pays off debts is not called a consolidation"


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
    born = date.fromisoformat(person["date_of_birth"])
    start = date.fromisoformat(person["start_date"])
    age = whole_years(born, task.today)
    job = task.tables["employment"][person["customer_id"]]
    customer = task.tables["customers"][person["customer_id"]]
    if age < _ADULT or whole_years(born, start) < _ADULT:
        yield f"{person['customer_id']} is or began work too young"
    if start > task.today:
        yield f"{person['customer_id']} begins work in the future"
    if date.fromisoformat(person["consent_date"]) > task.today:
        yield f"{person['customer_id']} consents in the future"
    if person["employment_type"] == "retired" and (age < RETIREMENT_AGE or job["gross_pay"] > RETIRED_INCOME_LIMIT):
        yield f"{person['customer_id']} is no realistic retired person"
    if person["employment_type"] == "self_employed" and job["prior_year_profit"] == job["latest_year_profit"]:
        yield f"{person['customer_id']} is self-employed with an income that does not vary"
    if (customer["city"], customer["state"]) != (case["branch_city"], case["branch_state"]):
        yield f"{person['customer_id']} lives elsewhere than the branch"
    since = date.fromisoformat(customer["customer_since"])
    if since > task.today or whole_years(born, since) < _ADULT:
        yield f"{person['customer_id']} became a customer in the future, or as a child"
    for key, account in task.tables["accounts"].items():
        opened = date.fromisoformat(account["opened"])
        if account["customer_id"] == person["customer_id"] and not since <= opened <= task.today:
            yield f"{key} was opened before its owner was a customer, or in the future"
    if person["employment_type"] == "self_employed" and start.year >= task.today.year - 2:
        yield f"{person['customer_id']} has two years of profit and a business that is younger"
    if job["pay_type"] == "hourly" and job["gross_pay"] not in _HOURLY_PAY:
        yield f"{person['customer_id']} is paid {job['gross_pay']} cents an hour"
    yield from _main_factor(task, person["customer_id"])


def _main_factor(task: Task, customer_id: str) -> Iterator[str]:
    for report in task.tables["bureau_files"][customer_id].values():
        if report is None or report["main_factor"] != "high_revolving_balances":
            continue
        own = [line for line in report["tradelines"] if line["role"] != "authorized_user"]
        if not any(line["kind"] == "revolving" for line in own):
            yield f"{customer_id} has high revolving balances without a revolving account"
