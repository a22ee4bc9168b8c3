"""Reads and writes an office's text and CSV files, with byte order marks, CRLF and semicolons."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

Row = dict[str, str] | list[str]

DELIMITERS: Final = ",;\t|"
"""Possible delimiters, in order of preference if several are equally frequent in the header."""

ENCODINGS: Final = ("utf-8", "utf-16", "cp1252", "latin-1")
_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_QUOTED: Final = frozenset('"\r\n' + DELIMITERS)


def decode(data: bytes, encoding: str | None = None) -> str:
    """Decode a file without its byte order mark.

    Line ends are not changed.

    Args:
        data: the file.
        encoding: one of `ENCODINGS`; None for that of the byte order mark, or UTF-8.

    Raises:
        ValueError: the encoding is unknown, or the bytes are not text in it.
    """
    if encoding is not None and encoding not in ENCODINGS:
        raise ValueError(f"encoding: expected one of {', '.join(ENCODINGS)}, got {encoding!r:.100}")
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    chosen = encoding or marked or "utf-8"
    try:
        return data.decode("utf-8-sig" if chosen == "utf-8" else chosen)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"the file is not text in {error.encoding} (at byte {error.start}); for files of older Windows programs "
            "give encoding='cp1252'"
        ) from None


def lines(text: str) -> str:
    """Replace all line ends by LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse(text: str, delimiter: str | None = None) -> list[dict[str, str]]:
    """Parse a CSV text with a header into rows of texts by column, skipping blank lines.

    A column without a name is called ``column_3`` by its position. Missing fields of a short row are empty.

    Args:
        text: a text without byte order mark.
        delimiter: a character; None for that of Excel's ``sep=`` line, or the most frequent of `DELIMITERS` in the
            header.

    Raises:
        ValueError: the header names a column twice, a row has too many fields, a quote is open, or the delimiter is not
            one of `DELIMITERS`.
    """
    if delimiter is not None and (len(delimiter) != 1 or delimiter not in DELIMITERS):
        raise ValueError(f"delimiter: expected one of {list(DELIMITERS)}, got {delimiter!r:.100}")
    first, _, rest = text.partition("\n")
    stripped = first.rstrip("\r")
    if len(stripped) == 5 and stripped.startswith("sep=") and stripped[4] in DELIMITERS:
        delimiter, text = delimiter or stripped[4], rest
    chosen = delimiter or _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=chosen, strict=True)
    rows: list[dict[str, str]] = []
    names: list[str] | None = None
    try:
        for row in reader:
            if not row:
                continue
            if names is None:
                names = _names(row)
            elif len(row) > len(names):
                raise ValueError(
                    f"line {reader.line_num} has {len(row)} fields, the header {len(names)} (separated by {chosen!r}); "
                    "give delimiter=..., or use read_text"
                )
            else:
                rows.append(dict(zip(names, row + [""] * (len(names) - len(row)), strict=True)))
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num} is not CSV ({error}); use read_text") from None
    return rows


def _delimiter(text: str) -> str:
    """Return the most frequent delimiter outside of quotes in the first line that is not blank."""
    counts = dict.fromkeys(DELIMITERS, 0)
    quoted = begun = False
    for letter in text:
        if letter == '"':
            quoted = not quoted
        elif letter in "\r\n" and not quoted:
            if begun:
                break
            continue
        elif letter in counts and not quoted:
            counts[letter] += 1
        begun = True
    return max(DELIMITERS, key=lambda one: counts[one])


def _names(row: Sequence[str]) -> list[str]:
    names = [name or f"column_{number}" for number, name in enumerate(row, 1)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"the header has two columns named {twice!r:.100}; use read_text and csv.reader")
    return names


def write(rows: Sequence[Row], columns: list[str] | None = None) -> str:
    """Format rows as CSV with commas, a header, LF line ends, and quotes wherever a reader might need them.

    Dicts of texts must all have the same keys. Lists of texts, and an empty list of rows, need the column names.

    Raises:
        ValueError, TypeError: the rows do not fit the columns; the message names the row.
    """
    if columns is None:
        if not rows or not isinstance(rows[0], dict):
            raise ValueError("rows are empty or no dicts: give the names of the columns as columns=[...]")
        columns = list(rows[0])
    if not columns:
        raise TypeError("columns: expected a list of texts that is not empty")
    _names(columns)
    lines = [_line(columns)]
    for number, row in enumerate(rows, 1):
        if isinstance(row, dict):
            if set(row) != set(columns):
                raise ValueError(f"row {number}: expected the columns {_few(columns)}, got {_few(list(row))}")
            lines.append(_line([row[column] for column in columns]))
        elif len(row) != len(columns):
            raise ValueError(f"row {number}: expected {len(columns)} values, got {len(row)}")
        else:
            lines.append(_line(row))
    return "".join(lines)


def _few(names: Sequence[str]) -> str:
    return ", ".join(name[:40] for name in names[:20])


def _line(cells: Sequence[str]) -> str:
    # A lone empty cell is quoted, since blank lines are skipped.
    return ",".join(_quoted(cell, alone=len(cells) == 1) for cell in cells) + "\n"


def _quoted(cell: str, alone: bool) -> str:
    plain = not _QUOTED.intersection(cell) and cell == cell.strip() and (cell or not alone) and cell[:4] != "sep="
    return cell if plain else '"' + cell.replace('"', '""') + '"'
