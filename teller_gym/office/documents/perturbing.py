"""The same table as another office would send it: other headers, order, money and file, and not another content.

Who reads the result with `read_table`, names columns with `canonical_header` and amounts with `parse_money` finds the
same records. Draws come from ``random()`` of the generator that is given, the one stream that Python keeps the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from random import Random
from typing import TypeVar

from teller_gym.office.documents.amounts import MoneyStyle, money_text, parse_money
from teller_gym.office.documents.headers import canonical_header, normal_header, synonyms
from teller_gym.office.documents.tables import Table, column_index
from teller_gym.office.documents.writing import DELIMITERS, CsvStyle, csv_bytes

T = TypeVar("T")


class HeaderCase(StrEnum):
    """How headers are written; examples are of ``Market Value ($)``."""

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


def with_header_case(table: Table, case: HeaderCase) -> Table:
    """Return a table whose headers are written in another case.

    A header stays as it is where the case would change what it means, as in alphabets whose letters do not pair.

    Raises:
        ValueError: there is no such case.
    """
    case = HeaderCase(case)
    return Table(tuple(_same(column, _cased(column, case)) for column in table.columns), table.rows)


def with_synonyms(table: Table, rng: Random) -> Table:
    """Return a table with a header drawn for each column among those that mean the same, the own one included."""
    columns = []
    for column in table.columns:
        others = synonyms().get(canonical_header(column), ())
        columns.append(_choice(rng, (column, *(one for one in others if one != column))))
    return Table(tuple(columns), table.rows)


def with_column_order(table: Table, rng: Random) -> Table:
    """Return a table with its columns in an order that is drawn."""
    order = _shuffled(rng, range(len(table.columns)))
    return Table(
        tuple(table.columns[place] for place in order),
        tuple(tuple(row[place] for place in order) for row in table.rows),
    )


def with_row_order(table: Table, rng: Random) -> Table:
    """Return a table with its rows in an order that is drawn."""
    return Table(table.columns, tuple(_shuffled(rng, table.rows)))


def with_money_style(table: Table, columns: Sequence[str], style: MoneyStyle) -> Table:
    """Return a table with the amounts in some columns written in a style; blank cells stay.

    Raises:
        DocumentError: a column is not there, or a cell is neither an amount of money nor blank.
    """
    places = {column_index(table, column) for column in columns}
    rows = tuple(
        tuple(
            money_text(parse_money(cell), style) if place in places and cell.strip() else cell
            for place, cell in enumerate(row)
        )
        for row in table.rows
    )
    return Table(table.columns, rows)


def drawn_style(rng: Random) -> CsvStyle:
    """Return a style of CSV files: delimiter, line end, byte order mark and quotes are drawn."""
    return CsvStyle(
        delimiter=_choice(rng, DELIMITERS),
        line_end=_choice(rng, ("\n", "\r\n")),
        bom=rng.random() < 0.5,
        quote_all=rng.random() < 0.25,
    )


def perturbed(table: Table, rng: Random, money: Sequence[str] = ()) -> bytes:
    """Return a table as another office would send it, in all of these ways.

    Args:
        table: what it holds.
        rng: the source of all draws.
        money: headers of the columns with amounts, each written in the same drawn style.

    Raises:
        DocumentError: a column of ``money`` is not there, or one of its cells is neither an amount nor blank.
    """
    table = with_money_style(table, money, _choice(rng, tuple(MoneyStyle)))
    table = with_synonyms(table, rng)
    table = with_header_case(table, _choice(rng, tuple(HeaderCase)))
    table = with_row_order(with_column_order(table, rng), rng)
    return csv_bytes(table, drawn_style(rng))


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
    """Fisher and Yates's shuffle, written out: `Random.shuffle` may draw otherwise in another version of Python."""
    found = list(items)
    for last in range(len(found) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        found[last], found[other] = found[other], found[last]
    return found
