"""Checks the tax on an estate."""

from __future__ import annotations

from decimal import Decimal

from teller_gym.office.documents.amounts import money_text
from teller_gym.scenarios.wealth.contract import Finding, Look, judged
from teller_gym.scenarios.wealth.delivered import Delivered, Row, cell, normal, told
from teller_gym.scenarios.wealth.tasks.tax_threshold.solving import Answer

CHECKPOINTS = ("delivered", "taxable_amounts", "band_taxes", "total")


def check(look: Look) -> list[Finding]:
    """Compare the delivered brackets with the answer."""
    rules = look.case.rules
    table = Delivered(look, rules["output"], rules["columns"])
    if table.fault:
        return table.missing(CHECKPOINTS)
    names = [*(one.band for one in look.case.answer.bands), rules["total"]]
    return [table.has_rows("Band", names), _amounts(look, table), _taxes(look, table), _total(look, table)]


def _amounts(look: Look, table: Delivered) -> Finding:
    answer: Answer = look.case.answer
    wrong = [
        f"{one.band}: expected {told(one.amount)}, got {cell(row, 'taxable_amount')}"
        for one in answer.bands
        if not table.money(row := _row(table, one.band), "Taxable Amount", one.amount)
    ]
    return judged("taxable_amounts", not wrong, "the taxable amounts are right", "; ".join(wrong))


def _taxes(look: Look, table: Delivered) -> Finding:
    """Check the columns Rate and Tax."""
    answer: Answer = look.case.answer
    wrong = []
    for one in answer.bands:
        row = _row(table, one.band)
        if not _is_taxed(table, row, one.rate, one.tax):
            expected, got = f"{money_text(one.rate)} and {told(one.tax)}", f"{cell(row, 'rate')} and {cell(row, 'tax')}"
            wrong.append(f"{one.band}: expected {expected}, got {got}")
    return judged("band_taxes", not wrong, "rates and taxes of the bands are right", "; ".join(wrong))


def _total(look: Look, table: Delivered) -> Finding:
    answer: Answer = look.case.answer
    row = _row(table, look.case.rules["total"])
    is_right = table.money(row, "Taxable Amount", answer.amount) and _is_taxed(table, row, answer.rate, answer.tax)
    expected = f"{told(answer.amount)}, {money_text(answer.rate)} and {told(answer.tax)}"
    got = f"{cell(row, 'taxable_amount')}, {cell(row, 'rate')} and {cell(row, 'tax')}"
    return judged("total", is_right, f"the tax is {told(answer.tax)}", f"the total: expected {expected}, got {got}")


def _row(table: Delivered, name: str) -> Row | None:
    return table.keyed("Band").get((normal(name),))


def _is_taxed(table: Delivered, row: Row | None, rate: int, tax: int) -> bool:
    return table.number(row, "Rate", Decimal(rate) / 100) and table.money(row, "Tax", tax)
