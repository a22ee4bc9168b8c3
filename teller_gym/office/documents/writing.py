"""Writes tables as CSV and notes as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from teller_gym.office.documents.errors import DocumentError, check_size, shown
from teller_gym.office.documents.tables import Table

DELIMITERS: Final = ",;\t|"
"""Delimiters of cells, in the order in which a reader tries them."""

LINE_ENDS: Final = ("\n", "\r\n", "\r")

_BOM: Final = "\ufeff"

_ANY: Final = re.compile('[,;\t|"\r\n\ufeff]')
_QUOTED_IN: Final = {delimiter: re.compile(f'[{re.escape(delimiter)}"\r\n]') for delimiter in DELIMITERS}
"""Matches characters for which a cell must be quoted, by delimiter."""


@dataclass(frozen=True)
class CsvStyle:
    """Style of a CSV file.

    Attributes:
        delimiter: one of `DELIMITERS`.
        line_end: one of `LINE_ENDS`; line ends within cells stay as they are.
        bom: True for a byte order mark, which Excel needs.
        quote_all: True to quote all cells, False to quote only those that need it.

    Raises:
        DocumentError: another delimiter or line end.
    """

    delimiter: str = ","
    line_end: str = "\n"
    bom: bool = False
    quote_all: bool = False

    def __post_init__(self) -> None:
        if len(self.delimiter) != 1 or self.delimiter not in DELIMITERS:
            raise DocumentError(f"Expected a delimiter among {list(DELIMITERS)!a}; got {shown(self.delimiter)}.")
        if self.line_end not in LINE_ENDS:
            raise DocumentError(f"Expected a line end among {list(LINE_ENDS)!a}; got {shown(self.line_end)}.")


def csv_bytes(table: Table, style: CsvStyle | None = None) -> bytes:
    """Return a table as CSV in UTF-8 (RFC 4180, except for the style); `read_table` returns the same table.

    Args:
        table: the table.
        style: style of the file, by default `CsvStyle()`.

    Raises:
        DocumentError: a cell has half of a surrogate pair, or the file is larger than `read_table` accepts.
    """
    style = style or CsvStyle()
    # In a header and in a single column, cells with any delimiter are quoted, since readers guess from them.
    lone = len(table.columns) == 1
    lines = [style.delimiter.join(_cells(table.columns, _ANY, style.quote_all, lone))]
    needs = _ANY if lone else _QUOTED_IN[style.delimiter]
    lines.extend(style.delimiter.join(_cells(row, needs, style.quote_all, lone)) for row in table.rows)
    return _encoded((_BOM if style.bom else "") + style.line_end.join([*lines, ""]))


def text_bytes(lines: Iterable[str]) -> bytes:
    """Return lines as a plain text in UTF-8, each followed by a line end.

    Raises:
        DocumentError: a line end within a line, half of a surrogate pair, or more than `MAX_BYTES` bytes.
    """
    text: list[str] = []
    for number, line in enumerate(lines, 1):
        if "\n" in line or "\r" in line:
            raise DocumentError(f"Expected lines without line ends; line {number} has one. Give its parts as lines.")
        text += (line, "\n")
    return _encoded("".join(text))


def _cells(row: Iterable[str], needs: re.Pattern[str], quote_all: bool, lone: bool) -> Iterator[str]:
    for cell in row:
        # An empty line is no row, so an only cell that is empty is written as two quotes.
        if quote_all or needs.search(cell) or (lone and not cell):
            yield '"' + cell.replace('"', '""') + '"'
        else:
            yield cell


def _encoded(text: str) -> bytes:
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DocumentError(
            f"Expected text that UTF-8 can hold; got {text[error.start]!a}, half of a surrogate pair. Take it out."
        ) from None
    check_size(data)
    return data
