"""Frozen cases bent onto boundaries that no frozen case lies on, only for comparing the two computations."""

import copy
from collections.abc import Callable, Iterator

import msgspec

from teller_gym.base.money import to_cents
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.bank import Record
from tests.scenarios.investments.desk import INVESTMENTS

POLICY = INVESTMENTS.policy
_TASKS = list(frozen_tasks("investments").values())
_EACH = 5_000
"""Cents that a share is worth where a margin account is bent."""
_SHARES = 1_000


def bend(task: Task, change: Callable[[Task, Record], None]) -> Task:
    """Return a copy of a task after ``change`` has been at its tables and account, with a new standard result."""
    copied = msgspec.structs.replace(task, tables=copy.deepcopy(task.tables))
    case = copied.tables["requests"][copied.case_id]
    change(copied, copied.tables["brokerage_accounts"][case["account_id"]])
    return msgspec.structs.replace(copied, standard=INVESTMENTS.run_expert(copied))


def _chosen(**branches: str) -> list[Task]:
    return [task for task in _TASKS if all(task.branches[point] == outcome for point, outcome in branches.items())]


def _paid(task: Task) -> int:
    return to_cents(task.standard.outputs["amount"])


def least_withdrawal() -> Iterator[Task]:
    """The withdrawable amount is exactly the least payment: it is paid."""

    def change(task: Task, account: Record) -> None:
        account["margin_debit"] += _paid(task) - POLICY.min_payment

    yield from (bend(task, change) for task in _chosen(request="withdrawal", finding="limited")[:3])


def least_distribution() -> Iterator[Task]:
    """The cash covers exactly the least payment: it is paid."""

    def change(task: Task, account: Record) -> None:
        account["cash_balance"] -= _paid(task) - POLICY.min_payment

    yield from (bend(task, change) for task in _chosen(request="distribution", finding="short_of_cash")[:3])


def _margin_account(task: Task, account: Record, debit_percent: int, low_price: int) -> None:
    """Leave two securities in the account, the first worth just as much as is not yet concentrated."""
    case = task.tables["requests"][task.case_id]
    rows = [key for key, row in task.tables["positions"].items() if row["account_id"] == case["account_id"]]
    first, second = rows[:2]
    for key in rows[2:]:
        del task.tables["positions"][key]
    part = _SHARES * POLICY.concentrated_share // 10_000
    for key, price, worth in ((first, low_price, part * _EACH), (second, _EACH, (_SHARES - part) * _EACH)):
        row = task.tables["positions"][key]
        row["quantity"] = worth // price
        item = task.tables["instruments"][row["symbol"]]
        item["kind"] = "stock"
        item["prices"] = {day: dict.fromkeys(sides, price) for day, sides in item["prices"].items()}
    debit = _SHARES * _EACH * debit_percent // 100
    account.update(margin_debit=debit, accrued_interest=0, cash_items=[])


def _margin_cases(debit_percent: int, low_price: int) -> Iterator[Task]:
    def change(task: Task, account: Record) -> None:
        _margin_account(task, account, debit_percent, low_price)

    yield from (bend(task, change) for task in _chosen(request="withdrawal", finding="deficient")[:2])


def share_of_a_concentrated_position() -> Iterator[Task]:
    """A position makes exactly the share above which positions are concentrated: it is not yet."""
    yield from _margin_cases(62, _EACH)


def price_no_longer_low() -> Iterator[Task]:
    """A price is exactly that under which prices are low: it is not."""
    yield from _margin_cases(62, POLICY.low_price)


def equity_just_enough() -> Iterator[Task]:
    """Equity is exactly the maintenance requirement: there is no deficiency."""
    yield from _margin_cases(64, _EACH)


def lots_at_cost() -> Iterator[Task]:
    """All lots are sold at exactly their cost: there is neither gain nor loss, and no other account is looked at."""

    def change(task: Task, account: Record) -> None:
        case = task.tables["requests"][task.case_id]
        (listed,) = {
            call.arguments["sale_price"] for call in task.standard.calls if call.name == "calculate_realized_gain"
        }
        for lot in task.tables["lots"].values():
            if lot["account_id"] == case["account_id"]:
                lot["cost"] = to_cents(listed)

    yield from (bend(task, change) for task in _chosen(request="sale", finding="wash_sale")[:3])


def largest_amount_of_the_branch() -> Iterator[Task]:
    """The amount is exactly that above which the principal reviews: it stays with the branch."""

    def change(task: Task, account: Record) -> None:
        statement = task.tables["statements"][task.case_id]
        statement["cash"] += POLICY.review_amount - _paid(task)

    tasks = _chosen(request="transfer", finding="liquidated") + _chosen(request="transfer", finding="left_behind")
    roomy = [
        task
        for task in tasks
        if task.tables["statements"][task.case_id]["cash"] + POLICY.review_amount - _paid(task) >= 0
    ]
    yield from (bend(task, change) for task in roomy[:3])


_KINDS = (
    least_withdrawal, least_distribution, share_of_a_concentrated_position, price_no_longer_low, equity_just_enough,
    lots_at_cost, largest_amount_of_the_branch,
)  # fmt: skip


def all_bent() -> dict[str, list[Task]]:
    """Return all bent tasks by the name of their boundary."""
    return {kind.__name__: list(kind()) for kind in _KINDS}
