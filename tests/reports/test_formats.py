"""Tables in Markdown, CSV and LaTeX: texts survive, structure holds."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.evaluation.measures.metrics import Metric
from teller_gym.evaluation.measures.tables import csv_text, markdown_table, markdown_text, one_line
from teller_gym.reports.formats import comma_separated, markdown
from teller_gym.reports.latex import latex, latex_text
from teller_gym.reports.table import Column, Row, Table, interval_text, value_text

COLUMNS = (Column("name", "text"), Column("n", "int"), Column("accuracy", interval=True))
TABLE = Table(
    "t", COLUMNS, [Row(["ours", 3, Metric(0.5, 0.25, 0.75)]), Row(["† theirs", None, 0.123456789], paper=True)]
)


def named(name: str) -> Table:
    return Table("t", COLUMNS, [Row([name, 1, Metric(None)])])


def test_by_hand() -> None:
    assert markdown(TABLE).splitlines() == [
        "| name | n | accuracy |",
        "| --- | ---: | ---: |",
        "| ours | 3 | 0.500 [0.250, 0.750] |",
        "| † theirs | – | 0.123 |",
    ]
    assert comma_separated(TABLE).splitlines() == [
        "name,n,accuracy,accuracy low,accuracy high,measured by",
        "ours,3,0.5,0.25,0.75,run",
        '† theirs,,0.123457,,,"paper, on its own unreleased instances"',
    ]
    lines = latex(TABLE, "A title", "50 % & more").splitlines()
    assert r"\begin{tabular}{lrr}" in lines
    assert r"ours & 3 & 0.500 {\scriptsize {[}0.250, 0.750{]}} \\" in lines
    assert r"$\dagger$ theirs & -- & 0.123 \\" in lines
    assert r"\caption{A title. 50 \% \& more}\label{tab:t}" in lines
    assert lines.count(r"\midrule") == 2


def test_kinds() -> None:
    shown = {"share": 0.0625, "signed": -0.5, "signed_share": 0.25, "count": 3, "usd": 0.01234, "seconds": 1.23456}
    texts = [value_text(Column("x", kind), value) for kind, value in shown.items()]
    assert texts == ["6.2 %", "−0.500", "+25.0 %", "3.0", "0.0123", "1.23"]
    assert [value_text(Column("p", "p"), p) for p in (0.0004, 0.25)] == ["< 0.001", "0.250"]
    assert interval_text(Column("x", "share"), Metric(0.5, 0.25, 0.76)) == "[25.0, 76.0] %"
    assert interval_text(Column("x", "signed_share"), Metric(0, -0.1, 0.1)) == "[−10.0, +10.0] %"
    assert interval_text(Column("x", "signed"), Metric(0, -0.1, 0.1)) == "[−0.100, +0.100]"


def test_rows_have_a_cell_for_each_column() -> None:
    with pytest.raises(ValueError, match="expected 3 cells"):
        Table("t", COLUMNS, [Row(["x"])])


def unescaped(text: str) -> str:
    return re.sub(r"\\([^a-zA-Z0-9\s])", r"\1", text)


@given(st.text(max_size=30))
def test_markdown_keeps_texts(name: str) -> None:
    lines = markdown(named(name)).split("\n")
    assert len(lines) == 3
    cells = re.split(r"(?<!\\)(?:\\\\)*\|", lines[2])
    assert len(cells) == 5
    assert unescaped(markdown_text(name)) == one_line(name)
    assert not re.search(r"(?<!\\)(?:\\\\)*[<`*_]", markdown_text(name))


@given(st.text(max_size=30))
def test_csv_is_read_back(name: str) -> None:
    rows = list(csv.reader(io.StringIO(comma_separated(named(name)), newline="")))
    assert rows[1:] == [[csv_text(name), "1", "", "", "", "run"]]


COMMANDS = re.compile(r"\\[a-zA-Z]+(?:\{\})?|\\[&%$#_{}]|\$(?:-|\\[a-z]+)\$|\{[\[\]*`'-]\}|\{''\}")


@given(st.text(max_size=30))
def test_latex_has_no_special_character_left(text: str) -> None:
    """Everything left beside the commands that escaping writes is plain ASCII that LaTeX sets unchanged."""
    rest = COMMANDS.sub("", latex_text(text))
    assert rest.isascii()
    assert not set(rest) & set('\\&%$#_{}~^<>|"[]*`\n')


@given(st.lists(st.text(max_size=10), min_size=1, max_size=3))
def test_latex_rows_have_their_cells(names: list[str]) -> None:
    text = latex(Table("a_b", COLUMNS, [Row([name, 1, 0.5]) for name in names]), "t", "n")
    body = text[text.index(r"\midrule") : text.index(r"\bottomrule")].splitlines()[1:]
    assert len(body) == len(names)
    for line in body:
        assert line.endswith(r" \\")
        assert len(re.findall(r"(?<!\\)&", line)) == 2
    assert len(re.findall(r"(?<!\\)\{", text)) == len(re.findall(r"(?<!\\)\}", text))
    assert r"\label{tab:a-b}" in text


def test_a_wide_latex_table_is_shrunk() -> None:
    columns = [Column(str(i), interval=True) for i in range(12)]
    text = latex(Table("t", columns, [Row([Metric(0.5, 0.4, 0.6)] * 12)]), "t", "n")
    assert r"\resizebox{\linewidth}{!}{%" in text
    assert r"\end{tabular}}" in text
    assert "0.400" not in text


def test_a_long_latex_table_runs_over_pages() -> None:
    text = latex(Table("t", COLUMNS, [Row(["x", 1, Metric(0.5, 0.4, 0.6)])] * 50), "t", "n")
    assert text.count(r"\begin{longtable}{lrr}") == text.count(r"\end{longtable}}") == 1
    assert text.count(r"x & 1 & 0.500 \\") == 50


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t=", "\r=", "\n@", " +", "\uff1d", "\uff20", "-1+"])
def test_no_cell_of_a_csv_file_is_a_formula(sign: str) -> None:
    name = f"{sign}cmd|' /C calc'!A0"
    table = Table("t", (Column(name, "text"), Column("n", "signed", interval=True)), [Row([name, Metric(-0.5, -1, 0)])])
    first, second = csv.reader(io.StringIO(comma_separated(table)))
    assert first[0] == second[0] == f"'{one_line(name)}"
    assert second[1:] == ["-0.5", "-1", "0", "run"]


def test_the_terminals_markdown_table_stays_a_table() -> None:
    name = "a\\|b <img src=x onerror=alert(1)>\n| [x](javascript:y) |"
    table = markdown_table(["agent", "score"], [[name, "0.5 [0.4, 0.6]"], ["b\\|", "a\\|c"]]).splitlines()
    assert len(table) == 4
    assert all(len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3 for line in table)
    assert not re.search(r"(?<!\\)[<\[]|(?<!\\)\]\(", table[2].split(" | 0.5")[0])
    assert "0.5 [0.4, 0.6]" in table[2]
