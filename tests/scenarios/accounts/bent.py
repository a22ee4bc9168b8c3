"""Frozen cases bent onto boundaries that few frozen cases lie on, only for comparing the two computations."""

import copy
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cache

import msgspec

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.bank import Record
from tests.scenarios.accounts import bent_days

ACCOUNTS = load_scenario("accounts")
POLICY = ACCOUNTS.policy
_TASKS = list(frozen_tasks("accounts").values())
Change = Callable[[Task, Record, Record], None]


def bend(task: Task, change: Change) -> Task:
    """Return a copy of a task after ``change`` has been at its request and account, with a new standard result."""
    copied = msgspec.structs.replace(task, tables=copy.deepcopy(task.tables))
    case = copied.tables["requests"][copied.case_id]
    change(copied, case, copied.tables["accounts"].get(case["account_id"] or "", {}))
    return msgspec.structs.replace(copied, standard=ACCOUNTS.run_expert(copied))


def chosen(branches: dict[str, str], count: int = 4) -> list[Task]:
    """Return the first frozen tasks with these outcomes."""
    found = [task for task in _TASKS if all(task.branches[point] == value for point, value in branches.items())]
    return found[:count]


def _ago(task: Task, days: int) -> str:
    return (task.today - timedelta(days=days)).isoformat()


def around(kind: str, name: str, limit: int, **branches: str) -> Iterator[Task]:
    """A day of the account record lies just before, on and after a limit in days before the business date."""
    for days in (limit - 1, limit, limit + 1):

        def change(task: Task, case: Record, account: Record, days: int = days) -> None:
            account[name] = _ago(task, days)
            if name == "opened":
                account["first_deposit_on"] = account["opened"]
                account["activity"] = [row for row in account["activity"] if row["posted_on"] >= account["opened"]]

        yield from (bend(task, change) for task in chosen({"kind": kind, **branches}))


def payout_around_nothing() -> Iterator[Task]:
    """The amount paid out is a cent below 0, nothing, and a cent above."""
    for cents in (-1, 0, 1):

        def change(task: Task, case: Record, account: Record, cents: int = cents) -> None:
            account["opened"] = _ago(task, POLICY.early_closing_days + 1)
            account["accrued_interest"], account["fees_due"], account["balance"] = 0, 500, 500 + cents

        yield from (bend(task, change) for task in chosen({"kind": "close_account", "closing": "free"}))


def amount_around_the_desk() -> Iterator[Task]:
    """The opening deposit lies around the amount from which another desk looks at it, and around the smallest one."""
    for cents in (-1, 0, 1):

        def large(task: Task, case: Record, account: Record, cents: int = cents) -> None:
            case["opening_deposit"] = POLICY.senior_amount + cents

        def small(task: Task, case: Record, account: Record, cents: int = cents) -> None:
            case["opening_deposit"] = POLICY.minimum_deposits[case["product"]] + cents

        for task in chosen({"kind": "open_account", "opening": "in_order"}):
            yield bend(task, large)
            yield bend(task, small)


def letter_around_its_window() -> Iterator[Task]:
    """The owner's letter was sent around the first and the last day that count; the amount lies around the minimum."""
    latest, earliest = POLICY.clocks["letter_to_owner"].counted, POLICY.letter_earliest_days
    for task in chosen({"kind": "dormancy_review", "stage": "abandoned"}):
        rule = POLICY.states[
            task.tables["accounts"][task.tables["requests"][task.case_id]["account_id"]]["mailing_state"]
        ]
        report = date(task.today.year, rule.report_month, rule.report_day)
        for before in (latest - 1, latest, earliest, earliest + 1):

            def sent(task: Task, case: Record, account: Record, day: date = report - timedelta(days=before)) -> None:
                account["letters"] = [{"kind": "letter_to_owner", "sent_on": day.isoformat()}]

            yield bend(task, sent)
        for cents in (-1, 0):

            def poor(task: Task, case: Record, account: Record, cents: int = cents) -> None:
                account["letters"], account["accrued_interest"] = [], 0
                account["activity"] = [row for row in account["activity"] if row["kind"] != "maintenance_fee"]
                account["balance"] = POLICY.letter_minimum + cents

            yield bend(task, poor)


