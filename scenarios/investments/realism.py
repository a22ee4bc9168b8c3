"""Realism rules for every instance, from Appendix B of the TELLER paper and from what a banker would find absurd."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from teller_gym.base.dates import is_business_day, whole_years
from teller_gym.procedure.task import Task
from teller_gym.scenarios.investments.policy import InvestmentPolicy
from teller_gym.tools.bank import Record

_ADULT = 18
_LARGEST_PAYOUT = 25_000_000
_LARGEST_ORDER = 30_000_000
_YEAR_END = (0.7, 1.3)
"""Bounds of a retirement account's value at the end of last year, as a share of its present value."""
_OUTSIDE = 0.12
"""Largest difference between the other firm's and the bank's price of a share, as a share of the latter."""


def complaints(task: Task, policy: InvestmentPolicy) -> Iterator[str]:
    """Yield a complaint for each unrealistic detail of a task's case."""
    case = task.tables["requests"][task.case_id]
    account = task.tables["brokerage_accounts"][case["account_id"]]
    yield from _dates(task, case, policy)
    yield from _signers(task, case, account)
    yield from _instruction(task, case)
    for key in [row["account_id"] for row in account["linked"]]:
        yield from _account(task, key, policy)
    yield from _lots(task, policy)
    if task.case_id in task.tables["statements"]:
        yield from _statement(task, task.tables["statements"][task.case_id])


def _dates(task: Task, case: Record, policy: InvestmentPolicy) -> Iterator[str]:
    if not is_business_day(task.today, policy.holidays):
        yield f"{task.today} is no business day"
    if case["instructed_at"][:10] > task.today.isoformat():
        yield f"an instruction of {case['instructed_at']} on {task.today}"


def _signers(task: Task, case: Record, account: Record) -> Iterator[str]:
    for signer in case["signers"]:
        born = date.fromisoformat(signer["date_of_birth"])
        if whole_years(born, task.today) < _ADULT:
            yield f"{signer['customer_id']} signs under {_ADULT}"
        if signer["document_expiry"] < task.today.isoformat():
            yield f"{signer['customer_id']} shows an expired document"
    names = [signer["full_name"] for signer in case["signers"]]
    if len(set(names)) < len(names):
        yield "two signers of the same name"
    signing = {signer["customer_id"] for signer in case["signers"]}
    dead = any(row["kind"] == "owner_deceased" for row in account["restrictions"])
    if dead and signing.issuperset(account["owner_ids"]):
        yield "a deceased owner signs"


def _instruction(task: Task, case: Record) -> Iterator[str]:
    kind = case["request_type"]
    if (kind in ("purchase", "sale")) != (case["symbol"] is not None) or (kind in ("purchase", "sale")) != (
        case["quantity"] > 0
    ):
        yield f"a {kind} of {case['quantity']} shares of {case['symbol']}"
    if (kind in ("withdrawal", "distribution")) != (case["amount"] > 0) or case["amount"] > _LARGEST_PAYOUT:
        yield f"a {kind} of {case['amount']} cents"
    if case["symbol"] is not None:
        prices = task.tables["instruments"][case["symbol"]]["prices"]
        if case["quantity"] * max(max(row.values()) for row in prices.values()) > _LARGEST_ORDER:
            yield f"an order of {case['quantity']} shares of {case['symbol']}"


def _account(task: Task, key: str, policy: InvestmentPolicy) -> Iterator[str]:
    account = task.tables["brokerage_accounts"][key]
    amounts = [account[name] for name in ("cash_balance", "margin_debit", "accrued_interest", "prior_year_end_value")]
    if min(amounts) < 0:
        yield f"{key} has a negative balance"
    if account["status"] == "closed" and account["cash_balance"]:
        yield f"{key} is closed with cash in it"
    for row in account["questionnaires"]:
        if row["dated"] > task.today.isoformat() or not 0 < row["monthly_expenses"] < 2_000_000:
            yield f"{row['questionnaire_id']} is of {row['dated']} with expenses of {row['monthly_expenses']} cents"
    if account["prior_year_end_value"]:
        worth = account["cash_balance"]
        for held in task.tables["positions"].values():
            if held["account_id"] == key:
                price = list(task.tables["instruments"][held["symbol"]]["prices"].values())[-1]["last"]
                worth += held["quantity"] * price
        low, high = _YEAR_END
        if not low * worth - 5_000_000 <= account["prior_year_end_value"] <= high * worth + 5_000_000:
            yield f"{key} was worth {account['prior_year_end_value']} cents at the end of the year, now {worth}"


def _lots(task: Task, policy: InvestmentPolicy) -> Iterator[str]:
    for key, lot in task.tables["lots"].items():
        if lot["quantity"] <= 0 or lot["cost"] <= 0 or lot["holding_from"] > lot["acquired"]:
            yield f"{key} holds {lot['quantity']} shares at {lot['cost']} cents from {lot['holding_from']}"
        acquired = date.fromisoformat(lot["acquired"])
        if acquired > task.today or not is_business_day(acquired, policy.holidays):
            yield f"{key} was acquired on {acquired}"


def _statement(task: Task, statement: Record) -> Iterator[str]:
    for row in statement["assets"]:
        known = task.tables["instruments"].get(row["asset_id"])
        if row["value"] <= 0 or row["quantity"] <= 0:
            yield f"{row['quantity']} of {row['asset_id']} for {row['value']} cents"
        elif known is not None:
            prices = [price for day in known["prices"].values() for price in day.values()]
            each = row["value"] / row["quantity"]
            if not min(prices) * (1 - _OUTSIDE) <= each <= max(prices) * (1 + _OUTSIDE):
                yield f"{row['asset_id']} at {each:.0f} cents on the other firm's statement"
