"""Frozen cases bent onto boundaries that few frozen cases lie on, only for comparing the two computations."""

import copy
from collections.abc import Callable, Iterator
from datetime import date, timedelta

import msgspec

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.bank import Record

SAVINGS = load_scenario("savings")
POLICY = SAVINGS.policy
_TASKS = list(frozen_tasks("savings").values())
_AROUND = (-1, 0, 1)
"""Just below a limit, on it, and just above."""


def account_of(task: Task) -> Record:
    """Return the record of the request's first account."""
    return task.tables["accounts"][next(key for key in task.owners if key.startswith("AC-"))]


def bend(task: Task, change: Callable[[Task, Record, Record], None]) -> Task:
    """Return a copy of a task after ``change`` has been at its request and account, with a new standard result."""
    copied = msgspec.structs.replace(task, tables=copy.deepcopy(task.tables))
    change(copied, copied.tables["requests"][copied.case_id], account_of(copied))
    return msgspec.structs.replace(copied, standard=SAVINGS.run_expert(copied))


def chosen(count: int = 3, **branches: str) -> list[Task]:
    """Return the first frozen tasks with these outcomes."""
    found = [task for task in _TASKS if all(task.branches.get(point) == value for point, value in branches.items())]
    return found[:count]


def restriction_placed_on_the_business_date() -> Iterator[Task]:
    """A pledge is placed the day before, on the business date, or lifted on it."""
    for ago, lifted in ((1, False), (0, False), (10, True)):

        def change(task: Task, case: Record, account: Record, ago: int = ago, lifted: bool = lifted) -> None:
            day = (task.today - timedelta(days=ago)).isoformat()
            until = task.today.isoformat() if lifted else None
            account["restrictions"] = [{"kind": "pledge", "placed_on": day, "lifted_on": until}]

        yield from (bend(task, change) for task in chosen(kind="withdrawal", ending="in_part_charged"))


def first_days_of_a_term() -> Iterator[Task]:
    """The business date lies around the last of the first days of the term."""
    for days in _AROUND:

        def change(task: Task, case: Record, account: Record, days: int = days) -> None:
            start = (task.today - timedelta(days=POLICY.first_days + days)).isoformat()
            account.update(opened=start, term_started_on=start, interest_paid_to=start)

        tasks = [task for task in chosen(40, ending="in_part_charged") if account_of(task)["term_months"] <= 12]
        yield from (bend(task, change) for task in tasks[:3])


def receipt_around_the_grace_period() -> Iterator[Task]:
    """The request is received around the first day of the grace period, or around its last business day."""
    for first in (True, False):
        for days in _AROUND:

            def change(task: Task, case: Record, account: Record, first: bool = first, days: int = days) -> None:
                grace = 0 if first else POLICY.products[account["product"]].grace_days
                day = date.fromisoformat(account["maturity_date"]) + timedelta(days=grace + days)
                case["received_date"] = day.isoformat()

            yield from (bend(task, change) for task in chosen(kind="withdrawal", ending="carry_out_grace_period"))
            yield from (bend(task, change) for task in chosen(kind="maturity", ending="carry_out_none"))


def remainder_around_the_minimum() -> Iterator[Task]:
    """The balance after the amount asked for lies around the product's minimum."""
    for cents in _AROUND:

        def change(task: Task, case: Record, account: Record, cents: int = cents) -> None:
            case["requested_amount"] = account["balance"] - POLICY.products[account["product"]].minimum - cents

        yield from (bend(task, change) for task in chosen(kind="withdrawal", ending="in_part_charged"))


def new_principal_around_its_limits() -> Iterator[Task]:
    """The new principal lies around that from which more is paid, and around the product's minimum."""
    for cents in _AROUND:

        def large(task: Task, case: Record, account: Record, cents: int = cents) -> None:
            account.update(interest_handling="paid_out", balance=POLICY.large_principal + cents)
            case["requested_amount"] = 0

        def small(task: Task, case: Record, account: Record, cents: int = cents) -> None:
            account["interest_handling"] = "paid_out"
            case["requested_amount"] = account["balance"] - POLICY.products[account["product"]].minimum - cents

        for task in chosen(instruction="renew", ending="carry_out_none"):
            yield bend(task, large)
            yield bend(task, small)


