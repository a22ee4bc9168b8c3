"""Writes tables as CSV, and notes as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from teller_gym.office.documents.errors import DocumentError, check_size, shown
from teller_gym.office.documents.tables import Table

DELIMITERS: Final = ",;\t|"
"""What may stand between cells; a reader who must guess tries them in this order."""

LINE_ENDS: Final = ("\n", "\r\n", "\r")

_BOM: Final = "\ufeff"

_ANY: Final = re.compile('[,;\t|"\r\n\ufeff]')
_QUOTED_IN: Final = {delimiter: re.compile(f'[{re.escape(delimiter)}"\r\n]') for delimiter in DELIMITERS}
"""What a cell has to be quoted for."""


@dataclass(frozen=True)
class CsvStyle:
    """How a CSV file is written.

    Attributes:
        delimiter: one of `DELIMITERS`.
        line_end: one of `LINE_ENDS`; line ends within cells stay as they are.
        bom: whether the file begins with the byte order mark, as Excel wants it.
        quote_all: whether every cell stands in quotes, or only those that need it.

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
        _check_line_end(self.line_end)


def csv_bytes(table: Table, style: CsvStyle | None = None) -> bytes:
    """Return a table as CSV in UTF-8 (RFC 4180, but for what the style says); `read_table` gives the same table back.

    Args:
        table: what to write.
        style: how, else `CsvStyle()`.

    Raises:
        DocumentError: a cell holds half of a surrogate pair, or there is more than `read_table` reads.
    """
    style = style or CsvStyle()
    # Nothing but the delimiter may stand bare in a header, nor in a single column: there a reader guesses from it.
    lone = len(table.columns) == 1
    lines = [style.delimiter.join(_cells(table.columns, _ANY, style.quote_all, lone))]
    needs = _ANY if lone else _QUOTED_IN[style.delimiter]
    lines.extend(style.delimiter.join(_cells(row, needs, style.quote_all, lone)) for row in table.rows)
    return _encoded((_BOM if style.bom else "") + style.line_end.join([*lines, ""]))


def text_bytes(lines: Iterable[str], line_end: Literal["\n", "\r\n", "\r"] = "\n", bom: bool = False) -> bytes:
    """Return lines as a plain text in UTF-8, each with a line end behind it.

    Args:
        lines: the lines, without line ends.
        line_end: one of `LINE_ENDS`.
        bom: whether the file begins with the byte order mark.

    Raises:
        DocumentError: another line end, a line end within a line, half of a surrogate pair, or more than
            `MAX_BYTES` bytes.
    """
    _check_line_end(line_end)
    text = [_BOM] if bom else []
    for number, line in enumerate(lines, 1):
        if "\n" in line or "\r" in line:
            raise DocumentError(f"Expected lines without line ends; line {number} has one. Give its parts as lines.")
        text += (line, line_end)
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


def _check_line_end(line_end: str) -> None:
    if line_end not in LINE_ENDS:
        raise DocumentError(f"Expected a line end among {list(LINE_ENDS)!a}; got {shown(line_end)}.")
