"""Conditions of a realistic savings request: consistent dates, plausible amounts, people of a suitable age."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from teller_gym.base.dates import is_business_day
from teller_gym.procedure.task import Task
from teller_gym.scenarios.savings.policy import SavingsPolicy
from teller_gym.tools.bank import Record

_LARGEST = 60_000_000_00
_HIGHEST_RATE = 600
_MOST_MOVED = 5_000_000


def complaints(task: Task, policy: SavingsPolicy) -> Iterator[str]:
    """Yield a message for each way in which a task is unrealistic."""
    case = task.tables["requests"][task.case_id]
    yield from _request(task, case, policy)
    yield from _persons(task, case)
    for account_id in task.owners:
        if account_id in task.tables["accounts"]:
            yield from _account(task, task.tables["accounts"][account_id], policy)


def _request(task: Task, case: Record, policy: SavingsPolicy) -> Iterator[str]:
    today = task.today
    if not is_business_day(today, policy.holidays):
        yield f"the business date {today} is not a business day"
    received = date.fromisoformat(case["received_date"])
    if not today - timedelta(days=40) <= received <= today:
        yield f"received on {received}, the business date is {today}"
    if case["channel"] in ("branch", "mail") and not is_business_day(received, policy.holidays):
        yield f"received by {case['channel']} on {received}, when the bank was closed"
    if (case["kind"] == "bonus_interest") != (case["period_to"] is not None):
        yield "only a request for bonus interest has a period"
    if case["period_to"] is not None and not case["period_from"] < case["period_to"] < case["received_date"]:
        yield "a bonus is requested before its period has ended"
    if (case["kind"] == "maturity") != (case["instruction"] is not None):
        yield "only a request at maturity has an instruction"
    if case["event"] is not None and case["kind"] != "withdrawal":
        yield "an event is claimed in a request without a charge"


def _persons(task: Task, case: Record) -> Iterator[str]:
    for person in case["persons"]:
        name = person["customer_id"]
        if person["document_expiry"] < task.today.isoformat():
            yield f"the identity document of {name} has expired"
        known = task.tables["customers"][name]
        if known["date_of_birth"] > known["customer_since"]:
            yield f"{name} became a customer before birth"


def _account(task: Task, account: Record, policy: SavingsPolicy) -> Iterator[str]:
    today = task.today.isoformat()
    if not 0 < account["balance"] <= _LARGEST or not 0 < account["annual_rate"] <= _HIGHEST_RATE:
        yield f"a balance of {account['balance']} at {account['annual_rate']}"
    if not account["opened"] <= account["interest_paid_to"] <= today:
        yield "interest was paid before the opening or in advance"
    if account["term_months"] is not None:
        started, matures = account["term_started_on"], account["maturity_date"]
        if not account["opened"] <= started <= account["interest_paid_to"] <= matures or started > today:
            yield "the dates of the term are out of order"
        if account["balance"] < policy.products[account["product"]].minimum:
            yield "a deposit below its product's minimum"
    for row in account["restrictions"]:
        if row["placed_on"] > today or (row["lifted_on"] or today) < row["placed_on"]:
            yield "a restriction that ends before it begins"
        if row["placed_on"] < account["opened"]:
            yield "a restriction was placed before the account was opened"
    for row in account["owners"]:
        for field in ("died_on", "incapacitated_on"):
            if row[field] is not None and not row["date_of_birth"] < row[field] <= today:
                yield "an event is before birth or in the future"
    for row in account["movements"]:
        if not row["ordered_on"] <= row["posted_on"] <= (row["reversed_on"] or "9999") or row["posted_on"] > today:
            yield f"a movement ordered on {row['ordered_on']}, posted on {row['posted_on']}"
        if not 0 < row["amount"] <= _MOST_MOVED:
            yield f"{row['kind']} of {row['amount']} cents"
