"""Checks a quarter's metrics and the work item to close."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from teller_gym.office.store import Change
from teller_gym.office.tracker.tables import ITEMS, STATES
from teller_gym.scenarios.wealth.contract import Case, Failure, Finding, Look, failed, judged, passed
from teller_gym.scenarios.wealth.delivered import Delivered, cell, normal, told
from teller_gym.scenarios.wealth.tasks.metrics.facts import Facts
from teller_gym.scenarios.wealth.tasks.metrics.solving import Answer

CHECKPOINTS = ("figures", "corrections", "ratios", "item_closed")

_CLOSING = {"state", "completed_at", "updated_at", "updated_by"}
"""Fields of a work item that change when its state is set."""


def check(look: Look) -> list[Finding]:
    """Compare the delivered metrics with the answer, and check the work item."""
    answer: Answer = look.case.answer
    table = Delivered(look, look.case.rules["output"], look.case.rules["columns"])
    if table.fault:
        return table.missing(CHECKPOINTS)
    plain = [metric for metric in (*answer.posted, *answer.counts) if metric not in answer.corrected]
    figures = _figures(table, plain, answer)
    return [
        figures,
        _values("corrections", table, answer.corrected, answer),
        _values("ratios", table, ("Net Flows", "Active Clients", *answer.percents), answer),
        # Without the deliverable's rows, the item must not be closed.
        failed("item_closed", Failure.DELIVERY, figures.evidence)
        if figures.failure is Failure.DELIVERY
        else _item(look),
    ]


def is_asked(case: Case, change: Change) -> bool:
    """Return True if a change sets only the work item's state and the fields that the tracker updates with it."""
    before, after = change.before, change.after
    if change.table != ITEMS or before is None or after is None or before["name"] != item_name(case):
        return False
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)} <= _CLOSING


def item_name(case: Case) -> str:
    """Return the name of the work item to close, which is unique."""
    facts: Facts = case.facts
    return f"{case.rules['item']} {facts.quarter.label}, {case.client.name}"


def _figures(table: Delivered, plain: Sequence[str], answer: Answer) -> Finding:
    """Check that the table has exactly the required rows, and that the uncorrected figures are correct."""
    rows = table.keyed("Metric")
    wanted = {(normal(one),) for one in _all(answer)}
    if rows.keys() != wanted or len(table.rows) != len(wanted):
        missing = [one for one in _all(answer) if (normal(one),) not in rows]
        others = f"{len(table.rows)} rows, expected {len(wanted)}"
        return failed("figures", Failure.DELIVERY, f"no one row for {', '.join(missing)}" if missing else others)
    return _values("figures", table, plain, answer)


def _values(checkpoint: str, table: Delivered, metrics: Sequence[str], answer: Answer) -> Finding:
    rows, values = table.keyed("Metric"), _all(answer)
    for metric in metrics:
        row, value = rows.get((normal(metric),)), values[metric]
        is_money = metric in answer.posted or metric == "Net Flows"
        is_right = table.money(row, "Value", int(value)) if is_money else table.number(row, "Value", Decimal(value))
        if not is_right:
            expected = told(int(value)) if is_money else str(value)
            return failed(checkpoint, Failure.LOGIC, f"{metric}: expected {expected}, got {cell(row, 'value')}")
    return passed(checkpoint, f"{', '.join(metrics)} are right")


def _all(answer: Answer) -> dict[str, int | Decimal]:
    worked_out = {"Net Flows": answer.flows, "Active Clients": answer.clients}
    return {**answer.posted, **answer.counts, **worked_out, **answer.percents}


def _item(look: Look) -> Finding:
    """Check that the work item is closed, and that no other item's state has changed."""
    name, store = item_name(look.case), look.store
    key, item = next(((key, one) for key, one in store.rows(ITEMS) if one["name"] == name), ("", None))
    for change in store.diff():
        before, after = change.before or {}, change.after or {}
        if change.table == ITEMS and change.key != key and before.get("state") != after.get("state"):
            other = (before or after).get("name")
            return failed("item_closed", Failure.CROSS_TOOL, f"the state of another item, {other!r}, was set as well")
    state = store.get(STATES, item["state"] or "") if item else None
    is_closed = state is not None and state["group"] == "completed"
    got = state["name"] if state else "no state"
    return judged(
        "item_closed", is_closed, f"{name!r} is closed", f"{name!r}: expected completed, got {got}", Failure.CROSS_TOOL
    )
