"""Figures as text: in columns for a terminal, in Markdown for a page."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from teller_gym.evaluation.measures.metrics import Metric

NOTHING = "–"
NARROWEST = 80
"""Characters of a line that any terminal has."""
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|~#!&$])")
_FORMULA = re.compile(r"\s*[-=+@＝＋－＠]")
_COUNTS = ("steps", "prompt_tokens", "completion_tokens")


def one_line(text: str) -> str:
    """Return the text with a space for each character that cannot be printed, such as the end of a line."""
    return "".join(one if one.isprintable() else " " for one in text)


def markdown_text(text: str) -> str:
    """Return text that Markdown shows as it is, on one line."""
    return _MARKDOWN.sub(r"\\\1", one_line(text))


def csv_text(text: str) -> str:
    """Return text on one line that a spreadsheet shows as it is, and never works out as a formula."""
    text = one_line(text)
    return f"'{text}" if _FORMULA.match(text) else text


def metric_text(name: str, metric: Metric) -> str:
    """Return a metric's value: error shares in per cent, counts with one decimal, dollars with four, all else with
    three.
    """
    return NOTHING if metric.value is None else _number(name, metric.value) + _unit(name)


def interval_text(name: str, metric: Metric) -> str:
    """Return its interval, with as many decimals as the value; empty where there is none."""
    if metric.low is None or metric.high is None:
        return ""
    return f"[{_number(name, metric.low)}, {_number(name, metric.high)}]{_unit(name)}"


def cell(name: str, metric: Metric | None) -> str:
    """Value and interval together."""
    return NOTHING if metric is None else f"{metric_text(name, metric)} {interval_text(name, metric)}".strip()


def _unit(name: str) -> str:
    return " %" if name.startswith("error_") else ""


def _number(name: str, value: float) -> str:
    if name.startswith("error_"):
        return f"{100 * value:.0f}"
    if name in _COUNTS:
        return f"{value:.1f}"
    if name == "cost_usd":
        return f"{value:.4f}"
    return f"{value:.3f}"


def text_table(headers: Sequence[str], rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> str:
    """Return columns side by side under a rule, those of the numbers in ``left`` flush left."""
    widths = [max(len(row[i]) for row in (headers, *rows)) for i in range(len(headers))]

    def line(row: Sequence[str]) -> str:
        cells = [
            text.ljust(w) if i in left else text.rjust(w) for i, (text, w) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(cells).rstrip()

    return "\n".join([line(headers), "  ".join("-" * width for width in widths), *(line(row) for row in rows)])


def folded_table(headers: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> str:
    """Return text as `text_table`, with the columns that do not fit into the width in further tables below.

    The first column is repeated in each of them.
    """
    tables: list[str] = []
    first = 1
    while first < len(headers) or not tables:
        last = first + 1
        while last < len(headers) and _width(headers, rows, first, last + 1) <= width:
            last += 1
        picked = [[row[0], *row[first:last]] for row in (headers, *rows)]
        tables.append(text_table(picked[0], picked[1:]))
        first = last
    return "\n\n".join(tables)


def _width(headers: Sequence[str], rows: Sequence[Sequence[str]], first: int, last: int) -> int:
    columns = [0, *range(first, last)]
    return sum(max(len(row[i]) for row in (headers, *rows)) + 2 for i in columns) - 2


def markdown_table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the same as a Markdown table."""
    rule = ["---", *("---:" for _ in headers[1:])]
    shown = [[markdown_text(row[0]), *map(_escaped, row[1:])] for row in (headers, *rows)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (shown[0], rule, *shown[1:]))


def _escaped(text: str) -> str:
    """Figures with their intervals, whose brackets and signs stay readable in the file, too."""
    return re.sub(r"([\\|<&`])", r"\\\1", one_line(text))
