"""Realism rules for card requests (Appendix B of the TELLER paper, and plausibility), enforced on every instance."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from teller_gym.base.dates import whole_years
from teller_gym.procedure.task import Task
from teller_gym.scenarios.banking.generator.people import RETIREMENT_AGE
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.scenarios.credit_cards.realism_account import account_complaints
from teller_gym.tools.bank import Record

_ADULT = 18
_RETIRED_INCOME = 1_500_000
"""Maximum monthly income of a retired person, in cents."""
_LEAST_YEARLY, _MOST_YEARLY = 300_000, 12_000_000
_LEAST_HOUSING = 20_000
_PAYMENT_SHARE = (150, 450)
"""Range of a debt's monthly cost in hundredths of a percent of its balance: paid back in 22 to 66 months."""
_STUDENT_YEARLY = 2_000_000


def complaints(task: Task, policy: CardPolicy) -> Iterator[str]:
    """Yield a message for each way in which a task is unrealistic."""
    case = task.tables["requests"][task.case_id]
    yield from _dates(task, case)
    yield from _people(task, case)
    yield from _rows(case)
    if case["kind"] in ("new_card", "limit_increase"):
        yield from _limits(task, case, policy)
    if case["account_id"] is not None:
        yield from account_complaints(task, case, policy)


def _dates(task: Task, case: Record) -> Iterator[str]:
    received = date.fromisoformat(case["received_date"])
    if received > task.today:
        yield "received after the business date"
    completed = case["completed_date"]
    if completed is not None and not received <= date.fromisoformat(completed) <= task.today:
        yield "the last document was received before the request or after the business date"
    for name in ("address_changed_on", "last_own_use_date"):
        if case[name] is not None and date.fromisoformat(case[name]) > task.today:
            yield f"{name} is after the business date"


def _people(task: Task, case: Record) -> Iterator[str]:
    for number, person in enumerate(case["people"]):
        born = date.fromisoformat(person["date_of_birth"])
        age = whole_years(born, task.today)
        if age < _ADULT:
            yield f"{person['customer_id']} is {age}"
        if date.fromisoformat(person["consent_date"]) > task.today:
            yield f"{person['customer_id']} consents in the future"
        if date.fromisoformat(person["document_expiry"]) < task.today:
            yield f"{person['customer_id']} has an expired document"
        if (person["role"] == "primary") != (number == 0):
            yield "the primary person does not come first"
        own = task.tables["customers"][person["customer_id"]]
        if own["state"] != task.tables["customers"][case["people"][0]["customer_id"]]["state"]:
            yield "people of one request live in different states"
        yield from _earnings(case, person, age)


def _earnings(case: Record, person: Record, age: int) -> Iterator[str]:
    for row in case["incomes"]:
        if row["recipient_id"] != person["customer_id"] or row["earner"] != "self":
            continue
        yearly = row["gross_pay"] * _PERIODS[row["pay_period"]]
        if row["source"] == "pension" and (age < RETIREMENT_AGE or yearly > 12 * _RETIRED_INCOME):
            yield "a pension before retirement age, or above what a retired person earns"
        if person["student"] and row["source"] == "wages" and yearly > _STUDENT_YEARLY:
            yield "a student earns like a full-time worker"


_PERIODS = {"weekly": 52, "biweekly": 26, "semimonthly": 24, "monthly": 12, "yearly": 1}


def _rows(case: Record) -> Iterator[str]:
    for row in case["incomes"]:
        if not _LEAST_YEARLY <= row["gross_pay"] * _PERIODS[row["pay_period"]] <= _MOST_YEARLY:
            yield f"an income of {row['gross_pay']} cents {row['pay_period']}"
        if not row["net_pay"] < row["gross_pay"]:
            yield "net pay is not below gross pay"
    asked = {
        "new_card": bool(case["incomes"]) and not case["cards"],
        "limit_increase": bool(case["incomes"]) and bool(case["cards"]),
        "charge_dispute": bool(case["complaints"]),
        "lost_card": any(row["reported"] != "no" and row["status"] == "active" for row in case["cards"]),
        "interest_review": bool(case["statements_asked"]),
    }
    if not asked[case["kind"]]:
        yield f"the record lacks the data for a request of kind {case['kind']}"


def _limits(task: Task, case: Record, policy: CardPolicy) -> Iterator[str]:
    product = policy.products[case["product"]]
    if case["requested_limit"] % policy.limit_step or case["requested_limit"] <= 0:
        yield f"a limit of {case['requested_limit']} cents is requested"
    if case["requested_limit"] > 2 * product.max_limit:
        yield "the requested limit is far above the product's maximum"
    if case["monthly_housing_cost"] < _LEAST_HOUSING:
        yield "the housing cost is implausibly low"
    for person in case["people"]:
        for line in task.tables["bureau_files"][person["customer_id"]]["tradelines"]:
            if line["monthly_payment"] and line["bank_account_id"] is None:
                share = 10_000 * line["monthly_payment"] // line["balance"]
                if not _PAYMENT_SHARE[0] <= share <= _PAYMENT_SHARE[1]:
                    yield f"tradeline {line['tradeline_id']} costs {share / 100} % of its balance a month"
