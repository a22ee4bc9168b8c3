r"""Writes tables as CSV and notes as plain text, and reads tables from CSV files of any origin.

Quotes within quoted cells are doubled, and spaces around cells belong to the cells. A reader uses the delimiter that
occurs in the header outside quotes. Among several, it chooses the one with which most of the next records have as many
cells as the header, then the most frequent one in the header, then the first of ``, ; \t |``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from teller_gym.office.documents.errors import DocumentError, check_size, shown
from teller_gym.office.documents.tables import TextTable

DELIMITERS: Final = ",;\t|"
"""Cell delimiters, in a reader's order of preference."""

LINE_ENDS: Final = ("\n", "\r\n", "\r")

_BOM: Final = "\ufeff"

_ANY: Final = re.compile('[,;\t|"\r\n\ufeff]')
_QUOTED_IN: Final = {delimiter: re.compile(f'[{re.escape(delimiter)}"\r\n]') for delimiter in DELIMITERS}
"""Pattern of the characters that require quotes around a cell, by delimiter."""

_LOOKED_AT: Final = 20
"""Number of records after the header that are used to choose a delimiter."""

_LOOKED_AT_CHARACTERS: Final = 64 * 1024
"""Maximum number of characters that are used to choose a delimiter."""

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_LINE: Final = re.compile(r"[^\r\n]*+")
_BLANK_LINES: Final = re.compile(r"[\r\n]*+")
_HEAD: Final = re.compile(r'(?:[^"\r\n]++|"[^"]*+")*+')
_IN_QUOTES: Final = re.compile(r'"[^"]*+"')
_QUOTED: Final = re.compile(r'"((?:[^"]++|"")*+)"')
_BARE: Final = {one: re.compile(f"[^\r\n{re.escape(one)}]*+") for one in (*DELIMITERS, DELIMITERS)}