def lowest_balance_of_a_month() -> Iterator[Task]:
    """Every month's lowest balance lies around that which is required."""
    for cents in _AROUND:

        def change(task: Task, case: Record, account: Record, cents: int = cents) -> None:
            for month in account["months"]:
                month["lowest_balance"] = POLICY.bonus_lowest_balance + cents

        yield from (bend(task, change) for task in chosen(bonus="earned"))


def opening_balance_of_a_tier() -> Iterator[Task]:
    """The period opens with a balance around the steps of the bonus rate."""
    for tier in POLICY.bonus_plans["classic"][1:]:
        for cents in _AROUND:

            def change(task: Task, case: Record, account: Record, target: int = tier.balance + cents) -> None:
                account["balance"] += target - account["opening_balance"]
                account["opening_balance"] = target

            yield from (bend(task, change) for task in chosen(2, bonus="earned"))


def reversal_on_the_first_day() -> Iterator[Task]:
    """A large check of the day before the period is returned on its first day: the period opens with it."""
    amount = POLICY.bonus_plans["classic"][-1].balance

    def change(task: Task, case: Record, account: Record) -> None:
        before = (date.fromisoformat(case["period_from"]) - timedelta(days=1)).isoformat()
        row = dict(account["movements"][0])
        row.update(movement_id="MV-000001", kind="check_deposit", amount=amount, ordered_on=before, posted_on=before)
        account["movements"].insert(0, row | {"reversed_on": case["period_from"]})
        account["opening_balance"] += amount

    yield from (bend(task, change) for task in chosen(40, bonus="earned"))


def movement_around_the_turn_of_the_year() -> Iterator[Task]:
    """The year's first withdrawal is posted on the last day of the old year, or on the first two of the new one."""
    for days in _AROUND:

        def change(task: Task, case: Record, account: Record, days: int = days) -> None:
            year = f"{task.today.year}-01-01"
            kinds = POLICY.counted_withdrawals
            row = next(row for row in account["movements"] if row["kind"] in kinds and row["posted_on"] >= year)
            posted = (date.fromisoformat(year) + timedelta(days=days)).isoformat()
            row.update(ordered_on=posted, posted_on=posted, reversed_on=None)

        yield from (bend(task, change) for task in chosen(yearly="part"))


def birthday_of_the_beneficiary() -> Iterator[Task]:
    """The beneficiary comes of age the day before the business date, on it, or the day after."""
    for days in _AROUND:

        def change(task: Task, case: Record, account: Record, days: int = days) -> None:
            day = task.today + timedelta(days=days)
            years = POLICY.custodial_ages[account["custodial_state"]]
            child = next(row for row in account["owners"] if row["role"] == "beneficiary")
            child["date_of_birth"] = date(day.year - years, day.month, min(day.day, 28)).isoformat()

        tasks = [task for task in chosen(20, kind="custodial_payout", age="of_age") if task.today.day < 27]
        yield from (bend(task, change) for task in tasks[:3])


def amount_around_the_desk() -> Iterator[Task]:
    """A renewal's amount lies around that above which another desk looks at the file."""
    for cents in _AROUND:

        def change(task: Task, case: Record, account: Record, cents: int = cents) -> None:
            account.update(interest_handling="paid_out", balance=POLICY.senior_amount + cents)
            case["requested_amount"] = 0

        yield from (bend(task, change) for task in chosen(instruction="renew", ending="carry_out_none"))


_KINDS = (
    restriction_placed_on_the_business_date, first_days_of_a_term, receipt_around_the_grace_period,
    remainder_around_the_minimum, new_principal_around_its_limits, lowest_balance_of_a_month,
    opening_balance_of_a_tier, reversal_on_the_first_day, movement_around_the_turn_of_the_year,
    birthday_of_the_beneficiary, amount_around_the_desk,
)  # fmt: skip


def all_bent() -> dict[str, list[Task]]:
    """Return all bent tasks by the name of their boundary."""
    return {kind.__name__: list(kind()) for kind in _KINDS}
