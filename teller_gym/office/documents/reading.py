r"""Reads tables from CSV files of any origin: with or without BOM, and with any delimiter and line ends.

A cell that begins with a quote ends with one, and holds two for each in it. Blanks around cells belong to them. The
delimiter is the one that the header has outside quotes; where it has several, the one that parts most of the next
records as it parts the header, then the one that parts the header most often, then the first of ``, ; \t |``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from teller_gym.office.documents.errors import DocumentError, check_size
from teller_gym.office.documents.tables import Table
from teller_gym.office.documents.writing import DELIMITERS

_LOOKED_AT: Final = 20
"""Number of records after the header that decide between delimiters."""

_LOOKED_AT_CHARACTERS: Final = 64 * 1024
"""Maximum number of characters that decide between delimiters."""

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_LINE: Final = re.compile(r"[^\r\n]*+")
_BLANK_LINES: Final = re.compile(r"[\r\n]*+")
_HEAD: Final = re.compile(r'(?:[^"\r\n]++|"[^"]*+")*+')
_IN_QUOTES: Final = re.compile(r'"[^"]*+"')
_QUOTED: Final = re.compile(r'"((?:[^"]++|"")*+)"')
_BARE: Final = {one: re.compile(f"[^\r\n{re.escape(one)}]*+") for one in (*DELIMITERS, DELIMITERS)}


def read_table(data: bytes) -> Table:
    """Return the table in a CSV file, its first record as the header. Empty lines are skipped.

    The time is linear in the number of bytes.

    Raises:
        DocumentError: the file is too large, not in UTF-8, or empty, a quote has no end or a wrong place, or a record
            has more or fewer cells than the header; the message says in which line.
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
    return Table(columns, tuple(rows))


def decoded(data: bytes) -> str:
    """Return the text of a file in UTF-8, without its byte order mark.

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
    """Return the number of the line in which a position of the text lies, from 1."""
    return sum(1 for _ in _LINE_END.finditer(text, 0, position)) + 1


def _delimiter(text: str, start: int) -> str:
    """Return the delimiter of a table; all of them for a table with one column, in which cells with one are quoted."""
    head = _HEAD.match(text, start)
    bare, end = ("", start) if head is None else (_IN_QUOTES.sub("", head[0]), head.end())
    if end < len(text) and text[end] == '"':  # a quote that has no end, so one that is a bare cell's own
        bare = text[start : _after(_LINE, text, start)]
    found = [one for one in DELIMITERS if one in bare]
    if len(found) < 2:
        return found[0] if found else DELIMITERS
    return max(found, key=lambda one: (_agreeing(text, start, one), bare.count(one)))


def _agreeing(text: str, start: int, delimiter: str) -> int:
    """Return the number of the next records that have as many cells as the header."""
    agreeing = -1
    try:
        found = _records(text[: start + _LOOKED_AT_CHARACTERS], start, delimiter)
        width = len(next(found)[1])
        agreeing = sum(len(row) == width for _, row in islice(found, _LOOKED_AT))
    except DocumentError:
        pass  # with this delimiter a quote is in a wrong place; with another it may not be
    return agreeing


def _records(text: str, position: int, delimiter: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Iterate over the beginnings of records and their cells."""
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
    """Return the cells of a record with quotes in it, and its end."""
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
    """Return the end of a pattern's match at a position; the patterns used here match everywhere."""
    found = pattern.match(text, position)
    return found.end() if found else position
