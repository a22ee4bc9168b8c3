"""Frozen cases of Accounts moved to the boundaries of the rules."""

import copy
from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial

import msgspec

from teller_gym.procedure.task import Task
from teller_gym.scenarios.accounts.solver_facts import Case, later
from teller_gym.tools.bank import Record
from tests.scenarios.bending import AROUND, Bending

BENT = Bending("accounts", lambda task, case: task.tables["accounts"].get(case["account_id"] or "", {}))
POLICY = BENT.scenario.policy
chosen, bend, all_bent = BENT.chosen, BENT.bend, BENT.all_bent

boundary = partial(BENT.boundary, count=4)
all_taken = partial(boundary, kind="deposit_review", items="all_taken")
closed = partial(boundary, kind="close_account", closing="free")


def _before(day: str | date, days: int) -> str:
    return ((date.fromisoformat(day) if isinstance(day, str) else day) - timedelta(days=days)).isoformat()


def _around(limit: int) -> Iterator[int]:
    return (limit + days for days in AROUND)


@all_taken(*_around(POLICY.new_account_days))
@closed(*_around(POLICY.early_closing_days))
def opened_around_a_limit(task: Task, case: Record, account: Record, days: int) -> None:
    """The account was opened near a limit in days before the business date."""
    account["opened"] = account["first_deposit_on"] = _before(task.today, days)
    account["activity"] = [row for row in account["activity"] if row["posted_on"] >= account["opened"]]


@closed(*_around(POLICY.clocks["address_wait"].counted))
def address_changed_around_the_wait(task: Task, case: Record, account: Record, days: int) -> None:
    """The address was changed near the end of the waiting period."""
    account["address_changed_on"] = _before(task.today, days)


@closed(*AROUND)
def payout_around_nothing(task: Task, case: Record, account: Record, cents: int) -> None:
    """The payout is a cent below zero, zero, or a cent above."""
    account["opened"] = _before(task.today, POLICY.early_closing_days + 1)
    account.update(accrued_interest=0, fees_due=500, balance=500 + cents)


@closed(0, 1)
def overdraft_owed(task: Task, case: Record, account: Record, cents: int) -> None:
    """The overdraft line has a balance of a cent, or of nothing."""
    account["services"] = [{"kind": "overdraft_line", "status": "open", "balance": cents, "detail": "Line on request"}]


@closed(*range(6))
def collected_about_today(task: Task, case: Record, account: Record, back: int) -> None:
    """The single pending item, cash, becomes available before, on or after the business date."""
    item = {
        "item_id": "IT-999999", "item_kind": "cash", "amount": 10_000, "payee_id": None, "check_date": None,
        "endorsed": None, "returned_before": False, "deposited_on": _before(task.today, back),
        "deposited_at": "09:40", "channel": "branch",
    }  # fmt: skip
    account["pending_items"] = [item]


@boundary(account="free")
def restricted_today(task: Task, case: Record, account: Record) -> None:
    """A restriction was placed on the business date."""
    account["restrictions"].append({"kind": "legal_hold", "placed_on": task.today.isoformat(), "lifted_on": None})


@boundary(*AROUND, kind="open_account", opening="in_order")
def deposit_around_the_desk(task: Task, case: Record, account: Record, cents: int) -> None:
    """The opening deposit is near the amount from which a senior desk reviews it."""
    case["opening_deposit"] = POLICY.senior_amount + cents


@boundary(*AROUND, kind="open_account", opening="in_order")
def deposit_around_the_smallest(task: Task, case: Record, account: Record, cents: int) -> None:
    """The opening deposit is near the minimum."""
    case["opening_deposit"] = POLICY.minimum_deposits[case["product"]] + cents


