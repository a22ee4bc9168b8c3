"""Frozen cases moved onto days that no frozen case lies on: of restrictions, reports, letters and confirmations."""

import copy
from collections.abc import Callable, Iterator
from datetime import date, timedelta

import msgspec

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.scenarios.accounts.solver_facts import Case, later
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.bank import Record

ACCOUNTS = load_scenario("accounts")
POLICY = ACCOUNTS.policy

Change = Callable[[Record, Record], None]
"""A change of a request and its account."""


def chosen(count: int = 4, **branches: str) -> list[Task]:
    """Return the first frozen tasks with these outcomes."""
    tasks = frozen_tasks("accounts").values()
    return [task for task in tasks if all(task.branches[key] == value for key, value in branches.items())][:count]


def bend(task: Task, change: Change, today: date | None = None) -> Task:
    """Return a copy of a task after ``change``, on another business date if given, with a new standard result."""
    copied = msgspec.structs.replace(task, tables=copy.deepcopy(task.tables), today=today or task.today)
    request = copied.tables["requests"][copied.case_id]
    change(request, copied.tables["accounts"].get(request["account_id"] or "", {}))
    return msgspec.structs.replace(copied, standard=ACCOUNTS.run_expert(copied))


def restricted_today() -> Iterator[Task]:
    """A restriction was placed on the business date."""
    for task in chosen(account="free"):
        row = {"kind": "legal_hold", "placed_on": task.today.isoformat(), "lifted_on": None}
        yield bend(task, lambda _, account, row=row: account["restrictions"].append(row))  # type: ignore[misc]


def overdraft_owed() -> Iterator[Task]:
    """The overdraft line owes a cent, or nothing."""
    for task in chosen(closing="free"):
        for cents in (0, 1):

            def owe(_: Record, account: Record, cents: int = cents) -> None:
                row = {"kind": "overdraft_line", "status": "open", "balance": cents, "detail": "Line on request"}
                account["services"] = [row]

            yield bend(task, owe)


def collected_about_today() -> Iterator[Task]:
    """The one pending item, cash, becomes available before, on and after the business date."""
    for task in chosen(closing="free"):
        for back in range(6):
            day = task.today - timedelta(days=back)
            item = {
                "item_id": "IT-999999", "item_kind": "cash", "amount": 10_000, "payee_id": None, "check_date": None,
                "endorsed": None, "returned_before": False, "deposited_on": day.isoformat(), "deposited_at": "09:40",
                "channel": "branch",
            }  # fmt: skip
            yield bend(task, lambda _, account, item=item: account.update(pending_items=[item]))  # type: ignore[misc]


def confirmation_due_today() -> Iterator[Task]:
    """The last day for a written confirmation is the business date, or the day before, and none came in."""
    for task in chosen(kind="transfer_claim", liability="none"):
        case = Case(task, POLICY)
        for back in range(9, 25):
            day = task.today - timedelta(days=back)
            due = case.business(day, POLICY.confirmation_business_days)
            if task.today - timedelta(days=1) <= due <= task.today:

                def ask(request: Record, _: Record, day: date = day) -> None:
                    request.update(channel="phone", received_date=day.isoformat(), confirmed_date=None)
                    request["card_missed_date"] = None

                yield bend(task, ask)


def _silent_since(last: date, received: date | None = None, balance: int = 900_000) -> Change:
    def change(request: Record, account: Record) -> None:
        if received:
            request["received_date"] = received.isoformat()
        first = last - timedelta(days=400)
        account.update(opened=first.isoformat(), first_deposit_on=first.isoformat(), letters=[], balance=balance)
        row = dict.fromkeys(("reference", "statement_sent_on"), None)
        row |= {"kind": "owner_deposit", "posted_on": last.isoformat(), "amount": 5_000, "country": "US"}
        account["activity"] = [{**row, "transfer_id": "IT-999999", "access_given": False}]

    return change


def _dormant() -> Iterator[tuple[Task, Case]]:
    """Yield reviews of abandoned accounts, with no sign of life on any other account."""
    for task in chosen(8, kind="dormancy_review", stage="abandoned"):
        silent = msgspec.structs.replace(task, tables=copy.deepcopy(task.tables))
        for account in silent.tables["accounts"].values():
            account["activity"] = []
        yield silent, Case(silent, POLICY)


def reported_or_written_today() -> Iterator[Task]:
    """The business date is the report day, the last day for the letter, or the day about it that rolling moves."""
    for task, case in _dormant():
        rule = POLICY.states[case.account["mailing_state"]]
        last = task.today - timedelta(days=3_000)
        for year in (task.today.year, task.today.year + 1):
            report = date(year, rule.report_month, rule.report_day)
            letter = report - timedelta(days=POLICY.clocks["letter_to_owner"].counted)
            for day in (report, *(letter + timedelta(days=shift) for shift in range(-2, 3))):
                if case.is_open(day):
                    yield bend(task, _silent_since(last, day), day)
                    yield bend(task, _silent_since(last, day, POLICY.letter_minimum // 2), day)


def abandoned_at_the_year_end() -> Iterator[Task]:
    """The months are over on the year's last day, or the day after."""
    for task, case in _dormant():
        months = POLICY.states[case.account["mailing_state"]].months
        end = date(task.today.year, POLICY.year_end_month, POLICY.year_end_day)
        last = date(end.year - months // 12, end.month, end.day)
        if months % 12 == 0 and end <= task.today:
            yield bend(task, _silent_since(last))
            yield bend(task, _silent_since(last + timedelta(days=1)))


def charged_when_dormant() -> Iterator[Task]:
    """A fee was charged on the day on which the account became dormant, and on the days about it."""
    for task, _ in _dormant():
        last = task.today - timedelta(days=3_000)
        dormant = later(last, POLICY.stage_months["dormant"])
        for shift in (-1, 0, 1):

            def charge(
                request: Record, account: Record, last: date = last, day: date = dormant + timedelta(days=shift)
            ) -> None:
                _silent_since(last)(request, account)
                fee = {"kind": "maintenance_fee", "posted_on": day.isoformat(), "transfer_id": "IT-999998"}
                account["activity"].append({**account["activity"][0], **fee, "amount": 700})
                account["balance"] = 1_000

            yield bend(task, charge)


def known_for_as_long_as_counts() -> Iterator[Task]:
    """The account is new, and each owner's other account was opened just before, on and after the day that counts."""
    for task in chosen(40, kind="deposit_review", items="all_taken"):
        case = Case(task, POLICY)
        owners = {owner["customer_id"] for owner in case.account["owners"]}
        others = [
            key
            for key, row in task.tables["accounts"].items()
            if row is not case.account and owners & {owner["customer_id"] for owner in row.get("owners", ())}
        ]
        if len(others) < len(owners):
            continue
        for shift in (-1, 0, 1):
            day = case.banking_day(case.account["pending_items"][0], "deposited_on", "deposited_at")
            opened = day - timedelta(days=POLICY.new_account_days + shift)
            known = msgspec.structs.replace(task, tables=copy.deepcopy(task.tables))
            for key in others:
                known.tables["accounts"][key].update(opened=opened.isoformat(), status="open")
            yield bend(known, lambda _, account, day=day: account.update(opened=day.isoformat()))  # type: ignore[misc]


KINDS = (
    known_for_as_long_as_counts, restricted_today, overdraft_owed, collected_about_today, confirmation_due_today,
    reported_or_written_today, abandoned_at_the_year_end, charged_when_dormant,
)  # fmt: skip
