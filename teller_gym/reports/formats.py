"""Tables as Markdown and CSV. Whatever a text holds, it stays text there."""

from __future__ import annotations

import csv
import io

from teller_gym.evaluation.measures.tables import csv_text, markdown_text
from teller_gym.reports.paper import MARK
from teller_gym.reports.table import Column, Link, Table, Value, interval_text, plain, value_text


def is_number(column: Column) -> bool:
    """Return True if a column is set flush right."""
    return column.kind != "text"


def markdown(table: Table) -> str:
    """Return the table in Markdown, intervals beside their values."""
    lines = [[markdown_text(column.title) for column in table.columns]]
    lines.append(["---:" if is_number(column) else "---" for column in table.columns])
    lines += [[_markdown_cell(*pair) for pair in zip(table.columns, row.cells, strict=True)] for row in table.rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _markdown_cell(column: Column, value: Value) -> str:
    if isinstance(value, Link):
        return f"[{markdown_text(value.text)}]({value.target})"
    text = value_text(column, value)
    return f"{text} {interval_text(column, value)}".strip() if is_number(column) else markdown_text(text)


def comma_separated(table: Table) -> str:
    """Return the table as CSV: plain numbers, empty where there are none, `… low` and `… high` for the ends of
    intervals.

    A text that a spreadsheet would take for a formula has an apostrophe before it.

    The last column says who measured a row: the paper, or a run.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    titles = [column.title.replace(f"{MARK} ", "paper: ") for column in table.columns]
    header = [
        name
        for title, column in zip(titles, table.columns, strict=True)
        for name in (title, *(f"{title} {end}" for end in ("low", "high") if column.interval))
    ]
    writer.writerow([*map(csv_text, header), "measured by"])
    for row in table.rows:
        cells = [cell for pair in zip(table.columns, row.cells, strict=True) for cell in _csv_cells(*pair)]
        writer.writerow([*cells, "paper, on its own unreleased instances" if row.paper else "run"])
    return file.getvalue()


def _csv_cells(column: Column, value: Value) -> list[str | int | float | None]:
    ends = [getattr(value, end, None) for end in ("low", "high")] if column.interval else []
    return [_csv_value(one) for one in (plain(value), *ends)]


def _csv_value(value: str | int | float | None) -> str | int | float | None:
    if isinstance(value, float):
        return round(value, 6)
    return csv_text(value) if isinstance(value, str) else value
