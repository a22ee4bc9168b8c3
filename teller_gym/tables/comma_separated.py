"""Rendering of tables as CSV, with text escaped."""

from __future__ import annotations

import csv
import io
import re

from teller_gym.tables.model import MARK, Column, Table, Value, one_line, plain

_FORMULA = re.compile(r"\s*[-=+@＝＋－＠]")


def csv_text(text: str) -> str:
    """Return text on one line, escaped so that a spreadsheet does not evaluate it as a formula."""
    text = one_line(text)
    return f"'{text}" if _FORMULA.match(text) else text


def as_csv(table: Table) -> str:
    """Return the table as CSV.

    It has plain numbers, empty cells for missing values, and columns for interval bounds. Text that a spreadsheet would
    evaluate as a formula is prefixed with an apostrophe. The last column distinguishes rows from the paper and from
    runs.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    header = [
        name
        for column in table.columns
        for title in (column.title.replace(f"{MARK} ", "paper: "),)
        for name in (title, *(f"{title} {end}" for end in ("low", "high") if column.interval))
    ]
    writer.writerow([*map(csv_text, header), "measured by"])
    for row in table.rows:
        cells = [cell for pair in table.pairs(row) for cell in _cells(*pair)]
        writer.writerow([*cells, "paper, on its own unreleased instances" if row.paper else "run"])
    return file.getvalue()


def _cells(column: Column, value: Value) -> list[str | int | float | None]:
    ends = [getattr(value, end, None) for end in ("low", "high")] if column.interval else []
    return [_shown(one) for one in (plain(value), *ends)]


def _shown(value: str | int | float | None) -> str | int | float | None:
    if isinstance(value, float):
        return round(value, 6)
    return csv_text(value) if isinstance(value, str) else value
