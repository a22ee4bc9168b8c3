"""Realism rules: frozen loan cases satisfy them, and unrealistic changes are reported."""

import copy
from typing import Any

import pytest

from teller_gym.procedure.task import Task
from teller_gym.scenarios.loans.solver_facts import (
    Case,
    considered_amount,
    installments,
    price,
    room_by_limit,
)
from teller_gym.tools.bank import Record
from tests.scenarios.loans.cases import LOANS, TASKS, case_of, collateral, first

RETIRED = next(t for t in TASKS if any(p["employment_type"] == "retired" for p in case_of(t)["applicants"]))
SELF_EMPLOYED = next(t for t in TASKS if any(p["employment_type"] == "self_employed" for p in case_of(t)["applicants"]))
SECURED = next(t for t in TASKS if t.branches["affordability"] == "within" and t.branches["product"] == "auto")


def job(task: Task, kind: str) -> Record:
    return task.tables["employment"][first(task, kind)["customer_id"]]


def later(task: Task) -> str:
    return task.today.replace(year=task.today.year + 1).isoformat()


def hourly(task: Task) -> Record:
    people = (task.tables["employment"][person["customer_id"]] for person in case_of(task)["applicants"])
    return next(record for record in people if record["pay_type"] == "hourly")


def own_account(task: Task) -> Record:
    owner = first(task)["customer_id"]
    return next(account for account in task.tables["accounts"].values() if account["customer_id"] == owner)


def report_of(task: Task) -> Record:
    report: Record = task.tables["bureau_files"][first(task)["customer_id"]]["current"]
    return report


def own_loan(task: Task) -> Record:
    people = [person["customer_id"] for person in case_of(task)["applicants"]]
    return next(a for a in task.tables["accounts"].values() if a["kind"] == "loan" and a["customer_id"] in people)


def holds_loan(task: Task) -> bool:
    people = [person["customer_id"] for person in case_of(task)["applicants"]]
    return any(a["kind"] == "loan" and a["customer_id"] in people for a in task.tables["accounts"].values())


def all_scores(task: Task, score: int) -> None:
    for person in case_of(task)["applicants"]:
        for report in filter(None, task.tables["bureau_files"][person["customer_id"]].values()):
            report["score"] = score


def barely_too_much(task: Task) -> None:
    """Raise the housing cost so that the limit is exceeded by about a cent."""
    case = Case(task, LOANS.policy)
    considered = considered_amount(case)
    cost = sum(installments(price(case, considered), considered))
    room = room_by_limit(case)
    case_of(task)["monthly_housing_cost"] += int(min(room.values()) - cost) + 1