@BENT.cases
def letter_around_its_window() -> Iterator[Task]:
    """The owner's letter was sent near the ends of its window, or the amount is near the minimum for a letter."""

    def sent(task: Task, case: Record, account: Record, day: str) -> None:
        account["letters"] = [{"kind": "letter_to_owner", "sent_on": day}]

    def poor(task: Task, case: Record, account: Record, cents: int) -> None:
        account["letters"], account["accrued_interest"] = [], 0
        account["activity"] = [row for row in account["activity"] if row["kind"] != "maintenance_fee"]
        account["balance"] = POLICY.letter_minimum + cents

    latest, earliest = POLICY.clocks["letter_to_owner"].counted, POLICY.letter_earliest_days
    for task in chosen(4, kind="dormancy_review", stage="abandoned"):
        rule = POLICY.states[Case(task, POLICY).account["mailing_state"]]
        report = date(task.today.year, rule.report_month, rule.report_day)
        for before in (latest - 1, latest, earliest, earliest + 1):
            yield bend(task, sent, _before(report, before))
        for cents in (-1, 0):
            yield bend(task, poor, cents)


@all_taken(-1, 0, POLICY.stale_check_days, POLICY.stale_check_days + 1)
def check_around_its_age(task: Task, case: Record, account: Record, days: int) -> None:
    """Checks are near the maximum age; everything is deposited exactly at the cut-off."""
    for row in account["pending_items"]:
        if row["check_date"] is not None:
            row["check_date"] = _before(row["deposited_on"], days)
        row["deposited_at"] = POLICY.cutoffs[row["channel"]]


@all_taken(*AROUND)
def deposit_around_the_large_amount(task: Task, case: Record, account: Record, cents: int) -> None:
    """The checks of a deposit add up to nearly the large-deposit threshold."""
    checks = [row for row in account["pending_items"] if row["check_date"] is not None]
    for row in checks:
        row["amount"], row["returned_before"] = 1_000, False
    if checks:
        checks[-1]["amount"] += POLICY.large_deposit_amount + cents - 1_000 * len(checks)


@all_taken(
    *(
        (first, depth)
        for first in (0, 1, POLICY.overdrawn_window_days - POLICY.overdrawn_days + 1, POLICY.overdrawn_window_days)
        for depth in (5_000, POLICY.overdrawn_large_amount - 1, POLICY.overdrawn_large_amount)
    )
)
def overdrawn_around_the_window(task: Task, case: Record, account: Record, how: tuple[int, int]) -> None:
    """Just enough overdrawn days are near the ends of the window, some just deep enough to count as large."""
    first, depth = how
    count = POLICY.overdrawn_days if depth == 5_000 else POLICY.overdrawn_large_days
    account["overdrawn_days"] = [
        {"day": _before(case["received_date"], age), "overdrawn_by": depth} for age in range(first, first + count)
    ]


@BENT.cases
def claim_around_its_limits() -> Iterator[Task]:
    """Statement, first deposit and missing card are near the limits that count."""

    def late(task: Task, case: Record, account: Record, shift: int) -> None:
        sent = _before(case["received_date"], POLICY.claim_notice_days + shift)
        for row in account["activity"]:
            row["statement_sent_on"] = sent
            row["posted_on"] = min(row["posted_on"], sent)

    def young(task: Task, case: Record, account: Record, shift: int) -> None:
        last = max(row["posted_on"] for row in account["activity"])
        account["first_deposit_on"] = _before(last, POLICY.new_account_days + shift)

    def missed(task: Task, case: Record, account: Record, shift: int) -> None:
        case["card_missed_date"] = _before(case["received_date"], 2 + shift)

    for liability in ("none", "some"):
        for task in chosen(6, kind="transfer_claim", liability=liability):
            yield from (bend(task, change, shift) for change in (late, young, missed) for shift in AROUND)


@BENT.cases
def confirmation_due_today() -> Iterator[Task]:
    """The last day for a written confirmation is the business date or the day before, and none was received."""

    def ask(task: Task, case: Record, account: Record, day: date) -> None:
        case.update(channel="phone", received_date=day.isoformat(), confirmed_date=None, card_missed_date=None)

    for task in chosen(4, kind="transfer_claim", liability="none"):
        for back in range(9, 25):
            day = task.today - timedelta(days=back)
            due = Case(task, POLICY).business(day, POLICY.confirmation_business_days)
            if task.today - timedelta(days=1) <= due <= task.today:
                yield bend(task, ask, day)


