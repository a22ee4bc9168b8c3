"""The work behind the tools beside it: cSV tables pivoted and joined."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Literal, NamedTuple

from teller_gym.scenarios.distractors.general._plain_text import quoted, refuse
from teller_gym.scenarios.distractors.general.data_tables._table_work import Table, number

JoinType = Literal["inner", "left", "right", "full"]
Aggregate = Literal["count", "sum", "mean"]
_MAX_CELLS = 400


def as_text(value: Fraction | Decimal) -> str:
    """Return a number as a cell, rounded to four decimals, without zeros at the end."""
    rounded = round(Fraction(value), 4)
    return f"{Decimal(rounded.numerator) / Decimal(rounded.denominator):.4f}".rstrip("0").rstrip(".")


class _Cell:
    """What is gathered for one cell of a pivot table."""

    def __init__(self) -> None:
        self.rows = 0
        self.total = Decimal(0)

    def add(self, value: Decimal) -> None:
        self.rows += 1
        self.total += value

    def text(self, aggregate: Aggregate) -> str:
        if not self.rows:
            return "0" if aggregate == "count" else ""
        if aggregate == "count":
            return str(self.rows)
        return as_text(self.total if aggregate == "sum" else Fraction(self.total) / self.rows)


def pivot(
    table: Table, row_column: str, split_column: str, value_column: str | None, aggregate: Aggregate, totals: bool
) -> Table:
    """Return a table with a row for each value of one column and a column for each value of another."""
    if (value_column is None) != (aggregate == "count"):
        wanted = "no column for count" if aggregate == "count" else f"a column of numbers for {aggregate}"
        got = "none" if value_column is None else quoted(value_column)
        raise refuse("value_column", f"expected {wanted}, got {got}")
    row_place, split_place = table.column(row_column, "row_column"), table.column(split_column, "split_column")
    value_place = None if value_column is None else table.column(value_column, "value_column")
    labels = list(dict.fromkeys(row[row_place] for row in table.rows))
    splits = list(dict.fromkeys(row[split_place] for row in table.rows))
    if len(labels) * len(splits) > _MAX_CELLS:
        size = f"{len(labels)} x {len(splits)}"
        raise refuse(
            "split_column", f"expected at most {_MAX_CELLS} cells in the result, got {size}; take other columns"
        )
    cells: dict[tuple[str | None, str | None], _Cell] = {
        (label, split): _Cell() for label in [*labels, None] for split in [*splits, None]
    }
    for line, row in enumerate(table.rows, 1):
        value = Decimal(0) if value_place is None else number(row[value_place])
        if value is None:
            raise refuse("value_column", f"expected numbers, got {quoted(row[value_place or 0])} in row {line}")
        for label in (row[row_place], None):
            for split in (row[split_place], None):
                cells[label, split].add(value)
    columns = [*splits, None] if totals else splits
    lines = [*labels, None] if totals else labels
    return Table(
        [table.header[row_place], *("total" if split is None else split for split in columns)],
        [
            ["total" if label is None else label, *(cells[label, split].text(aggregate) for split in columns)]
            for label in lines
        ],
    )


class Joined(NamedTuple):
    """A joined table, cut to the rows asked for, and how many rows there are and were left without a partner."""

    table: Table
    rows: int
    left_alone: int
    right_alone: int


def join(
    left: Table, right: Table, keys: tuple[int, int], how: JoinType, fill: str, ignore_case: bool, limit: int
) -> Joined:
    """Join two tables; the key stands where the left table has it, under its name there."""
    left_place, right_place = keys

    def fold(cell: str) -> str:
        return cell.casefold() if ignore_case else cell

    partners: dict[str, list[list[str]]] = {}
    for row in right.rows:
        rest = [cell for place, cell in enumerate(row) if place != right_place]
        partners.setdefault(fold(row[right_place]), []).append(rest)
    known = {fold(row[left_place]) for row in left.rows}
    blank = [fill] * (len(right.header) - 1)

    def rows() -> Iterator[list[str]]:
        for row in left.rows:
            alone = [blank] if how in ("left", "full") else []
            for rest in partners.get(fold(row[left_place]), alone):
                yield row + rest
        for row in right.rows if how in ("right", "full") else ():
            if fold(row[right_place]) not in known:
                start = [row[right_place] if place == left_place else fill for place in range(len(left.header))]
                yield start + [cell for place, cell in enumerate(row) if place != right_place]

    left_alone = sum(fold(row[left_place]) not in partners for row in left.rows)
    right_alone = sum(fold(row[right_place]) not in known for row in right.rows)
    matched = sum(len(partners.get(fold(row[left_place]), ())) for row in left.rows)
    extra = {"inner": 0, "left": left_alone, "right": right_alone, "full": left_alone + right_alone}[how]
    first_rows = list(islice(rows(), limit))
    return Joined(Table(_joined_header(left, right, right_place), first_rows), matched + extra, left_alone, right_alone)


def _joined_header(left: Table, right: Table, right_place: int) -> list[str]:
    names = [name for place, name in enumerate(right.header) if place != right_place]
    header = left.header + [f"right_{name}" if name in left.header else name for name in names]
    if len(set(header)) < len(header):
        raise refuse("right_csv", f"expected names that differ when joined, got {quoted(', '.join(header))}")
    return header
