"""Tables in every format: text is escaped and the structure is valid."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.tables.comma_separated import as_csv, csv_text
from teller_gym.tables.html import as_html
from teller_gym.tables.latex import as_latex, latex_text
from teller_gym.tables.markdown import as_markdown, markdown_text
from teller_gym.tables.model import Column, Link, Metric, Row, Table, interval_text, one_line, value_text
from teller_gym.tables.text import as_text, text_table

COLUMNS = (Column("name", "text"), Column("n", "int"), Column("accuracy", interval=True))
ROWS = [Row(["ours", 3, Metric(0.5, 0.25, 0.75)]), Row(["† theirs", None, 0.123456789], paper=True)]
TABLE = Table(COLUMNS, ROWS, "t", "A title", "50 % & more", "Intervals.", "Theirs.")


def named(name: str) -> Table:
    return Table(COLUMNS, [Row([name, 1, Metric(None)])])


def test_by_hand() -> None:
    assert as_markdown(TABLE).splitlines() == [
        "| name | n | accuracy |",
        "| --- | ---: | ---: |",
        "| ours | 3 | 0.500 [0.250, 0.750] |",
        "| † theirs | – | 0.123 |",
    ]
    assert as_csv(TABLE).splitlines() == [
        "name,n,accuracy,accuracy low,accuracy high,measured by",
        "ours,3,0.5,0.25,0.75,run",
        '† theirs,,0.123457,,,"paper, on its own unreleased instances"',
    ]
    lines = as_latex(TABLE).splitlines()
    assert r"\begin{tabular}{lrr}" in lines
    assert r"ours & 3 & 0.500 {\scriptsize {[}0.250, 0.750{]}} \\" in lines
    assert r"$\dagger$ theirs & -- & 0.123 \\" in lines
    assert r"\caption{A title. 50 \% \& more Intervals. Theirs.}\label{tab:t}" in lines
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
        Table(COLUMNS, [Row(["x"])])


def unescaped(text: str) -> str:
    return re.sub(r"\\([^a-zA-Z0-9\s])", r"\1", text)


@given(st.text(max_size=30))
def test_markdown_keeps_texts(name: str) -> None:
    lines = as_markdown(named(name)).split("\n")
    assert len(lines) == 3
    cells = re.split(r"(?<!\\)(?:\\\\)*\|", lines[2])
    assert len(cells) == 5
    assert unescaped(markdown_text(name)) == one_line(name)
    assert not re.search(r"(?<!\\)(?:\\\\)*[<`*_]", markdown_text(name))


@given(st.text(max_size=30))
def test_csv_is_read_back(name: str) -> None:
    rows = list(csv.reader(io.StringIO(as_csv(named(name)), newline="")))
    assert rows[1:] == [[csv_text(name), "1", "", "", "", "run"]]


COMMANDS = re.compile(r"\\[a-zA-Z]+(?:\{\})?|\\[&%$#_{}]|\$(?:-|\\[a-z]+)\$|\{[\[\]*`'-]\}|\{''\}")


@given(st.text(max_size=30))
def test_latex_has_no_special_character_left(text: str) -> None:
    """Apart from the commands that escaping inserts, the text is plain ASCII without special characters."""
    rest = COMMANDS.sub("", latex_text(text))
    assert rest.isascii()
    assert not set(rest) & set('\\&%$#_{}~^<>|"[]*`\n')


@given(st.lists(st.text(max_size=10), min_size=1, max_size=3))
def test_latex_rows_have_their_cells(names: list[str]) -> None:
    text = as_latex(Table(COLUMNS, [Row([name, 1, 0.5]) for name in names], "a_b"))
    body = text[text.index(r"\midrule") : text.index(r"\bottomrule")].splitlines()[1:]
    assert len(body) == len(names)
    for line in body:
        assert line.endswith(r" \\")
        assert len(re.findall(r"(?<!\\)&", line)) == 2
    assert len(re.findall(r"(?<!\\)\{", text)) == len(re.findall(r"(?<!\\)\}", text))
    assert r"\label{tab:a-b}" in text


def test_a_wide_latex_table_is_shrunk() -> None:
    columns = [Column(str(i), interval=True) for i in range(12)]
    text = as_latex(Table(columns, [Row([Metric(0.5, 0.4, 0.6)] * 12)], note="n", intervals="told"))
    assert r"\resizebox{\linewidth}{!}{%" in text
    assert r"\end{tabular}}" in text
    assert "0.400" not in text
    assert "told" not in text


def test_a_long_latex_table_runs_over_pages() -> None:
    text = as_latex(Table(COLUMNS, [Row(["x", 1, Metric(0.5, 0.4, 0.6)])] * 50))
    assert text.count(r"\begin{longtable}{lrr}") == text.count(r"\end{longtable}}") == 1
    assert text.count(r"x & 1 & 0.500 \\") == 50


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t=", "\r=", "\n@", " +", "\uff1d", "\uff20", "-1+"])
def test_no_cell_of_a_csv_file_is_a_formula(sign: str) -> None:
    name = f"{sign}cmd|' /C calc'!A0"
    table = Table((Column(name, "text"), Column("n", "signed", interval=True)), [Row([name, Metric(-0.5, -1, 0)])])
    first, second = csv.reader(io.StringIO(as_csv(table)))
    assert first[0] == second[0] == f"'{one_line(name)}"
    assert second[1:] == ["-0.5", "-1", "0", "run"]


def test_a_terminals_table_is_folded_where_it_is_wide() -> None:
    headings, rows = ["a", "bb", "cc", "dd"], [["x", "1", "2", "3"]]
    assert text_table(["a", "n"], [["x", "10"], ["long", "5"]]) == "a      n\n----  --\nx     10\nlong   5"
    table = Table.of_texts(headings, rows)
    assert as_text(table, 11) == f"{as_text(table.only('a', 'bb', 'cc'))}\n\n{as_text(table.only('a', 'dd'))}"
    assert as_text(table, 13) == text_table(headings, rows)
    assert as_text(table.only("a"), 1) == "a\n-\nx"


def test_an_html_table_has_links_and_no_markup_of_its_texts() -> None:
    rows = [Row([Link("<a_b>", 'x"y'), 3, Metric(0.5, 0.25, 0.75)]), Row(["† &", None, None], paper=True)]
    assert as_html(Table(COLUMNS, rows)).splitlines() == [
        "<table>",
        '<thead><tr><th scope="col" class="text">name</th><th scope="col">n</th>'
        '<th scope="col">accuracy</th></tr></thead>',
        "<tbody>",
        '<tr><th scope=row class="text"><a href="x&quot;y">&lt;a_<wbr>b&gt;</a></th><td>3</td>'
        "<td>0.500<small>[0.250, 0.750]</small></td></tr>",
        '<tr class="paper"><th scope=row class="text">† &amp;</th><td>–</td><td>–</td></tr>',
        "</tbody>",
        "</table>",
    ]
