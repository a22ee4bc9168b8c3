"""Checks an expense categorisation."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import Failure, Finding, Look, failed, judged, passed
from teller_gym.scenarios.wealth.delivered import Delivered, cell, normal, told
from teller_gym.scenarios.wealth.tasks.expense_categorisation.solving import Answer

CHECKPOINTS = ("delivered", "labels", "totals", "grand_total")


def check(look: Look) -> list[Finding]:
    """Compare the delivered labels and totals with the answer."""
    answer: Answer = look.case.answer
    rules = look.case.rules
    labels = Delivered(look, rules["labels"], rules["label_columns"])
    summary = Delivered(look, rules["summary"], rules["summary_columns"])
    wrong = _rows(labels, "transaction_id", list(answer.labels))
    wrong = wrong or _rows(summary, "category", [*answer.totals, rules["total"]])
    failure = next((table.failure for table in (labels, summary) if table.fault), Failure.LOGIC)
    first = judged("delivered", not wrong, "both tables have their rows", wrong, failure)
    return [first, *_labels(labels, answer), *_totals(summary, answer, str(rules["total"]))]


def _rows(table: Delivered, column: str, keys: list[str]) -> str:
    """Return a message if a table does not have exactly the rows for the given keys.

    The result is empty if it does.
    """
    got, wanted = sorted(normal(row[column]) for row in table.rows), sorted(map(normal, keys))
    if table.fault or got == wanted:
        return table.fault
    missing, more = sorted(set(wanted) - set(got)), sorted(set(got) - set(wanted))
    return f"{table.path}: expected {len(wanted)} rows, got {len(got)}; missing {missing[:3]}, too many {more[:3]}"


def _labels(table: Delivered, answer: Answer) -> list[Finding]:
    if table.fault:
        return table.missing(CHECKPOINTS[1:2])
    rows = table.keyed("Transaction ID")
    for number, label in answer.labels.items():
        row = rows.get((normal(number),))
        if row is None or normal(row.get("category", "")) != normal(label):
            got = cell(row, "category", "no row, or several")
            return [failed("labels", Failure.LOGIC, f"{number}: expected {label}, got {got}")]
    return [passed("labels", f"all {len(answer.labels)} transactions have the right category")]


def _totals(table: Delivered, answer: Answer, total: str) -> list[Finding]:
    if table.fault:
        return table.missing(CHECKPOINTS[2:])
    rows = table.keyed("Category")
    wrong = [
        name for name, cents in answer.totals.items() if not table.money(rows.get((normal(name),)), "Total", cents)
    ]
    last = rows.get((normal(total),))
    evidence = f"expected {wrong[0]} {told(answer.totals[wrong[0]])}" if wrong else ""
    return [
        judged("totals", not wrong, f"all {len(answer.totals)} totals are right", evidence),
        judged(
            "grand_total",
            table.money(last, "Total", answer.total),
            f"{total} is {told(answer.total)}",
            f"{total}: expected {told(answer.total)}, got {cell(last, 'total')}",
        ),
    ]
