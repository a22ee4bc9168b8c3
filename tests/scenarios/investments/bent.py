"""Boundary cases of the investments scenario, made from frozen cases."""

from collections.abc import Iterator

from teller_gym.base.money import to_cents
from teller_gym.procedure.task import Task
from teller_gym.tools.bank import Record
from tests.scenarios.bending import Bending

BENT = Bending("investments", lambda task, case: task.tables["brokerage_accounts"][case["account_id"]])
POLICY = BENT.scenario.policy
all_bent = BENT.all_bent
_EACH = 5_000
"""Price of a share, in cents, in a changed margin account."""
_SHARES = 1_000


def _paid(task: Task) -> int:
    return to_cents(task.standard.outputs["amount"])


@BENT.boundary(request="withdrawal", finding="limited")
def least_withdrawal(task: Task, case: Record, account: Record) -> None:
    """The withdrawable amount is exactly the minimum payment, which is paid."""
    account["margin_debit"] += _paid(task) - POLICY.min_payment


@BENT.boundary(request="distribution", finding="short_of_cash")
def least_distribution(task: Task, case: Record, account: Record) -> None:
    """The cash covers exactly the minimum payment, which is paid."""
    account["cash_balance"] -= _paid(task) - POLICY.min_payment


@BENT.boundary((62, _EACH), (62, POLICY.low_price), (64, _EACH), count=2, request="withdrawal", finding="deficient")
def limits_of_a_margin_account(task: Task, case: Record, account: Record, how: tuple[int, int]) -> None:
    """A position is exactly at the concentration limit, its price at the low-price limit, or equity just sufficient.

    The account is reduced to two securities, the first exactly at the concentration limit.
    """
    debit_percent, price_of_first = how
    first, second, *others = [
        key for key, row in task.tables["positions"].items() if row["account_id"] == case["account_id"]
    ]
    for key in others:
        del task.tables["positions"][key]
    part = _SHARES * POLICY.concentrated_share // 10_000
    for key, price, worth in ((first, price_of_first, part * _EACH), (second, _EACH, (_SHARES - part) * _EACH)):
        row = task.tables["positions"][key]
        row["quantity"] = worth // price
        item = task.tables["instruments"][row["symbol"]]
        item["kind"] = "stock"
        item["prices"] = {day: dict.fromkeys(sides, price) for day, sides in item["prices"].items()}
    account.update(margin_debit=_SHARES * _EACH * debit_percent // 100, accrued_interest=0, cash_items=[])


@BENT.boundary(request="sale", finding="wash_sale")
def lots_at_cost(task: Task, case: Record, account: Record) -> None:
    """All lots are sold exactly at cost, so there is no loss and no other account is searched."""
    (listed,) = {call.arguments["sale_price"] for call in task.standard.calls if call.name == "calculate_realized_gain"}
    for lot in task.tables["lots"].values():
        if lot["account_id"] == case["account_id"]:
            lot["cost"] = to_cents(listed)


@BENT.cases
def largest_amount_of_the_branch() -> Iterator[Task]:
    """The amount is exactly the largest that the branch reviews."""

    def added(task: Task) -> int:
        return int(POLICY.review_amount) - _paid(task)

    def change(task: Task, case: Record, account: Record) -> None:
        task.tables["statements"][task.case_id]["cash"] += added(task)

    tasks = [task for left in ("liquidated", "left_behind") for task in BENT.chosen(request="transfer", finding=left)]
    roomy = [task for task in tasks if task.tables["statements"][task.case_id]["cash"] + added(task) >= 0]
    yield from (BENT.bend(task, change) for task in roomy[:3])
