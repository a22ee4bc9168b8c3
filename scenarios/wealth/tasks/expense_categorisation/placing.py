"""Places the facts for a categorisation: a transactions table and a text with rules."""

from __future__ import annotations

from teller_gym.office.documents.amounts import money_text
from teller_gym.office.documents.tables import TextTable
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.tasks.expense_categorisation.facts import Facts, Transaction

_COLUMNS = ("Transaction ID", "Transaction Date", "Posting Date", "Account", "Description", "Amount", "Status")


def place(plan: Plan, case: Case) -> None:
    """Place a table and a text in the client's folder."""
    facts: Facts = case.facts
    plan.table(
        case.client, "transactions.csv", TextTable(_COLUMNS, tuple(map(_cells, facts.transactions))), money=("Amount",)
    )
    plan.text(case.client, "category_rules.txt", lines_of(facts))


def lines_of(facts: Facts) -> list[str]:
    """Return the text with the rules, as lines."""
    checking, card, savings = facts.accounts.own
    return [
        "CATEGORY RULES OF THE HOUSEHOLD",
        "",
        f"Own accounts: {checking} checking, {card} credit card, {savings} savings.",
        f"Accounts of relatives: {facts.accounts.relative}.",
        "",
        *(f'Rule {one.number}: "{one.words}" is {one.category}' for one in facts.rules),
    ]


def _cells(one: Transaction) -> tuple[str, ...]:
    made, posted = one.made.isoformat(), one.posted.isoformat()
    return one.id, made, posted, one.account, one.description, money_text(one.cents), one.status
