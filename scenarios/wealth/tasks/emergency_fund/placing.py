"""Places the facts for an emergency fund in two tables."""

from __future__ import annotations

from datetime import date

from teller_gym.office.documents.amounts import money_text
from teller_gym.office.documents.tables import TextTable
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.tasks.emergency_fund.facts import Facts

_EXPENSES = ("Expense", "Frequency", "Amount", "Essential", "Last Payment")
_SAVINGS = (
    "Account", "Type", "Share %", "Balance", "Credit Limit", "Notice Days", "Early Penalty %", "Maturity Date",
)  # fmt: skip


def place(plan: Plan, case: Case) -> None:
    """Place two tables in the client's folder."""
    facts: Facts = case.facts
    expenses = tuple(
        (
            one.name,
            one.frequency,
            money_text(one.amount),
            case.rules["essential"] if one.essential else "No",
            _day(one.last_payment),
        )
        for one in facts.expenses
    )
    plan.table(case.client, "expenses.csv", TextTable(_EXPENSES, expenses), ("Amount",))
    accounts = tuple(
        (
            one.name,
            one.kind,
            str(one.share),
            money_text(one.balance),
            "" if one.limit is None else money_text(one.limit),
            str(one.notice),
            "" if one.penalty is None else f"{one.penalty // 10}.{one.penalty % 10}",
            _day(one.matures),
        )
        for one in facts.accounts
    )
    plan.table(case.client, "savings.csv", TextTable(_SAVINGS, accounts), ("Balance", "Credit Limit"))


def _day(day: date | None) -> str:
    return "" if day is None else day.isoformat()
