"""Rendering of tables as HTML elements, with text escaped."""

from __future__ import annotations

import html
import re

from teller_gym.tables.model import Column, Link, Table, Value, interval_text, value_text

_JOINT = re.compile(r"([_.])(?=[A-Za-z])")


def as_html(table: Table) -> str:
    """Return an HTML table element.

    Text cells have the class `text`, and rows from the paper have the class `paper`.
    """
    titles = "".join(f'<th scope="col"{_class(column)}>{html.escape(column.title)}</th>' for column in table.columns)
    lines = ["<table>", f"<thead><tr>{titles}</tr></thead>", "<tbody>"]
    for row in table.rows:
        cells = [_cell(*pair, tag="td" if place else "th") for place, pair in enumerate(table.pairs(row))]
        start = '<tr class="paper">' if row.paper else "<tr>"
        lines.append(f"{start}{''.join(cells)}</tr>")
    return "\n".join([*lines, "</tbody>", "</table>"])


def _cell(column: Column, value: Value, tag: str) -> str:
    text = html.escape(value_text(column, value))
    if not column.is_number:
        # Allow line breaks after dots and underscores in names of tools and arguments.
        text = _JOINT.sub(r"\1<wbr>", text)
    if isinstance(value, Link):
        text = f'<a href="{html.escape(value.target)}">{text}</a>'
    if ends := interval_text(column, value):
        text += f"<small>{ends}</small>"
    return f"<{tag}{' scope=row' if tag == 'th' else ''}{_class(column)}>{text}</{tag}>"


def _class(column: Column) -> str:
    return "" if column.is_number else ' class="text"'
