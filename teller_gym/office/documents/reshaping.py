"""The same content in tables of another shape: wide and long, in parts and joined."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from teller_gym.office.documents.errors import DocumentError, shown
from teller_gym.office.documents.tables import Table, column_index


def wide_to_long(table: Table, keys: Sequence[str], period: str, value: str) -> Table:
    """Return a table with a row for each row and each column that is no key, empty cells included.

    Args:
        table: with one column for each period.
        keys: headers of the columns that tell rows apart.
        period: header of the new column that says which column a value stood in.
        value: header of the new column of values.

    Raises:
        DocumentError: a key is no column of the table, or a new header is one of the keys.
    """
    places = [column_index(table, key) for key in keys]
    others = [place for place in range(len(table.columns)) if place not in places]
    for new in (period, value):
        if new in keys or period == value:
            raise DocumentError(f"Expected new headers that differ from each other and the keys; got {shown(new)}.")
    rows = tuple(
        (*(row[place] for place in places), table.columns[other], row[other]) for row in table.rows for other in others
    )
    return Table((*keys, period, value), rows)


def long_to_wide(table: Table, period: str, value: str, missing: str = "") -> Table:
    """Return a table with a row for each key and a column for each period, both in the order in which they appear.

    Args:
        table: with one row for each key and period; all its columns but these two are the key.
        period: header of the column with the periods, which become headers.
        value: header of the column with the values.
        missing: the cell where a key has no value for a period.

    Raises:
        DocumentError: one of the columns is missing, both are the same, or a key has two values for a period.
    """
    at_period, at_value = column_index(table, period), column_index(table, value)
    if at_period == at_value:
        raise DocumentError(f"Expected two columns, of periods and of values; got {shown(period)} for both.")
    keys = [place for place in range(len(table.columns)) if place not in (at_period, at_value)]
    periods: dict[str, None] = {}
    found: dict[tuple[str, ...], dict[str, str]] = {}
    for number, row in enumerate(table.rows, 1):
        values = found.setdefault(tuple(row[place] for place in keys), {})
        if row[at_period] in values:
            raise DocumentError(
                f"Expected one value for each key and period; row {number} is the second for {shown(row[at_period])}. "
                "Add the values up, or take one out."
            )
        values[row[at_period]] = row[at_value]
        periods[row[at_period]] = None
    columns = (*(table.columns[place] for place in keys), *periods)
    if not columns:
        raise DocumentError("Expected a key or a row; got a table without both, of which nothing would be left.")
    return Table(
        columns, tuple((*key, *(values.get(one, missing) for one in periods)) for key, values in found.items())
    )


def split(table: Table, parts: int) -> tuple[Table, ...]:
    """Return the rows in so many tables with the same header, one after the other; their sizes differ by one at most.

    Raises:
        DocumentError: there is to be no part.
    """
    if parts < 1:
        raise DocumentError(f"Expected one part at least; got {parts}.")
    count = len(table.rows)
    ends = [count * part // parts for part in range(parts + 1)]
    return tuple(Table(table.columns, table.rows[begin:end]) for begin, end in pairwise(ends))


def joined(tables: Sequence[Table]) -> Table:
    """Return the rows of tables with the same header in one table.

    Raises:
        DocumentError: there is no table, or their headers differ.
    """
    if not tables:
        raise DocumentError("Expected one table at least; got none.")
    for number, table in enumerate(tables, 1):
        if table.columns != tables[0].columns:
            raise DocumentError(f"Expected tables with the same header; table {number} has another than the first.")
    return Table(tables[0].columns, tuple(row for table in tables for row in table.rows))
