"""Rendering of tables as LaTeX, with text escaped and only common packages required."""

from __future__ import annotations

import unicodedata

from teller_gym.tables.model import MARK, Column, Row, Table, interval_text, one_line, value_text

_MANY, _WIDE = 10, 75
"""Number of columns above which intervals are left out, and number of characters above which a table is shrunk to fit.
"""

_LONG = 40
"""Number of rows above which a table may span several pages and intervals are left out."""


_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "{''}", "[": "{[}", "]": "{]}", "*": "{*}", "-": "{-}", "`": "{`}",
    "'": "{'}", "–": "--", "−": "$-$", "×": r"$\times$", "·": r"$\cdot$", "…": r"\ldots{}",
    "≥": r"$\geq$", "≤": r"$\leq$", "→": r"$\to$", MARK: r"$\dagger$",
}  # fmt: skip


def latex_text(text: str) -> str:
    """Escape text for LaTeX.

    Characters missing from common fonts lose their accents or become `?`.
    """
    return "".join(_LATEX.get(one) or _letter(one) for one in one_line(text))


def _letter(letter: str) -> str:
    if letter.isascii():
        return letter
    bare = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return "".join(_LATEX.get(one, one) for one in bare if one.isprintable()) or "?"


def as_latex(table: Table) -> str:
    """Return the table as LaTeX, with the required packages in the first line."""
    long = len(table.rows) > _LONG
    bare = long or len(table.columns) > _MANY
    heading = [r"\toprule", _line([_title(column, folded=long) for column in table.columns]), r"\midrule"]
    body = []
    for place, row in enumerate(table.rows):
        if place and row.paper != table.rows[place - 1].paper:
            body.append(r"\midrule")
        body.append(_row(table, row, bare))
    caption = rf"\caption{{{latex_text(table.title)}. {latex_text(table.full_note(intervals=not bare))}}}"
    caption += rf"\label{{tab:{table.key.replace('_', '-')}}}"
    spec = "".join("r" if column.is_number else "l" for column in table.columns)
    wide = bare or _characters(table) > _WIDE
    lines = _over_pages(spec, caption, heading, body) if long else _on_one(spec, caption, heading, body, wide)
    return "\n".join(lines) + "\n"


def _title(column: Column, folded: bool) -> str:
    """Return a column's title, which is wrapped if `folded`, since a table over several pages cannot be shrunk."""
    text = latex_text(column.title)
    return rf"\parbox[b]{{4em}}{{\raggedleft {text}}}" if folded and column.is_number else text


def _on_one(spec: str, caption: str, heading: list[str], body: list[str], wide: bool) -> list[str]:
    return [
        r"% needs \usepackage{booktabs} and \usepackage{graphicx}",
        r"\begin{table}",
        r"\centering",
        r"\small",
        caption,
        *([r"\resizebox{\linewidth}{!}{%"] if wide else []),
        rf"\begin{{tabular}}{{{spec}}}",
        *heading,
        *body,
        r"\bottomrule",
        r"\end{tabular}" + ("}" if wide else ""),
        r"\end{table}",
    ]


def _over_pages(spec: str, caption: str, heading: list[str], body: list[str]) -> list[str]:
    return [
        r"% needs \usepackage{booktabs} and \usepackage{longtable}",
        r"{\scriptsize",
        rf"\begin{{longtable}}{{{spec}}}",
        caption + r" \\",
        *heading,
        r"\endfirsthead",
        *heading,
        r"\endhead",
        *body,
        r"\bottomrule",
        r"\end{longtable}}",
    ]


def _characters(table: Table) -> int:
    """Return the table's width in characters."""
    widths = [len(column.title) for column in table.columns]
    for row in table.rows:
        texts = [f"{value_text(*pair)} {interval_text(*pair)}" for pair in table.pairs(row)]
        widths = [max(pair) for pair in zip(widths, map(len, texts), strict=True)]
    return sum(widths) + 2 * len(widths)


def _row(table: Table, row: Row, bare: bool) -> str:
    cells = []
    for column, value in table.pairs(row):
        ends = "" if bare else latex_text(interval_text(column, value))
        cells.append(latex_text(value_text(column, value)) + (rf" {{\scriptsize {ends}}}" if ends else ""))
    return _line(cells)


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
