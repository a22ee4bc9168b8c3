"""Checks an asset allocation."""

from __future__ import annotations

from decimal import Decimal

from teller_gym.scenarios.wealth.contract import Finding, Look, judged
from teller_gym.scenarios.wealth.delivered import Delivered, normal, told
from teller_gym.scenarios.wealth.tasks.allocation.solving import Answer

CHECKPOINTS = ("delivered", "values", "weights", "total")


def check(look: Look) -> list[Finding]:
    """Compare the delivered allocation with the answer."""
    answer: Answer = look.case.answer
    rules = look.case.rules
    table = Delivered(look, rules["output"], rules["columns"])
    if table.fault:
        return table.missing(CHECKPOINTS)
    rows = {name: row for (name,), row in table.keyed("Asset Class").items()}
    expected = sorted((*answer.values, rules["total"]))
    got = sorted(normal(row["asset_class"]) for row in table.rows)
    values = [
        f"{name}: expected {told(cents)}"
        for name, cents in answer.values.items()
        if not table.money(rows.get(normal(name)), "Value", cents)
    ]
    weights = [
        f"{name}: expected {_percent(weight)}"
        for name, weight in answer.weights.items()
        if not table.number(rows.get(normal(name)), "Weight", _percent(weight))
    ]
    total, sum_of_weights = rows.get(normal(rules["total"])), _percent(answer.total_weight)
    is_total = table.money(total, "Value", answer.total) and table.number(total, "Weight", sum_of_weights)
    return [
        judged(
            "delivered",
            got == sorted(map(normal, expected)),
            f"{table.path} has a row for each class held, and the total",
            f"expected rows for {', '.join(expected)}, got {', '.join(got)}",
        ),
        judged("values", not values, "the value of every class is right", "; ".join(values)),
        judged("weights", not weights, "the weight of every class is right", "; ".join(weights)),
        judged(
            "total",
            is_total,
            f"the total is {told(answer.total)}, and the weights add up to {sum_of_weights}",
            f"total: expected {told(answer.total)} and {sum_of_weights}, got {total or 'no row'}",
        ),
    ]


def _percent(weight: int) -> Decimal:
    return Decimal(weight).scaleb(-2)
