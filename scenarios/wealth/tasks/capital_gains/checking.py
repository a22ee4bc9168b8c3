"""Checks a capital gains computation."""

from __future__ import annotations

from decimal import Decimal

from teller_gym.scenarios.wealth.contract import Finding, Look, judged
from teller_gym.scenarios.wealth.delivered import Delivered, Row, normal, told
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.tasks.capital_gains.solving import Answer, Lot

CHECKPOINTS = ("delivered", "lots", "gains", "totals")

Rows = dict[tuple[str, ...], dict[str, str]]


def check(look: Look) -> list[Finding]:
    """Compare the delivered matches with the answer."""
    answer: Answer = look.case.answer
    rules = look.case.rules
    table = Delivered(look, rules["output"], rules["columns"])
    if table.fault:
        return table.missing(CHECKPOINTS)
    rows = table.keyed("Sale ID", "Purchase ID")
    return [
        _delivered(table, answer, rules),
        _lots(table, rows, answer, rules),
        _gains(table, rows, answer),
        _totals(table, rows, answer, rules),
    ]


def _delivered(table: Delivered, answer: Answer, rules: Rules) -> Finding:
    expected = {*(one.sale for one in answer.lots), *rules["totals"]}
    got = {normal(row["sale_id"]) for row in table.rows}
    return judged(
        "delivered",
        got == set(map(normal, expected)),
        f"{table.path} has rows for the sales of the year, and the totals",
        f"expected rows for {', '.join(sorted(expected))}, got {sorted(got)}",
    )


def _lots(table: Delivered, rows: Rows, answer: Answer, rules: Rules) -> Finding:
    wrong = [_named(one) for one in answer.lots if not _is_lot(table, rows.get(_key(one)), one, rules)]
    expected = len(answer.lots) + len(rules["totals"])
    if not wrong and len(table.rows) != expected:
        wrong.append(f"expected {expected} rows, got {len(table.rows)}")
    return judged("lots", not wrong, "every match is there with its quantity and term", f"wrong: {'; '.join(wrong)}")


def _is_lot(table: Delivered, row: Row | None, lot: Lot, rules: Rules) -> bool:
    return table.number(row, "Quantity", Decimal(lot.quantity)) and _has_term(row, lot.is_long, rules)


def _has_term(row: Row | None, is_long: bool, rules: Rules) -> bool:
    return row is not None and normal(row["term"]) == normal(rules["long" if is_long else "short"])


def _gains(table: Delivered, rows: Rows, answer: Answer) -> Finding:
    wrong = [
        f"{_named(one)}: expected {told(one.proceeds)}, {told(one.cost)} and {told(one.gain)}"
        for one in answer.lots
        if not _has_amounts(table, rows.get(_key(one)), (one.proceeds, one.cost, one.gain))
    ]
    return judged("gains", not wrong, "proceeds, cost and gain of every match are right", f"wrong: {'; '.join(wrong)}")


def _totals(table: Delivered, rows: Rows, answer: Answer, rules: Rules) -> Finding:
    wrong = []
    for name, is_long in zip(rules["totals"], (False, True), strict=True):
        row, sums = rows.get((normal(name), "")), answer.sums(is_long)
        # A quantity summed over several securities would be meaningless, so the cell must be empty.
        is_bare = row is not None and not normal(row["quantity"])
        if not (is_bare and _has_term(row, is_long, rules) and _has_amounts(table, row, sums)):
            wrong.append(f"{name}: expected {', '.join(map(told, sums))}, got {row or 'no row'}")
    return judged("totals", not wrong, "both totals are right", "; ".join(wrong))


def _has_amounts(table: Delivered, row: Row | None, cents: tuple[int, int, int]) -> bool:
    columns = ("Proceeds", "Cost", "Gain")
    return all(table.money(row, column, one) for column, one in zip(columns, cents, strict=True))


def _key(lot: Lot) -> tuple[str, ...]:
    return normal(lot.sale), normal(lot.purchase)


def _named(lot: Lot) -> str:
    return f"{lot.quantity} of {lot.purchase} in {lot.sale}"
