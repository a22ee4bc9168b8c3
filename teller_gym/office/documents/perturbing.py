"""Changes a table's form but not its content: headers, order, amounts and the file format.

`read_table`, `canonical_header` and `parse_money` recover the same records from the result. Only the random
generator's ``random()`` is used, since its values are the same in all versions of Python.
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
    """Header spellings, for example of ``Market Value ($)``."""

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

    A header is not changed if the spelling would change its meaning, as in scripts without case.
    """
    return TextTable(tuple(_same(column, _cased(column, case)) for column in table.columns), table.rows)


def with_synonyms(table: TextTable, rng: Random) -> TextTable:
    """Return a table in which each header is replaced by a random choice of itself and its synonyms."""
    columns = []
    for column in table.columns:
        others = synonyms().get(canonical_header(column), ())
        columns.append(_choice(rng, (column, *(one for one in others if one != column))))
    return TextTable(tuple(columns), table.rows)


def with_column_order(table: TextTable, rng: Random) -> TextTable:
    """Return a table with its columns in random order."""
    order = _shuffled(rng, range(len(table.columns)))
    return TextTable(
        tuple(table.columns[place] for place in order),
        tuple(tuple(row[place] for place in order) for row in table.rows),
    )


def with_row_order(table: TextTable, rng: Random) -> TextTable:
    """Return a table with its rows in random order."""
    return TextTable(table.columns, tuple(_shuffled(rng, table.rows)))


def with_money_style(table: TextTable, columns: Sequence[str], style: MoneyStyle) -> TextTable:
    """Return a table with the amounts in some columns in another style.

    Blank cells stay blank.
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
    """Draw a random CSV format."""
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
    """Shuffle by the Fisher-Yates algorithm, since `Random.shuffle` may differ between versions of Python."""
    found = list(items)
    for last in range(len(found) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        found[last], found[other] = found[other], found[last]
    return found
