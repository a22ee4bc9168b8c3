"""Conditions of a realistic account request: consistent dates, plausible amounts, people of a suitable age."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from teller_gym.base.dates import is_business_day
from teller_gym.procedure.task import Task
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.tools.bank import Record

_KINDS_WITH_PERSONS = ("open_account", "transfer_claim", "stop_payment", "close_account")
_MOST = {
    "atm_withdrawal": 100_000,
    "pos_debit": 150_000,
    "ach_debit": 300_000,
    "wire_transfer": 2_500_000,
    "check": 500_000,
}
"""Maximum amount of a transfer by kind, in cents."""
_MOST_DEPOSIT = 1_500_000
_NOTE = 500
"""The smallest banknote that a machine handles, in cents."""


def complaints(task: Task, policy: AccountPolicy) -> Iterator[str]:
    """Yield a message for each way in which a task is unrealistic."""
    case = task.tables["requests"][task.case_id]
    yield from _request(task, case, policy)
    yield from _persons(task, case)
    account = task.tables["accounts"].get(case["account_id"] or "")
    if (account is None) != (case["kind"] == "open_account"):
        yield "only a request to open an account is without an account"
    if account is not None:
        yield from _account(task, account)
        yield from _items(task, case, account)


def _request(task: Task, case: Record, policy: AccountPolicy) -> Iterator[str]:
    today = task.today
    if not is_business_day(today, policy.holidays):
        yield f"the business date {today} is not a business day"
    received = date.fromisoformat(case["received_date"])
    if not today - timedelta(days=40) <= received <= today:
        yield f"received on {received}, the business date is {today}"
    if case["channel"] in ("branch", "mail") and not is_business_day(received, policy.holidays):
        yield f"received by {case['channel']} on {received}, when the bank was closed"
    confirmed = case["confirmed_date"]
    if confirmed is not None and not case["received_date"] < confirmed <= today.isoformat():
        yield f"confirmed on {confirmed}, received on {received}"
    if case["card_missed_date"] is not None and case["card_missed_date"] > case["received_date"]:
        yield "the card was missed after its loss was reported"
    if (case["kind"] == "open_account") != (case["opening_deposit"] > 0):
        yield "only a request to open an account has an opening deposit"
    if bool(case["persons"]) != (case["kind"] in _KINDS_WITH_PERSONS):
        yield f"{len(case['persons'])} persons in a request of kind {case['kind']}"


def _persons(task: Task, case: Record) -> Iterator[str]:
    for person in case["persons"]:
        name = person["customer_id"]
        if person["date_of_birth"] >= case["received_date"]:
            yield f"{name} was born after the request was received"
        if person["document_expiry"] < task.today.isoformat():
            yield f"the identity document of {name} has expired"
        if person["document_type"] == "driver_license" and _age(person["date_of_birth"], task.today) < 16:
            yield f"{name} is too young to drive"
        if person["role"] == "agent" and _age(person["date_of_birth"], task.today) < 18:
            yield f"{name} is too young to be an agent"
        known = task.tables["customers"][name]
        if known["date_of_birth"] > known["customer_since"]:
            yield f"{name} became a customer before birth"


def _age(born: str, today: date) -> int:
    return (today - date.fromisoformat(born)).days * 4 // 1461


def _account(task: Task, account: Record) -> Iterator[str]:
    today = task.today.isoformat()
    if not account["opened"] <= account["first_deposit_on"] <= today:
        yield "the first deposit is before the opening or in the future"
    if account["balance"] < 0 or account["accrued_interest"] > 30_000:
        yield "the balance is negative or the interest is implausibly high"
    for row in account["restrictions"]:
        if row["placed_on"] > today or (row["lifted_on"] or today) < row["placed_on"]:
            yield "a restriction that ends before it begins"
    days = [row["placed_on"] for row in account["restrictions"]] + [account["address_changed_on"] or today]
    if min(days) < account["opened"]:
        yield "a restriction or a change of address before the account was opened"
    owners = [row["customer_id"] for row in account["owners"]]
    for row in account["mandates"]:
        if row["owner_id"] not in owners or row["agent_id"] in owners or row["dated"] > today:
            yield "a mandate does not name an owner, names an owner as agent, or is dated in the future"
    for row in account["activity"]:
        if not account["opened"] <= row["posted_on"] <= today:
            yield f"a movement on {row['posted_on']}, account opened on {account['opened']}"
        if row["amount"] > _MOST.get(row["kind"], _MOST_DEPOSIT):
            yield f"{row['kind']} of {row['amount']} cents"
        if row["kind"] == "atm_withdrawal" and row["amount"] % _NOTE:
            yield "a cash machine paid out coins"
        sent = row["statement_sent_on"]
        if sent is not None and not row["posted_on"] <= sent <= today:
            yield "a statement was sent before a movement that it shows, or in the future"


def _items(task: Task, case: Record, account: Record) -> Iterator[str]:
    rows = {row["item_id"]: row for row in account["pending_items"]}
    for row in rows.values():
        if row["item_kind"] == "cash" and (row["amount"] % _NOTE or row["channel"] in ("online", "mail")):
            yield "cash was deposited in coins, online or by mail"
        if not 0 < row["amount"] <= _MOST_DEPOSIT or row["deposited_on"] > task.today.isoformat():
            yield f"an item of {row['amount']} cents, deposited on {row['deposited_on']}"
    if case["kind"] == "deposit_review" and any(item["item_id"] not in rows for item in case["items"]):
        yield "an item that the account does not have"
    if case["kind"] == "transfer_claim":
        posted = {row["transfer_id"] for row in account["activity"]}
        if any(item["item_id"] not in posted for item in case["items"]):
            yield "a transfer that was not posted"
    if case["kind"] == "stop_payment":
        if sum(item["amount"] for item in case["items"]) > account["balance"]:
            yield "orders for more than the balance"
        known = {row["series"] for row in account["scheduled_debits"]}
        wanted = {item["reference"] for item in case["items"] if item["item_kind"] == "preauthorized_debit"}
        if not wanted <= known:
            yield "a debit that is not scheduled"