@dataclass(frozen=True)
class CsvStyle:
    """Format of a CSV file.

    Attributes:
        delimiter: one of `DELIMITERS`.
        line_end: one of `LINE_ENDS`; line ends within cells are not changed.
        bom: True to write a byte order mark, which Excel needs.
        quote_all: True to quote all cells, False to quote only those that need it.
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


def csv_bytes(table: TextTable, style: CsvStyle | None = None) -> bytes:
    """Format a table as CSV in UTF-8 (RFC 4180, except for the style), so that `read_table` returns the same table.

    Raises:
        DocumentError: a cell has half of a surrogate pair, or the file is larger than `read_table` accepts.
    """
    style = style or CsvStyle()
    # In a header and in a single column, cells with any delimiter are quoted, since readers infer the delimiter there.
    lone = len(table.columns) == 1
    lines = [style.delimiter.join(_written(table.columns, _ANY, style.quote_all, lone))]
    needs = _ANY if lone else _QUOTED_IN[style.delimiter]
    lines.extend(style.delimiter.join(_written(row, needs, style.quote_all, lone)) for row in table.rows)
    return _encoded((_BOM if style.bom else "") + style.line_end.join([*lines, ""]))


def text_bytes(lines: Iterable[str]) -> bytes:
    """Encode lines as plain text in UTF-8, each followed by a line end.

    Raises:
        DocumentError: a line contains a line end or half of a surrogate pair, or there are more than `MAX_BYTES` bytes.
    """
    text: list[str] = []
    for number, line in enumerate(lines, 1):
        if "\n" in line or "\r" in line:
            raise DocumentError(f"Expected lines without line ends; line {number} has one. Give its parts as lines.")
        text += (line, "\n")
    return _encoded("".join(text))


def read_table(data: bytes) -> TextTable:
    """Parse a CSV file whose first record is the header, skipping empty lines.

    Raises:
        DocumentError: the file is too large, not in UTF-8, or empty, a quote is open or misplaced, or a record has more
            or fewer cells than the header; the message names the line.
    """
    text = decoded(data)
    start = _after(_BLANK_LINES, text, 0)
    if start == len(text):
        raise DocumentError("Expected a table with a header; got no text. Check that the whole file was sent.")
    found = _records(text, start, _delimiter(text, start))
    _, columns = next(found)
    width, rows = len(columns), []
    for begin, row in found:
        if len(row) != width:
            raise DocumentError(
                f"Line {line_number(text, begin)}: expected {width} cells, as in the header; got {len(row)}. "
                "Put cells that hold the delimiter in quotes, and begin the file with its header."
            )
        rows.append(row)
    return TextTable(columns, tuple(rows))


def decoded(data: bytes) -> str:
    """Decode a file in UTF-8, without its byte order mark.

    Raises:
        DocumentError: the file is too large or not in UTF-8.
    """
    check_size(data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(
            f"Expected text in UTF-8; got the byte 0x{data[error.start]:02X} at position {error.start}, which is none. "
            "Save the file as UTF-8."
        ) from None


def line_number(text: str, position: int) -> int:
    """Return the line number at a position of the text, counted from 1."""
    return sum(1 for _ in _LINE_END.finditer(text, 0, position)) + 1


def _delimiter(text: str, start: int) -> str:
    """Return a table's delimiter.

    For a single column the result is all `DELIMITERS`, since cells with any of them are quoted.
    """
    head = _HEAD.match(text, start)
    bare, end = ("", start) if head is None else (_IN_QUOTES.sub("", head[0]), head.end())
    if end < len(text) and text[end] == '"':  # an open quote, which belongs to an unquoted cell
        bare = text[start : _after(_LINE, text, start)]
    found = [one for one in DELIMITERS if one in bare]
    if len(found) < 2:
        return found[0] if found else DELIMITERS
    return max(found, key=lambda one: (_agreeing(text, start, one), bare.count(one)))


def _agreeing(text: str, start: int, delimiter: str) -> int:
    """Return the number of next records that have as many cells as the header.

    The result is -1 if a quote is misplaced.
    """
    agreeing = -1
    try:
        found = _records(text[: start + _LOOKED_AT_CHARACTERS], start, delimiter)
        width = len(next(found)[1])
        agreeing = sum(len(row) == width for _, row in islice(found, _LOOKED_AT))
    except DocumentError:
        pass  # with this delimiter a quote is misplaced; with another it may not be
    return agreeing


def _records(text: str, position: int, delimiter: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Iterate over the start position and the cells of each record."""
    size = len(text)
    while position < size:
        line = _after(_LINE, text, position)
        if text.find('"', position, line) < 0 and len(delimiter) == 1:
            yield position, tuple(text[position:line].split(delimiter))
        else:
            begin = position
            cells, line = _cells(text, position, delimiter)
            yield begin, cells
        position = _after(_BLANK_LINES, text, line)


def _cells(text: str, position: int, delimiter: str) -> tuple[tuple[str, ...], int]:
    """Return the cells of a record that contains quotes, and its end position."""
    cells, size, bare = [], len(text), _BARE[delimiter]
    while True:
        if text.startswith('"', position):
            quoted = _QUOTED.match(text, position)
            if quoted is None:
                raise DocumentError(
                    f"Line {line_number(text, position)}: expected a second quote that ends the cell; got the end of "
                    "the file. End the cell with a quote, and write quotes in it twice."
                )
            end = quoted.end()
            cells.append(quoted[1].replace('""', '"'))
            if end < size and text[end] not in delimiter and text[end] not in "\r\n":
                raise DocumentError(
                    f"Line {line_number(text, end)}: expected a delimiter or a line end after the quote that ends a "
                    f"cell; got {text[end]!a}. Write quotes within a cell twice."
                )
        else:
            end = _after(bare, text, position)
            cells.append(text[position:end])
        if end == size or text[end] in "\r\n":
            return tuple(cells), end
        position = end + 1


def _after(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Return the end of a pattern's match at a position.

    The patterns used here always match.
    """
    found = pattern.match(text, position)
    return found.end() if found else position


def _written(row: Iterable[str], needs: re.Pattern[str], quote_all: bool, lone: bool) -> Iterator[str]:
    for cell in row:
        # Empty lines are skipped by readers, so a lone empty cell is written as two quotes.
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
