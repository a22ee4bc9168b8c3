"""Checks a tax summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from teller_gym.scenarios.wealth.contract import Finding, Look, judged
from teller_gym.scenarios.wealth.delivered import Delivered, Row, cell, normal, told
from teller_gym.scenarios.wealth.tasks.tax_summary.solving import Answer

CHECKPOINTS = ("delivered", "wages", "investment_income", "total")


def check(look: Look) -> list[Finding]:
    """Compare the delivered components with the answer."""
    answer: Answer = look.case.answer
    rules = look.case.rules
    table = Delivered(look, rules["output"], rules["columns"])
    if table.fault:
        return table.missing(CHECKPOINTS)
    rows = table.keyed("Component")
    amounts = list(zip(rules["items"], answer.amounts, strict=True))
    missing = [item for item, _ in amounts if (normal(item),) not in rows]
    return [
        judged("delivered", not missing, f"{table.path} has its rows", f"no row, or more than one, for {missing}"),
        _amounts(table, rows, "wages", amounts[:1]),
        _amounts(table, rows, "investment_income", amounts[1:-1]),
        _amounts(table, rows, "total", amounts[-1:]),
    ]


def _amounts(
    table: Delivered, rows: Mapping[tuple[str, ...], Row], checkpoint: str, amounts: Sequence[tuple[str, int]]
) -> Finding:
    """Check the amounts of the given components."""
    wrong = []
    for item, cents in amounts:
        row = rows.get((normal(item),))
        if not table.money(row, "Amount", cents):
            wrong.append(f"{item}: expected {told(cents)}, got {cell(row, 'amount')}")
    right = "; ".join(f"{item} is {told(cents)}" for item, cents in amounts)
    return judged(checkpoint, not wrong, right, "; ".join(wrong))