def _silent_since(task: Task, case: Record, account: Record, last: date, balance: int = 900_000) -> None:
    first = _before(last, 400)
    account.update(opened=first, first_deposit_on=first, letters=[], balance=balance)
    row = dict.fromkeys(("reference", "statement_sent_on"), None)
    row |= {"kind": "owner_deposit", "posted_on": last.isoformat(), "amount": 5_000, "country": "US"}
    account["activity"] = [{**row, "transfer_id": "IT-999999", "access_given": False}]


def _dormant() -> Iterator[tuple[Task, Case]]:
    """Yield reviews of abandoned accounts, with no activity left on any account."""
    for task in chosen(8, kind="dormancy_review", stage="abandoned"):
        silent = msgspec.structs.replace(task, tables=copy.deepcopy(task.tables))
        for account in silent.tables["accounts"].values():
            account["activity"] = []
        yield silent, Case(silent, POLICY)


@BENT.cases
def reported_or_written_today() -> Iterator[Task]:
    """The business date is the report day, or near the last day for the letter."""

    def received(task: Task, case: Record, account: Record, last: date, balance: int) -> None:
        case["received_date"] = task.today.isoformat()
        _silent_since(task, case, account, last, balance)

    for task, case in _dormant():
        rule = POLICY.states[case.account["mailing_state"]]
        last = task.today - timedelta(days=3_000)
        for year in (task.today.year, task.today.year + 1):
            report = date(year, rule.report_month, rule.report_day)
            letter = report - timedelta(days=POLICY.clocks["letter_to_owner"].counted)
            for day in (report, *(letter + timedelta(days=shift) for shift in range(-2, 3))):
                if case.is_open(day):
                    for balance in (900_000, POLICY.letter_minimum // 2):
                        yield bend(task, received, last, balance, today=day)


@BENT.cases
def abandoned_at_the_year_end() -> Iterator[Task]:
    """The account is abandoned on the last day of the report year, or the day after."""
    for task, case in _dormant():
        months = POLICY.states[case.account["mailing_state"]].months
        end = date(task.today.year, POLICY.year_end_month, POLICY.year_end_day)
        last = date(end.year - months // 12, end.month, end.day)
        if months % 12 == 0 and end <= task.today:
            yield bend(task, _silent_since, last)
            yield bend(task, _silent_since, last + timedelta(days=1))


@BENT.cases
def charged_when_dormant() -> Iterator[Task]:
    """A fee was charged on the day on which the account became dormant, or the day before or after."""

    def charge(task: Task, case: Record, account: Record, shift: int) -> None:
        last = task.today - timedelta(days=3_000)
        day = later(last, POLICY.stage_months["dormant"]) + timedelta(days=shift)
        _silent_since(task, case, account, last, balance=1_000)
        fee = {"kind": "maintenance_fee", "posted_on": day.isoformat(), "transfer_id": "IT-999998", "amount": 700}
        account["activity"].append(account["activity"][0] | fee)

    yield from (bend(task, charge, shift) for task, _ in _dormant() for shift in AROUND)


@BENT.cases
def known_for_as_long_as_counts() -> Iterator[Task]:
    """The account is new, and the owners' other accounts were opened near the day that makes them known."""

    def change(task: Task, case: Record, account: Record, others: list[str], day: date, shift: int) -> None:
        opened = _before(day, POLICY.new_account_days + shift)
        for key in others:
            task.tables["accounts"][key].update(opened=opened, status="open")
        account["opened"] = day.isoformat()

    for task in chosen(40, kind="deposit_review", items="all_taken"):
        case = Case(task, POLICY)
        owners = {owner["customer_id"] for owner in case.account["owners"]}
        others = [
            key
            for key, row in task.tables["accounts"].items()
            if row is not case.account and owners & {owner["customer_id"] for owner in row.get("owners", ())}
        ]
        day = case.banking_day(case.account["pending_items"][0], "deposited_on", "deposited_at")
        if len(others) >= len(owners):
            yield from (bend(task, change, others, day, shift) for shift in AROUND)
