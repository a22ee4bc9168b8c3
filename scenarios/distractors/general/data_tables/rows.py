"""Rows of a CSV table chosen and shown."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from teller_gym.scenarios.distractors.general._plain_text import keep_short
from teller_gym.scenarios.distractors.general.data_tables import _rows as work
from teller_gym.scenarios.distractors.general.data_tables._table_work import Delimiter, Table, read_table
from teller_gym.scenarios.distractors.general.data_tables._types import ColumnName, CsvText
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class FilteredCsv(Result):
    """The rows that match, as CSV text, and how many match out of how many."""

    csv_text: str
    rows_matched: int
    rows_read: int


@tool(category=Category.GENERAL_DISTRACTOR)
def filter_csv_rows(
    bank: Bank,
    csv_text: CsvText,
    column: ColumnName,
    condition: work.Condition,
    value: Annotated[str, Meta(max_length=60)] = "",
    delimiter: Delimiter = "comma",
    ignore_case: bool = False,
    keep_columns: Annotated[list[ColumnName], Meta(min_length=1, max_length=20)] | None = None,
    max_rows: Annotated[int, Meta(ge=1, le=50)] = 50,
) -> FilteredCsv:
    """Keep the rows of a CSV text whose cell in a column meets a condition.

    Args:
        csv_text: The table; its first line names the columns.
        column: The column to look at.
        condition: What must hold for its cell; above and below compare numbers.
        value: What the cell is compared with; empty for is_blank.
        delimiter: What stands between cells.
        ignore_case: Whether capitals make no difference.
        keep_columns: The columns to show, in this order; all if left out.
        max_rows: Most rows to show.
    """
    table = read_table(csv_text, delimiter, "csv_text")
    matches = work.matcher(condition, value.strip(), ignore_case)
    place = table.column(column, "column")
    found = [row for row in table.rows if matches(row[place])]
    result = Table(table.header, found[:max_rows]).select(keep_columns or table.header, "keep_columns")
    return FilteredCsv(
        csv_text=keep_short(result.write(delimiter), "max_rows"), rows_matched=len(found), rows_read=len(table.rows)
    )


class RenderedTable(Result):
    """The table as text, and its rows and columns without the header."""

    rendered: str
    rows: int
    columns: int


@tool(category=Category.GENERAL_DISTRACTOR)
def render_csv_table(
    bank: Bank,
    csv_text: CsvText,
    style: work.TableStyle = "markdown",
    delimiter: Delimiter = "comma",
    transpose: bool = False,
    align_numbers: bool = True,
    max_cell_width: Annotated[int, Meta(ge=3, le=60)] = 30,
) -> RenderedTable:
    """Render a CSV text as a Markdown, plain text or HTML table.

    Args:
        csv_text: The table; its first line names the columns.
        style: How the table is written.
        delimiter: What stands between cells of the CSV text.
        transpose: Whether rows and columns change places.
        align_numbers: Whether columns of numbers are aligned to the right; HTML leaves that to style sheets.
        max_cell_width: Longer cells are cut to so many characters.
    """
    table = read_table(csv_text, delimiter, "csv_text")
    if transpose:
        table = table.transposed()
    rendered = keep_short(work.render(table, style, align_numbers, max_cell_width), "csv_text")
    return RenderedTable(rendered=rendered, rows=len(table.rows), columns=len(table.header))