CARD = {
    "tradeline_id": "TL-000001", "creditor": "X", "kind": "revolving", "role": "owner", "balance": 1_000_000,
    "monthly_payment": 100, "payments_left": None,
}  # fmt: skip
DEBT = {**CARD, "tradeline_id": "TL-000002", "kind": "installment", "payments_left": 5}
HOLDER = next(task for task in TASKS if holds_loan(task))
FAILING = next(t for t in TASKS if t.branches["score"] == "fail" and len(case_of(t)["applicants"]) == 2)
OFFERED = next(t for t in TASKS if t.branches["affordability"] == "dti_reduced" and case_of(t)["product"] != "home")
CONSOLIDATION = next(t for t in TASKS if case_of(t)["purpose"] == "debt_consolidation")
HOURLY = next(t for t in TASKS if any(p["pay_type"] == "hourly" for p in case_of(t)["applicants"]))
UNREAL: dict[str, tuple[Task, Any]] = {
    "too much asked": (SECURED, lambda t: case_of(t).update(requested_amount=6_000_001)),
    "too little asked": (SECURED, lambda t: case_of(t).update(requested_amount=1_499_999)),
    "no collateral": (SECURED, lambda t: case_of(t).update(collateral_id=None)),
    "worthless": (SECURED, lambda t: case_of(t).update(purchase_price=0)),
    "received in the future": (SECURED, lambda t: case_of(t).update(received_date=later(t))),
    "completed before received": (SECURED, lambda t: case_of(t).update(completed_date="2020-01-01")),
    "completed in the future": (SECURED, lambda t: case_of(t).update(completed_date=later(t))),
    "appraised in the future": (SECURED, lambda t: case_of(t).update(appraisal_date=later(t))),
    "a child": (SECURED, lambda t: first(t).update(date_of_birth="2015-01-01")),
    "worked as a child": (SECURED, lambda t: first(t).update(start_date="1950-01-01")),
    "works in the future": (SECURED, lambda t: first(t).update(start_date=later(t))),
    "consents in the future": (SECURED, lambda t: first(t).update(consent_date=later(t))),
    "retired at 59": (
        RETIRED,
        lambda t: first(t, "retired").update(date_of_birth=f"{t.today.year - 59}-01-01", start_date="2020-01-01"),
    ),
    "a rich pension": (RETIRED, lambda t: job(t, "retired").update(gross_pay=1_500_001)),
    "self-employed without ups and downs": (
        SELF_EMPLOYED, lambda t: job(t, "self_employed").update(prior_year_profit=1, latest_year_profit=1)
    ),
    "lives elsewhere": (SECURED, lambda t: t.tables["customers"][first(t)["customer_id"]].update(city="Nowhere")),
    "customer in the future": (
        SECURED, lambda t: t.tables["customers"][first(t)["customer_id"]].update(customer_since=later(t))
    ),
    "customer as a child": (
        SECURED, lambda t: t.tables["customers"][first(t)["customer_id"]].update(customer_since="1950-01-01")
    ),
    "account before the customer": (SECURED, lambda t: own_account(t).update(opened="1990-01-01")),
    "account in the future": (SECURED, lambda t: own_account(t).update(opened=later(t))),
    "hardly any housing cost": (SECURED, lambda t: case_of(t).update(monthly_housing_cost=29_999)),
    "a dear old vehicle": (
        SECURED,
        lambda t: (
            case_of(t).update(purchase_price=3_000_001, appraised_value=3_000_001),
            collateral(t).update(model_year=t.today.year - 8),
        ),
    ),
    "a limit missed by a cent": (SECURED, lambda t: case_of(t).update(requested_amount=1_499_999)),
    "housing that cannot contain the loans": (HOLDER, lambda t: own_loan(t).update(balance=90_000_000)),
    "a vehicle insured for next to nothing": (SECURED, lambda t: collateral(t).update(coverage_amount=100_000)),
    "a home with a model year": (SECURED, lambda t: case_of(t).update(product="home")),
    "past-due obligations at 766": (
        SECURED, lambda t: report_of(t).update(score=766, main_factor="delinquent_past_obligations")
    ),
    "a short history at 842": (
        SECURED, lambda t: report_of(t).update(score=842, main_factor="insufficient_credit_history", tradelines=[])
    ),
    "a card that asks for nothing worth asking": (SECURED, lambda t: report_of(t)["tradelines"].append(CARD)),
    "a debt that its payments cannot be": (SECURED, lambda t: report_of(t)["tradelines"].append(DEBT)),
    "two applicants who fail with one score": (FAILING, lambda t: all_scores(t, 600)),
    "an offer that does not pay off what it is for": (
        CONSOLIDATION, lambda t: t.standard.outputs.update(approved_amount=1.0)
    ),
    "an offer for want of a few cents": (OFFERED, barely_too_much),
    "price and appraisal far apart": (
        SECURED, lambda t: case_of(t).update(purchase_price=1_500_000, appraised_value=1_900_000)
    ),
    "consolidates nothing": (
        CONSOLIDATION, lambda t: case_of(t).update(closing_payoff_tradelines=[], closing_payoff_accounts=[])
    ),
    "consolidates more than the loan": (CONSOLIDATION, lambda t: case_of(t).update(requested_amount=1)),
    "a consolidation by another name": (CONSOLIDATION, lambda t: case_of(t).update(purpose="other")),
    "a young business": (
        SELF_EMPLOYED, lambda t: first(t, "self_employed").update(start_date=f"{t.today.year - 2}-01-01")
    ),
    "hourly pay of a surgeon": (HOURLY, lambda t: hourly(t).update(gross_pay=12_001)),
    "hourly pay below the minimum wage": (HOURLY, lambda t: hourly(t).update(gross_pay=724)),
    "revolving balances without an account": (
        SECURED,
        lambda t: t.tables["bureau_files"][first(t)["customer_id"]]["current"].update(
            main_factor="high_revolving_balances", tradelines=[]
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNREAL)
def test_what_is_unreal_is_complained_about(name: str) -> None:
    task, change = UNREAL[name]
    bent = copy.deepcopy(task)
    change(bent)
    assert len(list(LOANS.realism(bent, LOANS.policy))) >= 1


def test_requests_outside_the_range_are_marked() -> None:
    outside = 0
    for task in TASKS:
        case = case_of(task)
        product = LOANS.policy.products[case["product"]]
        inside = product.min_amount <= case["requested_amount"] <= product.max_amount
        assert inside or "validation" in task.tags, task.id
        outside += not inside
    assert outside >= 6
