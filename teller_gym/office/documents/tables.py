"""Tables of texts, and their records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from teller_gym.office.documents.errors import DocumentError, shown
from teller_gym.office.documents.headers import canonical_header


@dataclass(frozen=True)
class Table:
    """A table whose cells are texts, as in a file.

    Attributes:
        columns: cells of the header, at least one.
        rows: other rows, each with as many cells as the header.

    Raises:
        DocumentError: there is no column, or a row has another number of cells.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        width = len(self.columns)
        if not width:
            raise DocumentError("Expected a table with one column at least; got none. Name its columns.")
        for number, row in enumerate(self.rows, 1):
            if len(row) != width:
                raise DocumentError(
                    f"Expected {width} cells in each row, as the header has; row {number} has {len(row)}. "
                    "Add the missing cells, or take out those too many."
                )


def column_index(table: Table, column: str) -> int:
    """Return the index of a column by its exact header.

    Raises:
        DocumentError: no column or several have this header.
    """
    if table.columns.count(column) != 1:
        listed = ", ".join(shown(name) for name in table.columns[:20])
        raise DocumentError(
            f"Expected one column {shown(column)}; got {table.columns.count(column)} among {listed}. "
            "Give a header as the table has it."
        )
    return table.columns.index(column)


def records(table: Table, name: Callable[[str], str] = canonical_header) -> list[dict[str, str]]:
    """Return the rows as dictionaries from the names of the columns to their cells.

    Args:
        table: the table.
        name: returns the name of a header; by default case, blanks and synonyms make no difference.

    Raises:
        DocumentError: two columns have the same name.
    """
    names = [name(column) for column in table.columns]
    seen: dict[str, str] = {}
    for column, found in zip(table.columns, names, strict=True):
        if found in seen:
            raise DocumentError(
                f"Expected columns that differ; {shown(seen[found])} and {shown(column)} are both {shown(found)}. "
                "Rename one of them."
            )
        seen[found] = column
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def split(table: Table, parts: int) -> tuple[Table, ...]:
    """Return the rows in consecutive tables with the same header, whose sizes differ by at most one."""
    count = len(table.rows)
    ends = [count * part // parts for part in range(parts + 1)]
    return tuple(Table(table.columns, table.rows[begin:end]) for begin, end in pairwise(ends))
