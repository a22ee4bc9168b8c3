"""Checks a net worth snapshot."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import Finding, Look, judged
from teller_gym.scenarios.wealth.delivered import Delivered, cell, normal, told
from teller_gym.scenarios.wealth.tasks.net_worth.solving import Answer

CHECKPOINTS = ("delivered", "total_assets", "total_liabilities", "net_worth")


def check(look: Look) -> list[Finding]:
    """Compare the delivered totals with the answer."""
    answer: Answer = look.case.answer
    rules = look.case.rules
    table = Delivered(look, rules["output"], rules["columns"])
    if table.fault:
        return table.missing(CHECKPOINTS)
    rows = table.keyed("Item")
    amounts = dict(zip(rules["items"], (answer.assets, answer.liabilities, answer.net), strict=True))
    here = [row.get("item", "") for row in table.rows]
    wrong = f"expected rows {', '.join(amounts)} and no others, got {', '.join(here[:10])}"
    is_right = sorted(map(normal, here)) == sorted(map(normal, amounts))
    found = [judged("delivered", is_right, f"{table.path} has its rows", wrong)]
    for checkpoint, (item, cents) in zip(CHECKPOINTS[1:], amounts.items(), strict=True):
        row = rows.get((normal(item),))
        evidence = f"{item}: expected {told(cents)}, got {cell(row, 'amount')}"
        found.append(judged(checkpoint, table.money(row, "Amount", cents), f"{item} is {told(cents)}", evidence))
    return found
