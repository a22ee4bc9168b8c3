"""Changes a table's form but not its content: headers, order, amounts and the format of the file.

`read_table`, `canonical_header` and `parse_money` find the same records in the result. Draws come from ``random()`` of
the given generator, the only stream that is the same in all versions of Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from random import Random
from typing import TypeVar

from teller_gym.office.documents.amounts import MoneyStyle, money_text, parse_money
from teller_gym.office.documents.csv_files import DELIMITERS, CsvStyle
from teller_gym.office.documents.tables import TextTable, canonical_header, column_index, normal_header, synonyms

T = TypeVar("T")


class HeaderCase(StrEnum):
    """Spellings of headers, with ``Market Value ($)`` as the example."""

    UPPER = "upper"
    """MARKET VALUE ($)"""
    LOWER = "lower"
    """market value ($)"""
    TITLE = "title"
    """Market Value"""
    SNAKE = "snake"
    """market_value"""
    KEBAB = "kebab"
    """market-value"""


def with_header_case(table: TextTable, case: HeaderCase) -> TextTable:
    """Return a table with its headers in another spelling.

    A header stays as it is if the spelling would change its meaning, as in alphabets whose letters have no pairs.
    """
    return TextTable(tuple(_same(column, _cased(column, case)) for column in table.columns), table.rows)


def with_synonyms(table: TextTable, rng: Random) -> TextTable:
    """Return a table with each header drawn from itself and its synonyms."""
    columns = []
    for column in table.columns:
        others = synonyms().get(canonical_header(column), ())
        columns.append(_choice(rng, (column, *(one for one in others if one != column))))
    return TextTable(tuple(columns), table.rows)


def with_column_order(table: TextTable, rng: Random) -> TextTable:
    """Return a table with its columns in a drawn order."""
    order = _shuffled(rng, range(len(table.columns)))
    return TextTable(
        tuple(table.columns[place] for place in order),
        tuple(tuple(row[place] for place in order) for row in table.rows),
    )


def with_row_order(table: TextTable, rng: Random) -> TextTable:
    """Return a table with its rows in a drawn order."""
    return TextTable(table.columns, tuple(_shuffled(rng, table.rows)))


def with_money_style(table: TextTable, columns: Sequence[str], style: MoneyStyle) -> TextTable:
    """Return a table with the amounts of some columns in a style; blank cells stay.

    Raises:
        DocumentError: a column does not exist, or a cell is neither an amount of money nor blank.
    """
    places = {column_index(table, column) for column in columns}
    rows = tuple(
        tuple(
            money_text(parse_money(cell), style) if place in places and cell.strip() else cell
            for place, cell in enumerate(row)
        )
        for row in table.rows
    )
    return TextTable(table.columns, rows)


def drawn_style(rng: Random) -> CsvStyle:
    """Return a drawn style of CSV files."""
    return CsvStyle(
        delimiter=_choice(rng, DELIMITERS),
        line_end=_choice(rng, ("\n", "\r\n")),
        bom=rng.random() < 0.5,
        quote_all=rng.random() < 0.25,
    )


def _cased(column: str, case: HeaderCase) -> str:
    if case is HeaderCase.UPPER:
        return column.upper()
    if case is HeaderCase.LOWER:
        return column.lower()
    normal = normal_header(column)
    if case is HeaderCase.TITLE:
        return " ".join(word[:1].upper() + word[1:] for word in normal.split("_"))
    return normal.replace("_", "-") if case is HeaderCase.KEBAB else normal


def _same(column: str, changed: str) -> str:
    return changed if normal_header(changed) == normal_header(column) else column


def _choice(rng: Random, items: Sequence[T]) -> T:
    return items[int(rng.random() * len(items))]


def _shuffled(rng: Random, items: Sequence[T]) -> list[T]:
    """Shuffle by Fisher and Yates; `Random.shuffle` may differ between versions of Python."""
    found = list(items)
    for last in range(len(found) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        found[last], found[other] = found[other], found[last]
    return found
