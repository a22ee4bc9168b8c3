"""Tables as Markdown, CSV and LaTeX. Whatever a text holds, it stays text there."""

from __future__ import annotations

import csv
import io
import re
import unicodedata

from .paper import MARK
from .table import Column, Row, Table, Value, interval_text, one_line, plain, value_text

_MANY, _WIDE = 8, 75
"""A LaTeX table of more columns leaves intervals out; one of more characters in a line is shrunk to the line."""

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "{''}", "[": "{[}", "]": "{]}", "*": "{*}", "-": "{-}", "`": "{`}",
    "'": "{'}", "–": "--", "−": "$-$", "×": r"$\times$", "·": r"$\cdot$", "…": r"\ldots{}",
    "≥": r"$\geq$", "≤": r"$\leq$", "→": r"$\to$", MARK: r"$\dagger$",
}  # fmt: skip
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|~#!&$])")


def markdown_text(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _MARKDOWN.sub(r"\\\1", one_line(text))


def latex_text(text: str) -> str:
    """Text that LaTeX sets as it is; characters that its common fonts lack are spelled without accents, or as `?`."""
    return "".join(_LATEX.get(one) or _latex_letter(one) for one in one_line(text))


def _latex_letter(letter: str) -> str:
    if letter.isascii():
        return letter
    bare = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return "".join(_LATEX.get(one, one) for one in bare if one.isprintable()) or "?"


def _is_number(column: Column) -> bool:
    return column.kind != "text"


def markdown(table: Table) -> str:
    """The table in Markdown, intervals beside their values."""
    lines = [[markdown_text(column.title) for column in table.columns]]
    lines.append(["---:" if _is_number(column) else "---" for column in table.columns])
    lines += [[_markdown_cell(*pair) for pair in zip(table.columns, row.cells, strict=True)] for row in table.rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _markdown_cell(column: Column, value: Value) -> str:
    text = value_text(column, value)
    return f"{text} {interval_text(column, value)}".strip() if _is_number(column) else markdown_text(text)


def comma_separated(table: Table) -> str:
    """The table as CSV: plain numbers, empty where there are none, `… low` and `… high` for the ends of intervals.

    The last column says who measured a row: the paper, or a run.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    titles = [column.title.replace(f"{MARK} ", "paper: ") for column in table.columns]
    header = [
        name
        for title, column in zip(titles, table.columns, strict=True)
        for name in (title, *(f"{title} {end}" for end in ("low", "high") if column.interval))
    ]
    writer.writerow([*header, "measured by"])
    for row in table.rows:
        cells = [cell for pair in zip(table.columns, row.cells, strict=True) for cell in _csv_cells(*pair)]
        writer.writerow([*cells, "paper, on its own unreleased instances" if row.paper else "run"])
    return file.getvalue()


def _csv_cells(column: Column, value: Value) -> list[str | int | float | None]:
    ends = [getattr(value, end, None) for end in ("low", "high")] if column.interval else []
    return [_csv_value(one) for one in (plain(value), *ends)]


def _csv_value(value: str | int | float | None) -> str | int | float | None:
    if isinstance(value, float):
        return round(value, 6)
    return one_line(value) if isinstance(value, str) else value


def latex(table: Table, title: str, note: str) -> str:
    """The table in LaTeX, for the packages booktabs and graphicx."""
    many = len(table.columns) > _MANY
    wide = many or _characters(table) > _WIDE
    spec = "".join("r" if _is_number(column) else "l" for column in table.columns)
    body = [_latex_line([latex_text(column.title) for column in table.columns]), r"\midrule"]
    for place, row in enumerate(table.rows):
        if place and row.paper != table.rows[place - 1].paper:
            body.append(r"\midrule")
        body.append(_latex_row(table, row, many))
    lines = [
        "% needs \\usepackage{booktabs} and \\usepackage{graphicx}",
        r"\begin{table}",
        r"\centering",
        r"\small",
        rf"\caption{{{latex_text(title)}. {latex_text(note)}}}",
        rf"\label{{tab:{table.key.replace('_', '-')}}}",
        *([r"\resizebox{\linewidth}{!}{%"] if wide else []),
        rf"\begin{{tabular}}{{{spec}}}",
        r"\toprule",
        *body,
        r"\bottomrule",
        r"\end{tabular}" + ("}" if wide else ""),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _characters(table: Table) -> int:
    """How many characters the widest cells of all columns have together."""
    widths = [len(column.title) for column in table.columns]
    for row in table.rows:
        texts = [f"{value_text(*pair)} {interval_text(*pair)}" for pair in zip(table.columns, row.cells, strict=True)]
        widths = [max(pair) for pair in zip(widths, map(len, texts), strict=True)]
    return sum(widths) + 2 * len(widths)


def _latex_row(table: Table, row: Row, bare: bool) -> str:
    cells = []
    for column, value in zip(table.columns, row.cells, strict=True):
        ends = "" if bare else latex_text(interval_text(column, value))
        cells.append(latex_text(value_text(column, value)) + (rf" {{\scriptsize {ends}}}" if ends else ""))
    return _latex_line(cells)


def _latex_line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
