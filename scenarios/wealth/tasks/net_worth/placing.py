"""Places a snapshot's facts: two tables, and posts in the client's CRM stream."""

from __future__ import annotations

from teller_gym.office.documents.amounts import money_text
from teller_gym.office.documents.tables import TextTable
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.delivered import told
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.tasks.net_worth.facts import Facts, Post

_ASSETS = ("Asset", "Type", "Ownership", "Share %", "Market Value", "As Of")
_LIABILITIES = ("Liability", "Lender", "Credit Limit", "Outstanding Balance", "Status")


def place(plan: Plan, case: Case) -> None:
    """Place two tables and the posts about the loan."""
    facts: Facts = case.facts
    assets = tuple(
        (one.name, one.kind, one.ownership, str(one.share), money_text(one.value), one.as_of.isoformat())
        for one in facts.assets
    )
    plan.table(case.client, "assets.csv", TextTable(_ASSETS, assets), ("Market Value",))
    liabilities = tuple(
        (one.name, one.lender, "" if one.limit is None else money_text(one.limit), money_text(one.balance), one.status)
        for one in facts.liabilities
    )
    money = ("Credit Limit", "Outstanding Balance")
    plan.table(case.client, "liabilities.csv", TextTable(_LIABILITIES, liabilities), money)
    for post in facts.posts:
        plan.note(case.client, _words(post), post.at)


def _words(post: Post) -> str:
    if not post.outstanding:
        return f"Private loan from {post.lender}: repaid in full."
    return f"Private loan from {post.lender}: {told(post.outstanding)} outstanding."
