"""Columns of a CSV table summed up, and values sorted into buckets."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Annotated

from msgspec import Meta

from teller_gym.scenarios.distractors.general._plain_text import quoted, refuse
from teller_gym.scenarios.distractors.general.data_tables import _columns as work
from teller_gym.scenarios.distractors.general.data_tables._table_work import Delimiter, read_table
from teller_gym.scenarios.distractors.general.data_tables._types import ColumnName, CsvText
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Value = Annotated[float, Meta(ge=-1e9, le=1e9)]


class ColumnSummary(Result):
    """What a column holds; the numbers are null unless every filled cell is a number, and rounded to four decimals."""

    filled: int
    blank: int
    distinct: int
    most_common: str
    minimum: float | None
    maximum: float | None
    mean: float | None
    median: float | None


@tool(category=Category.GENERAL_DISTRACTOR)
def summarize_csv_column(
    bank: Bank, csv_text: CsvText, column: ColumnName, delimiter: Delimiter = "comma"
) -> ColumnSummary:
    """Summarise a column of a CSV text: filled, blank and distinct cells, and for numbers their range and averages.

    Args:
        csv_text: The table; its first line names the columns.
        column: Name of the column.
        delimiter: What stands between cells.
    """
    table = read_table(csv_text, delimiter, "csv_text")
    place = table.column(column, "column")
    cells = [row[place] for row in table.rows if row[place]]
    if not cells:
        raise refuse("column", f"expected a column with filled cells, got {quoted(column)} with none")
    numbers = sorted(work.numbers(cells))
    numeric = len(numbers) == len(cells)
    return ColumnSummary(
        filled=len(cells),
        blank=len(table.rows) - len(cells),
        distinct=len(set(cells)),
        most_common=Counter(cells).most_common(1)[0][0],
        minimum=work.shown(numbers[0]) if numeric else None,
        maximum=work.shown(numbers[-1]) if numeric else None,
        mean=work.shown(Fraction(sum(numbers)) / len(numbers)) if numeric else None,
        median=work.shown(work.median(numbers)) if numeric else None,
    )


class Buckets(Result):
    """The buckets from low to high; a value on an edge between two belongs to the upper one."""

    buckets: list[work.Bucket]
    fullest: int
    left_out: int


@tool(category=Category.GENERAL_DISTRACTOR)
def bucket_values(
    bank: Bank,
    values: Annotated[list[Value], Meta(min_length=1, max_length=50)],
    bucket_count: Annotated[int, Meta(ge=1, le=20)],
    method: work.BucketMethod = "equal_width",
    lower: Value | None = None,
    upper: Value | None = None,
    decimals: Annotated[int, Meta(ge=0, le=6)] = 2,
) -> Buckets:
    """Sort numbers into the buckets of a histogram. ``fullest`` is the number of the first bucket with the most values.

    Args:
        values: The numbers.
        bucket_count: How many buckets.
        method: Whether buckets are equally wide or hold about equally many values.
        lower: The lowest edge; smaller values are left out. Without it, the smallest value.
        upper: The highest edge; larger values are left out. Without it, the largest value.
        decimals: Decimals to which the edges are rounded for display.
    """
    inside, limits = work.bucket_edges(values, bucket_count, method, lower, upper)
    buckets = work.fill_buckets(inside, limits, decimals)
    counts = [bucket.count for bucket in buckets]
    return Buckets(buckets=buckets, fullest=counts.index(max(counts)) + 1, left_out=len(values) - len(inside))
