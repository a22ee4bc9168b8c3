"""The work behind the tools beside it: rows of a CSV table chosen and shown."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Literal

from teller_gym.scenarios.distractors.general._plain_text import quoted, refuse
from teller_gym.scenarios.distractors.general.data_tables._table_work import Table, number

Condition = Literal["equals", "differs", "contains", "starts_with", "above", "below", "is_blank"]
TableStyle = Literal["markdown", "plain", "html"]


def matcher(condition: Condition, value: str, ignore_case: bool) -> Callable[[str], bool]:
    """Return the test of a cell; what is no number is neither above nor below anything."""
    if (condition == "is_blank") == bool(value):
        wanted = "nothing" if condition == "is_blank" else "something"
        raise refuse("value", f"expected {wanted} to compare with for {condition}, got {quoted(value)}")
    if condition in ("above", "below"):
        limit = number(value)
        if limit is None:
            raise refuse("value", f"expected a number for {condition}, got {quoted(value)}")
        sign = 1 if condition == "above" else -1
        return lambda cell: (found := number(cell)) is not None and sign * (found - limit) > 0

    def fold(text: str) -> str:
        return text.casefold() if ignore_case else text

    tests: dict[Condition, Callable[[str], bool]] = {
        "equals": lambda cell: fold(cell) == fold(value),
        "differs": lambda cell: fold(cell) != fold(value),
        "contains": lambda cell: fold(value) in fold(cell),
        "starts_with": lambda cell: fold(cell).startswith(fold(value)),
        "is_blank": lambda cell: not cell,
    }
    return tests[condition]


def render(table: Table, style: TableStyle, align_numbers: bool, width: int) -> str:
    """Return a table for reading; cells are cut to a width."""
    lines = [[_one_line(cell, width) for cell in line] for line in [table.header, *table.rows]]
    right = [
        align_numbers and bool(table.rows) and all(number(row[place]) is not None for row in table.rows)
        for place in range(len(table.header))
    ]
    if style == "html":
        tags = ["th"] + ["td"] * len(table.rows)
        body = [
            "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in line)
            for tag, line in zip(tags, lines, strict=True)
        ]
        return "<table>\n" + "\n".join(f"<tr>{line}</tr>" for line in body) + "\n</table>"
    if style == "markdown":
        lines = [[cell.replace("\\", "\\\\").replace("|", "\\|") for cell in line] for line in lines]
    widths = [max(3, *(len(line[place]) for line in lines)) for place in range(len(right))]
    pads = [str.rjust if to_right else str.ljust for to_right in right]
    padded = [[pad(cell, size) for pad, cell, size in zip(pads, line, widths, strict=True)] for line in lines]
    if style == "plain":
        rule = ["-" * size for size in widths]
        return "\n".join("  ".join(line).rstrip() for line in [padded[0], rule, *padded[1:]])
    rule = ["-" * (size - 1) + ":" if to_right else "-" * size for size, to_right in zip(widths, right, strict=True)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [padded[0], rule, *padded[1:]])


def _one_line(cell: str, width: int) -> str:
    if not cell.isprintable():
        cell = "".join(character if character.isprintable() else " " for character in cell)
    plain = " ".join(cell.split())
    return plain if len(plain) <= width else plain[: width - 1] + "…"
