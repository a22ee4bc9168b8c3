"""CSV tables pivoted and joined."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from teller_gym.scenarios.distractors.general._plain_text import keep_short
from teller_gym.scenarios.distractors.general.data_tables import _reshaping as work
from teller_gym.scenarios.distractors.general.data_tables._table_work import Delimiter, read_table
from teller_gym.scenarios.distractors.general.data_tables._types import ColumnName, CsvText
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class CsvResult(Result):
    """A table as CSV text with its number of rows (the header is none) and columns."""

    csv_text: str
    rows: int
    columns: int


@tool(category=Category.GENERAL_DISTRACTOR)
def pivot_csv_table(
    bank: Bank,
    csv_text: CsvText,
    row_column: ColumnName,
    split_column: ColumnName,
    aggregate: work.Aggregate = "count",
    value_column: ColumnName | None = None,
    delimiter: Delimiter = "comma",
    totals: bool = False,
) -> CsvResult:
    """Make a pivot table of a CSV text: a row for each value of one column, a column for each value of another.
    Numbers are rounded to four decimals.

    Args:
        csv_text: The table; its first line names the columns.
        row_column: The column whose values become rows, in order of appearance.
        split_column: The column whose values become columns.
        aggregate: What is worked out for each pair of values.
        value_column: The column of numbers to add up or average; none for counting.
        delimiter: What stands between cells.
        totals: Whether to add a row and a column for everything.
    """
    table = read_table(csv_text, delimiter, "csv_text")
    result = work.pivot(table, row_column, split_column, value_column, aggregate, totals)
    return CsvResult(
        csv_text=keep_short(result.write(delimiter), "csv_text"), rows=len(result.rows), columns=len(result.header)
    )


class JoinedCsv(Result):
    """The joined table, all its rows counted, and how many rows of either side found no partner."""

    csv_text: str
    rows: int
    left_without_partner: int
    right_without_partner: int


@tool(category=Category.GENERAL_DISTRACTOR)
def join_csv_tables(
    bank: Bank,
    left_csv: CsvText,
    right_csv: CsvText,
    left_key: ColumnName,
    right_key: ColumnName,
    join_type: work.JoinType = "inner",
    delimiter: Delimiter = "comma",
    fill_value: Annotated[str, Meta(max_length=20)] = "",
    ignore_case: bool = False,
    max_rows: Annotated[int, Meta(ge=1, le=50)] = 50,
) -> JoinedCsv:
    """Join two CSV texts where the values of a key column agree. A column name that both have gets 'right_' in front.

    Args:
        left_csv: The first table; its first line names the columns.
        right_csv: The second table.
        left_key: Key column of the first table.
        right_key: Key column of the second table.
        join_type: Which rows without a partner are kept: none, those of one side or of both.
        delimiter: What stands between cells, in both tables and in the result.
        fill_value: What is put into cells that have no value.
        ignore_case: Whether keys that differ in capitals alone agree.
        max_rows: Most rows to show.
    """
    left = read_table(left_csv, delimiter, "left_csv")
    right = read_table(right_csv, delimiter, "right_csv")
    keys = left.column(left_key, "left_key"), right.column(right_key, "right_key")
    joined = work.join(left, right, keys, join_type, fill_value, ignore_case, max_rows)
    return JoinedCsv(
        csv_text=keep_short(joined.table.write(delimiter), "max_rows"),
        rows=joined.rows,
        left_without_partner=joined.left_alone,
        right_without_partner=joined.right_alone,
    )
