"""Rendering of tables as aligned text for a terminal."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence

from teller_gym.tables.model import Table, cell_text, one_line

NARROWEST = 80
"""Minimum width of a table in characters."""


def as_text(table: Table, width: int | None = None) -> str:
    """Return the table as aligned columns with a rule below the headings.

    Args:
        width: maximum width in characters; columns that do not fit are moved to additional tables below, which repeat
            the first column. None means unlimited.
    """
    lines = [[one_line(column.title) for column in table.columns]]
    lines += [[one_line(cell_text(*pair)) for pair in table.pairs(row)] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    parts: list[str] = []
    first = 1
    while first < len(widths) or not parts:
        last = first + 1
        while last < len(widths) and (width is None or _total(widths, first, last + 1) <= width):
            last += 1
        parts.append(_columns(table, lines, widths, [0, *range(first, min(last, len(widths)))]))
        first = last
    return "\n\n".join(parts)


def text_table(headings: Sequence[str], rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> str:
    """Return text in aligned columns.

    Columns with an index in `left` are left-aligned, and all others are right-aligned.
    """
    return as_text(Table.of_texts(headings, rows, left))


def terminal_width() -> int:
    """Return the terminal width in characters, at least `NARROWEST`."""
    return max(NARROWEST, shutil.get_terminal_size().columns)


def _total(widths: list[int], first: int, last: int) -> int:
    return widths[0] + sum(width + 2 for width in widths[first:last])


def _columns(table: Table, lines: list[list[str]], widths: list[int], picked: list[int]) -> str:
    def line(cells: list[str]) -> str:
        texts = [
            cells[at].rjust(widths[at])
            if table.columns[at].is_number or table.columns[at].right
            else cells[at].ljust(widths[at])
            for at in picked
        ]
        return "  ".join(texts).rstrip()

    rule = "  ".join("-" * widths[at] for at in picked)
    return "\n".join([line(lines[0]), rule, *map(line, lines[1:])])
