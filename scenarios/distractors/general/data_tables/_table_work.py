"""The work behind small data tables: reading and writing CSV, numbers in cells, pivots, joins, buckets, templates."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from teller_gym.scenarios.distractors.general._plain_text import quoted, refuse

Delimiter = Literal["comma", "semicolon", "tab", "pipe"]

_DELIMITERS: dict[Delimiter, str] = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?")


class Table(NamedTuple):
    """A table with named columns; every row has a cell for each."""

    header: list[str]
    rows: list[list[str]]

    def column(self, name: str, field: str) -> int:
        """Return the place of a column; refuse a name that the header lacks."""
        if name not in self.header:
            raise refuse(field, f"expected one of the columns {quoted(', '.join(self.header))}, got {quoted(name)}")
        return self.header.index(name)

    def select(self, names: Sequence[str], field: str) -> Table:
        """Return the table with these columns alone."""
        if len(set(names)) < len(names):
            raise refuse(field, f"expected every column once, got {quoted(', '.join(names))}")
        places = [self.column(name, field) for name in names]
        return Table(list(names), [[row[place] for place in places] for row in self.rows])

    def transposed(self) -> Table:
        """Return the table with rows and columns in each other's place."""
        header, *rows = (list(line) for line in zip(self.header, *self.rows, strict=True))
        return Table(header, rows)

    def write(self, delimiter: Delimiter) -> str:
        """Return the table as CSV text without a line end after the last row."""
        buffer = io.StringIO()
        csv.writer(buffer, delimiter=_DELIMITERS[delimiter], lineterminator="\n").writerows([self.header, *self.rows])
        return buffer.getvalue().removesuffix("\n")


def read_table(text: str, delimiter: Delimiter, field: str) -> Table:
    """Read CSV text with a header; blank lines are skipped, spaces around cells are no part of them."""
    source = io.StringIO(text.replace("\r\n", "\n"), newline="")
    try:
        lines = [
            [cell.strip() for cell in line]
            for line in csv.reader(source, delimiter=_DELIMITERS[delimiter], strict=True)
            if any(cell.strip() for cell in line)
        ]
    except csv.Error as error:
        raise refuse(field, f"expected CSV text, got a mistake in it: {error}") from None
    if not lines:
        raise refuse(field, "expected a line with the names of the columns, got none")
    header, *rows = lines
    if "" in header or len(set(header)) < len(header):
        raise refuse(field, f"expected a different name for every column, got {quoted(', '.join(header))}")
    for number, row in enumerate(rows, 1):
        if len(row) != len(header):
            raise refuse(field, f"expected {len(header)} cells in every row, got {len(row)} in row {number}")
    return Table(header, rows)


def number(cell: str) -> Decimal | None:
    """Return the number in a cell: digits with a sign and a decimal point at most."""
    return Decimal(cell) if _NUMBER.fullmatch(cell) else None