def deposit_around_its_limits() -> Iterator[Task]:
    """A check lies around the highest age, and the deposit around the large amount."""
    for days in (-1, 0, POLICY.stale_check_days, POLICY.stale_check_days + 1):

        def aged(task: Task, case: Record, account: Record, days: int = days) -> None:
            for row in account["pending_items"]:
                if row["check_date"] is not None:
                    row["check_date"] = (date.fromisoformat(row["deposited_on"]) - timedelta(days=days)).isoformat()
                row["deposited_at"] = POLICY.cutoffs[row["channel"]]

        yield from (bend(task, aged) for task in chosen({"kind": "deposit_review", "items": "all_taken"}))
    for cents in (-1, 0, 1):

        def large(task: Task, case: Record, account: Record, cents: int = cents) -> None:
            checks = [row for row in account["pending_items"] if row["check_date"] is not None]
            for row in checks:
                row["amount"], row["returned_before"] = 1_000, False
            if checks:
                checks[-1]["amount"] += POLICY.large_deposit_amount + cents - 1_000 * len(checks)

        yield from (bend(task, large) for task in chosen({"kind": "deposit_review", "items": "all_taken"}))


def overdrawn_around_the_window() -> Iterator[Task]:
    """As many overdrawn days as count lie around the ends of the window, or are as deep as counts."""
    for first in (0, 1, POLICY.overdrawn_window_days - POLICY.overdrawn_days + 1, POLICY.overdrawn_window_days):
        for depth in (5_000, POLICY.overdrawn_large_amount - 1, POLICY.overdrawn_large_amount):

            def change(task: Task, case: Record, account: Record, first: int = first, depth: int = depth) -> None:
                received = date.fromisoformat(case["received_date"])
                count = POLICY.overdrawn_days if depth == 5_000 else POLICY.overdrawn_large_days
                ages = range(first, first + count)
                account["overdrawn_days"] = [
                    {"day": (received - timedelta(days=age)).isoformat(), "overdrawn_by": depth} for age in ages
                ]

            yield from (bend(task, change) for task in chosen({"kind": "deposit_review", "items": "all_taken"}))


def claim_around_its_limits() -> Iterator[Task]:
    """The statement was sent, the account first used, and the card missed around the days that count."""
    for shift in (-1, 0, 1):

        def late(task: Task, case: Record, account: Record, shift: int = shift) -> None:
            sent = date.fromisoformat(case["received_date"]) - timedelta(days=POLICY.claim_notice_days + shift)
            for row in account["activity"]:
                row["statement_sent_on"] = sent.isoformat()
                row["posted_on"] = min(row["posted_on"], sent.isoformat())

        def young(task: Task, case: Record, account: Record, shift: int = shift) -> None:
            last = max(row["posted_on"] for row in account["activity"])
            first = date.fromisoformat(last) - timedelta(days=POLICY.new_account_days + shift)
            account["first_deposit_on"] = first.isoformat()

        def missed(task: Task, case: Record, account: Record, shift: int = shift) -> None:
            case["card_missed_date"] = (
                date.fromisoformat(case["received_date"]) - timedelta(days=2 + shift)
            ).isoformat()

        claims = [chosen({"kind": "transfer_claim", "liability": liability}, 6) for liability in ("none", "some")]
        for task in (*claims[0], *claims[1]):
            for change in (late, young, missed):
                yield bend(task, change)


_BENT: dict[str, Callable[[], Iterator[Task]]] = {
    "opened": lambda: around("close_account", "opened", POLICY.early_closing_days, closing="free"),
    "address": lambda: around(
        "close_account", "address_changed_on", POLICY.clocks["address_wait"].counted, closing="free"
    ),
    "account_age": lambda: around("deposit_review", "opened", POLICY.new_account_days, items="all_taken"),
    "payout": payout_around_nothing,
    "desk": amount_around_the_desk,
    "letter": letter_around_its_window,
    "deposit": deposit_around_its_limits,
    "overdrawn": overdrawn_around_the_window,
    "claim": claim_around_its_limits,
    **{kind.__name__: kind for kind in bent_days.KINDS},
}


@cache
def all_bent() -> dict[str, list[Task]]:
    """Return all bent tasks, by kind."""
    return {name: list(make()) for name, make in _BENT.items()}
