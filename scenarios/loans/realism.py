"""Realism rules (Appendix B of the TELLER paper), enforced on every instance."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from teller_gym.bank import Record
from teller_gym.dates import whole_years
from teller_gym.scenarios.loans.generator.people import RETIRED_INCOME_LIMIT, RETIREMENT_AGE
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.task import Task

_ADULT = 18


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
    if product.secured and min(case["purchase_price"], case["appraised_value"]) <= 0:
        yield "collateral without a value"


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
    if date.fromisoformat(customer["customer_since"]) > task.today:
        yield f"{person['customer_id']} became a customer in the future"
