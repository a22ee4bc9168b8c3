"""Checks a table of all accounts."""

from __future__ import annotations

from collections.abc import Sequence

from teller_gym.scenarios.wealth.contract import Finding, Look, judged
from teller_gym.scenarios.wealth.delivered import Delivered, Row, cell, normal, told
from teller_gym.scenarios.wealth.tasks.asset_aggregation.solving import Account, Answer

CHECKPOINTS = ("delivered", "accounts", "details", "values", "total")

_NO_ROW = "no row of its own"


def check(look: Look) -> list[Finding]:
    """Compare the delivered accounts with the answer."""
    answer: Answer = look.case.answer
    rules = look.case.rules
    table = Delivered(look, rules["output"], rules["columns"])
    if table.fault:
        return table.missing(CHECKPOINTS)
    rows = _by_number(table.rows)
    total = _only(rows.pop(bare(rules["total"]), ()))
    return [
        _delivered(table, answer, rows, total),
        _accounts(answer, rows),
        _details(answer, rows, total),
        _values(table, answer, rows),
        judged(
            "total",
            table.money(total, "Value", answer.total),
            f"the total is {told(answer.total)}",
            f"total: expected {told(answer.total)}, got {cell(total, 'value', _NO_ROW)}",
        ),
    ]


def bare(number: str) -> str:
    """Normalise an account number to its letters and digits."""
    return "".join(one for one in normal(number) if one.isalnum())


def _by_number(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(bare(row["account_number"]), []).append(row)
    return found


def _only(rows: Sequence[Row]) -> Row | None:
    """Return the only row for an account number, or None unless there is exactly one."""
    return rows[0] if len(rows) == 1 else None


def _delivered(table: Delivered, answer: Answer, rows: dict[str, list[Row]], total: Row | None) -> Finding:
    """Check that there is a total, and that all other rows are accounts from the documents."""
    known = {bare(one.number) for one in answer.accounts} | {bare(one) for one in answer.others}
    strange = sorted(rows.keys() - known)
    return judged(
        "delivered",
        bool(rows) and not strange and total is not None,
        f"{table.path} has rows of accounts, and a total",
        f"expected rows of the client's accounts and one total; {len(rows)} accounts, of no document: {strange}, "
        f"{'a' if total is not None else 'no single'} total",
    )


def _accounts(answer: Answer, rows: dict[str, list[Row]]) -> Finding:
    right = {bare(one.number) for one in answer.accounts}
    missing, besides = sorted(right - rows.keys()), sorted(rows.keys() - right)
    twice = sorted(number for number, found in rows.items() if len(found) > 1)
    return judged(
        "accounts",
        not (missing or besides or twice),
        f"each of the {len(right)} accounts stands there once, and no other",
        f"missing: {missing}, not to be counted: {besides}, more than once: {twice}",
    )


def _details(answer: Answer, rows: dict[str, list[Row]], total: Row | None) -> Finding:
    wrong = [one.number for one in answer.accounts if not _is_described(one, _only(rows.get(bare(one.number), ())))]
    is_blank = total is not None and not normal(total["institution"] + total["type"])
    return judged(
        "details",
        is_blank and not wrong,
        "institution and type of each account are right",
        f"other institution or type expected: {wrong}; empty in the row of the total: {is_blank}",
    )


def _is_described(account: Account, row: Row | None) -> bool:
    said = None if row is None else (normal(row["institution"]), normal(row["type"]))
    return said == (normal(account.institution), normal(account.kind))


def _values(table: Delivered, answer: Answer, rows: dict[str, list[Row]]) -> Finding:
    wrong = [
        f"{one.number}: expected {told(one.value)}, got {cell(row, 'value', _NO_ROW)}"
        for one in answer.accounts
        if not table.money(row := _only(rows.get(bare(one.number), ())), "Value", one.value)
    ]
    return judged("values", not wrong, "the value of each account is right", "; ".join(wrong))
