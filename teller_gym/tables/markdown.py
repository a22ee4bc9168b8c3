"""Rendering of tables as Markdown, with text escaped."""

from __future__ import annotations

import re

from teller_gym.tables.model import Column, Link, Table, Value, cell_text, one_line

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#!&$])")


def markdown_text(text: str) -> str:
    """Return text on one line, escaped for Markdown."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def as_markdown(table: Table) -> str:
    """Return the table as Markdown, with intervals next to their values."""
    lines = [[markdown_text(column.title) for column in table.columns]]
    lines.append(["---:" if column.is_number or column.right else "---" for column in table.columns])
    lines += [[_cell(*pair) for pair in table.pairs(row)] for row in table.rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _cell(column: Column, value: Value) -> str:
    if isinstance(value, Link):
        return f"[{markdown_text(value.text)}]({value.target})"
    # Numbers with intervals need no escaping, so that their brackets stay readable in the file.
    return cell_text(column, value) if column.is_number else markdown_text(cell_text(column, value))
