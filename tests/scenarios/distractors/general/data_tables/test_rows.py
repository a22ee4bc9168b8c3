"""Tests of data_tables/rows: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused
from tests.scenarios.distractors.general.data_tables.values import SHIFTS


def test_filters() -> None:
    above = call(
        "filter_csv_rows", csv_text=SHIFTS, column="hours", condition="above", value="3", keep_columns=["hours", "name"]
    )
    assert above == {"csv_text": "hours,name\n4.5,Bob\n10,Dan", "rows_matched": 2, "rows_read": 4}
    texts = {
        ("equals", "red", True): "Ann Cyd",
        ("differs", "Red", False): "Bob Dan",
        ("contains", "e", False): "Ann Bob Cyd Dan",
        ("starts_with", "b", True): "Bob Dan",
        ("starts_with", "b", False): "",
    }
    for (condition, value, ignore_case), names in texts.items():
        options: dict[str, Any] = {"condition": condition, "value": value, "ignore_case": ignore_case}
        found = call("filter_csv_rows", csv_text=SHIFTS, column="team", keep_columns=["name"], **options)
        assert found["csv_text"].split("\n")[1:] == names.split()
    blank = call("filter_csv_rows", csv_text=SHIFTS, column="hours", condition="is_blank")
    assert blank["csv_text"] == "name,team,hours\nCyd,Red,"


def test_filters_that_cannot_be() -> None:
    refused("value", "filter_csv_rows", csv_text=SHIFTS, column="hours", condition="above", value="many")
    refused("value", "filter_csv_rows", csv_text=SHIFTS, column="hours", condition="is_blank", value="x")
    refused("value", "filter_csv_rows", csv_text=SHIFTS, column="hours", condition="contains", value=" ")
    both: dict[str, Any] = {"csv_text": SHIFTS, "column": "name", "condition": "contains", "value": "a"}
    refused("keep_columns", "filter_csv_rows", **both, keep_columns=["name", "name"])
    refused("keep_columns", "filter_csv_rows", **both, keep_columns=["floor"])


@given(st.lists(st.integers(-50, 50), max_size=30), st.integers(-50, 50))
def test_rows_are_above_below_or_equal(numbers: list[int], limit: int) -> None:
    text = "n\n" + "\n".join(map(str, numbers))
    counts = [
        call("filter_csv_rows", csv_text=text, column="n", condition=condition, value=str(limit))["rows_matched"]
        for condition in ("above", "below", "equals")
    ]
    assert counts == [sum(n > limit for n in numbers), sum(n < limit for n in numbers), numbers.count(limit)]


def test_rendering() -> None:
    text = 'item,pcs\n"a|b",7\n"x\ny",12'
    assert call("render_csv_table", csv_text=text) == {
        "rendered": "| item | pcs |\n| ---- | --: |\n| a\\|b |   7 |\n| x y  |  12 |",
        "rows": 2,
        "columns": 2,
    }
    plain = call("render_csv_table", csv_text=text, style="plain", align_numbers=False)
    assert plain["rendered"] == "item  pcs\n----  ---\na|b   7\nx y   12"
    markup = call("render_csv_table", csv_text="a\n<b>", style="html")
    assert markup["rendered"] == "<table>\n<tr><th>a</th></tr>\n<tr><td>&lt;b&gt;</td></tr>\n</table>"
    turned = call("render_csv_table", csv_text="name,Ann,Bob\nhours,3,4", transpose=True, style="plain")
    assert turned["rendered"] == "name  hours\n----  -----\nAnn       3\nBob       4"
    cut = call("render_csv_table", csv_text="heading\nabcdef", max_cell_width=4, style="plain")
    assert cut["rendered"] == "hea…\n----\nabc…"
    refused("csv_text", "render_csv_table", csv_text="a\n" + "1\n" * 599, style="html")


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8, unique=True), st.integers(0, 6))
def test_markdown_lines_are_equally_long(names: list[str], rows: int) -> None:
    text = "\n".join([",".join(names)] + [",".join(name * (row + 1) for name in names) for row in range(rows)])
    result = call("render_csv_table", csv_text=text)
    lines = result["rendered"].split("\n")
    assert len({len(line) for line in lines}) == 1 and len(lines) == rows + 2
    turned = call("render_csv_table", csv_text=text, transpose=True)
    assert (turned["rows"] + 1, turned["columns"]) == (len(names), rows + 1)
