"""Boundary cases of the savings scenario, made from frozen cases."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from teller_gym.procedure.task import Task
from teller_gym.tools.bank import Record
from tests.scenarios.bending import AROUND, Bending


def account_of(task: Task, case: Any = None) -> Record:
    """Return the record of the request's first account."""
    return task.tables["accounts"][next(key for key in task.owners if key.startswith("AC-"))]


BENT = Bending("savings", account_of)
SAVINGS, chosen, all_bent = BENT.scenario, BENT.chosen, BENT.all_bent
POLICY = SAVINGS.policy
_CLASSIC = POLICY.bonus_plans["classic"]


@BENT.boundary((1, False), (0, False), (10, True), kind="withdrawal", ending="in_part_charged")
def restriction_placed_on_the_business_date(task: Task, case: Record, account: Record, how: tuple[int, bool]) -> None:
    """A pledge is placed on the day before or on the business date, or lifted on the business date."""
    day = (task.today - timedelta(days=how[0])).isoformat()
    until = task.today.isoformat() if how[1] else None
    account["restrictions"] = [{"kind": "pledge", "placed_on": day, "lifted_on": until}]


@BENT.cases
def first_days_of_a_term() -> Iterator[Task]:
    """The business date is around the last of the first days of the term."""

    def change(task: Task, case: Record, account: Record, days: int) -> None:
        start = (task.today - timedelta(days=POLICY.first_days + days)).isoformat()
        account.update(opened=start, term_started_on=start, interest_paid_to=start)

    tasks = [task for task in chosen(40, ending="in_part_charged") if account_of(task)["term_months"] <= 12]
    yield from (BENT.bend(task, change, days) for days in AROUND for task in tasks[:3])


@BENT.boundary(*((first, days) for first in (True, False) for days in AROUND), kind="maturity", ending="carry_out_none")
@BENT.boundary(
    *((first, days) for first in (True, False) for days in AROUND), kind="withdrawal", ending="carry_out_grace_period"
)
def receipt_around_the_grace_period(task: Task, case: Record, account: Record, when: tuple[bool, int]) -> None:
    """The request is received around the first day or the last business day of the grace period."""
    first, days = when
    grace = 0 if first else POLICY.products[account["product"]].grace_days
    case["received_date"] = (date.fromisoformat(account["maturity_date"]) + timedelta(days=grace + days)).isoformat()


@BENT.boundary(*AROUND, kind="withdrawal", ending="in_part_charged")
def remainder_around_the_minimum(task: Task, case: Record, account: Record, cents: int) -> None:
    """The balance left by the requested amount is around the product's minimum."""
    case["requested_amount"] = account["balance"] - POLICY.products[account["product"]].minimum - cents


@BENT.boundary(*AROUND, instruction="renew", ending="carry_out_none")
def new_principal_around_the_minimum(task: Task, case: Record, account: Record, cents: int) -> None:
    """The new principal is around the product's minimum."""
    account["interest_handling"] = "paid_out"
    remainder_around_the_minimum(task, case, account, cents)


@BENT.boundary(
    *(amount + cents for amount in (POLICY.large_principal, POLICY.senior_amount) for cents in AROUND),
    instruction="renew", ending="carry_out_none",
)  # fmt: skip
def new_principal_around_large_amounts(task: Task, case: Record, account: Record, amount: int) -> None:
    """The new principal is around the amounts for a higher rate and for review by another desk."""
    account.update(interest_handling="paid_out", balance=amount)
    case["requested_amount"] = 0


@BENT.boundary(*AROUND, bonus="earned")
def lowest_balance_of_a_month(task: Task, case: Record, account: Record, cents: int) -> None:
    """Every month's lowest balance is around the required one."""
    for month in account["months"]:
        month["lowest_balance"] = POLICY.bonus_lowest_balance + cents


@BENT.boundary(*(tier.balance + cents for tier in _CLASSIC[1:] for cents in AROUND), count=2, bonus="earned")
def opening_balance_of_a_tier(task: Task, case: Record, account: Record, target: int) -> None:
    """The opening balance of the period is around the steps of the bonus rate."""
    account["balance"] += target - account["opening_balance"]
    account["opening_balance"] = target


@BENT.boundary(count=40, bonus="earned")
def reversal_on_the_first_day(task: Task, case: Record, account: Record) -> None:
    """A large check of the previous day is returned on the period's first day, so the opening balance includes it."""
    before = (date.fromisoformat(case["period_from"]) - timedelta(days=1)).isoformat()
    row = account["movements"][0] | {"movement_id": "MV-000001", "kind": "check_deposit"}
    row |= {"amount": _CLASSIC[-1].balance, "ordered_on": before, "posted_on": before}
    account["movements"].insert(0, row | {"reversed_on": case["period_from"]})
    account["opening_balance"] += _CLASSIC[-1].balance


@BENT.boundary(*AROUND, yearly="part")
def movement_around_the_turn_of_the_year(task: Task, case: Record, account: Record, days: int) -> None:
    """The year's first withdrawal is posted on December 31, January 1 or January 2."""
    year = f"{task.today.year}-01-01"
    kinds = POLICY.counted_withdrawals
    row = next(row for row in account["movements"] if row["kind"] in kinds and row["posted_on"] >= year)
    posted = (date.fromisoformat(year) + timedelta(days=days)).isoformat()
    row.update(ordered_on=posted, posted_on=posted, reversed_on=None)


@BENT.cases
def birthday_of_the_beneficiary() -> Iterator[Task]:
    """The beneficiary comes of age on the day before, on or after the business date."""

    def change(task: Task, case: Record, account: Record, days: int) -> None:
        day = task.today + timedelta(days=days)
        years = POLICY.custodial_ages[account["custodial_state"]]
        child = next(row for row in account["owners"] if row["role"] == "beneficiary")
        child["date_of_birth"] = date(day.year - years, day.month, min(day.day, 28)).isoformat()

    tasks = [task for task in chosen(20, kind="custodial_payout", age="of_age") if task.today.day < 27]
    yield from (BENT.bend(task, change, days) for days in AROUND for task in tasks[:3])
