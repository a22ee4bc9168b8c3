"""Small data as text: tables worked out by hand, and the same answers by plainer ways."""

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, empty_bank, refused

SHIFTS = "name,team,hours\nAnn,Red,3\nBob,Blue,4.5\nCyd,Red,\nDan,Blue,10\n"
FULL = SHIFTS.replace("Cyd,Red,", "Cyd,Red,2")
KEYS = st.lists(st.sampled_from("abcAB"), max_size=8)


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))[1:]


def numbered(keys: list[str]) -> str:
    return "key,number\n" + "\n".join(f"{key},{place}" for place, key in enumerate(keys))


def test_summary_of_numbers_and_of_words() -> None:
    assert call("summarize_csv_column", csv_text=SHIFTS, column="hours") == {
        "filled": 3,
        "blank": 1,
        "distinct": 3,
        "most_common": "3",
        "minimum": 3,
        "maximum": 10,
        "mean": 5.8333,
        "median": 4.5,
    }
    teams = call("summarize_csv_column", csv_text=SHIFTS.replace(",", ";"), column="team", delimiter="semicolon")
    assert (teams["filled"], teams["distinct"], teams["most_common"], teams["mean"]) == (4, 2, "Red", None)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("a,b\n1", "csv_text"),
        ("a,a\n1,2", "csv_text"),
        ("a,\n1,2", "csv_text"),
        ('a,b\n1,"2', "csv_text"),
        ("\n \n", "csv_text"),
        ("b\n1", "column"),
        ("a\n", "column"),
    ],
)
def test_tables_that_cannot_be_read(text: str, field: str) -> None:
    refused(field, "summarize_csv_column", csv_text=text, column="a")


@given(st.lists(st.integers(-999, 999), min_size=1, max_size=30))
def test_averages_lie_between_the_extremes(numbers: list[int]) -> None:
    found = call("summarize_csv_column", csv_text="n\n" + "\n".join(map(str, numbers)), column="n")
    assert found["minimum"] == min(numbers) <= found["median"] <= max(numbers) == found["maximum"]
    assert found["mean"] == pytest.approx(sum(numbers) / len(numbers), abs=1e-4)


def test_pivots() -> None:
    columns: dict[str, Any] = {"csv_text": FULL, "row_column": "team", "split_column": "name"}
    assert call("pivot_csv_table", **columns, totals=True) == {
        "csv_text": "team,Ann,Bob,Cyd,Dan,total\nRed,1,0,1,0,2\nBlue,0,1,0,1,2\ntotal,1,1,1,1,4",
        "rows": 3,
        "columns": 6,
    }
    sums = call("pivot_csv_table", **columns, aggregate="sum", value_column="hours")
    assert sums["csv_text"] == "team,Ann,Bob,Cyd,Dan\nRed,3,,2,\nBlue,,4.5,,10"
    columns["split_column"] = "team"
    means = call("pivot_csv_table", **columns, aggregate="mean", value_column="hours", totals=True)
    assert means["csv_text"].endswith("total,2.5,7.25,4.875")


def test_pivots_that_cannot_be() -> None:
    columns: dict[str, Any] = {"csv_text": SHIFTS, "row_column": "team", "split_column": "name"}
    refused("value_column", "pivot_csv_table", **columns, aggregate="sum")
    refused("value_column", "pivot_csv_table", **columns, value_column="hours")
    refused("value_column", "pivot_csv_table", **columns, aggregate="sum", value_column="hours")  # Cyd has none
    refused("split_column", "pivot_csv_table", csv_text=SHIFTS, row_column="team", split_column="floor")
    long = "a,b\n" + "\n".join(f"{i},{i}" for i in range(21))
    refused("split_column", "pivot_csv_table", csv_text=long, row_column="a", split_column="b")


@given(KEYS.filter(bool))
def test_totals_of_a_pivot_count_every_row(keys: list[str]) -> None:
    pivot = call("pivot_csv_table", csv_text=numbered(keys), row_column="key", split_column="key", totals=True)
    rows = rows_of(pivot["csv_text"])
    assert [int(row[-1]) for row in rows] == [keys.count(row[0]) for row in rows[:-1]] + [len(keys)]


LEFT, RIGHT = "name,team\nAnn,Red\nBob,Blue", "team,floor,name\nred,2,R\nGreen,3,G"


@pytest.mark.parametrize(
    ("join_type", "rows"),
    [
        ("inner", ["Ann,Red,2,R"]),
        ("left", ["Ann,Red,2,R", "Bob,Blue,-,-"]),
        ("right", ["Ann,Red,2,R", "-,Green,3,G"]),
        ("full", ["Ann,Red,2,R", "Bob,Blue,-,-", "-,Green,3,G"]),
    ],
)
def test_joins(join_type: str, rows: list[str]) -> None:
    joined = call(
        "join_csv_tables",
        left_csv=LEFT,
        right_csv=RIGHT,
        left_key="team",
        right_key="team",
        join_type=join_type,
        ignore_case=True,
        fill_value="-",
    )
    assert joined == {
        "csv_text": "\n".join(["name,team,floor,right_name", *rows]),
        "rows": len(rows),
        "left_without_partner": 1,
        "right_without_partner": 1,
    }


def test_joins_that_cannot_be() -> None:
    refused("left_key", "join_csv_tables", left_csv=LEFT, right_csv=RIGHT, left_key="floor", right_key="team")
    refused("right_csv", "join_csv_tables", left_csv=LEFT, right_csv="a\n1,2", left_key="team", right_key="a")
    twice: dict[str, Any] = {
        "left_csv": "k,x,right_x\n1,2,3",
        "right_csv": "k,x\n1,2",
        "left_key": "k",
        "right_key": "k",
    }
    refused("right_csv", "join_csv_tables", **twice)


@given(KEYS, KEYS, st.integers(1, 50))
def test_inner_join_is_every_pair_that_agrees(left: list[str], right: list[str], limit: int) -> None:
    sides: dict[str, Any] = {
        "left_csv": numbered(left),
        "right_csv": numbered(right),
        "left_key": "key",
        "right_key": "key",
    }
    joined = call("join_csv_tables", **sides, max_rows=limit)
    pairs = [[a, str(i), str(j)] for i, a in enumerate(left) for j, b in enumerate(right) if a == b]
    assert joined["rows"] == len(pairs)
    assert rows_of(joined["csv_text"]) == pairs[:limit]
    full = call("join_csv_tables", **sides, join_type="full")
    assert full["rows"] == len(pairs) + joined["left_without_partner"] + joined["right_without_partner"]


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


def test_json_keys() -> None:
    text = '{"a": {"b": [1, {"c": null}]}, "z": 1}'
    assert call("check_json_keys", json_text=text, required_paths=["a.b.0", "a.b.1.c", "q"]) == {
        "passes": False,
        "missing": ["q"],
        "null_values": ["a.b.1.c"],
        "other_keys": ["z"],
    }
    paths = ["a.b.1.c"]
    assert call("check_json_keys", json_text=text, required_paths=paths, allow_null=True)["passes"]
    strict: dict[str, Any] = {"allow_null": True, "allow_other_keys": False}
    assert not call("check_json_keys", json_text=text, required_paths=paths, **strict)["passes"]
    assert call("check_json_keys", json_text=text, required_paths=["a", "z"], allow_other_keys=False)["passes"]


@pytest.mark.parametrize("text", ['{"a": 1,}', "[1]", "[" * 30, "{" * 1000, '"', '"\\', "NaN", "1e999"])
def test_texts_that_are_no_json_object(text: str) -> None:
    refused("json_text", "check_json_keys", json_text=text, required_paths=["a"])


def test_flattening() -> None:
    text = '{"a": {"b": [1, {"c": null}], "e": {}}, "z": "[x"}'
    flat = call("flatten_json", json_text=text)
    assert [(entry["path"], entry["value"]) for entry in flat["entries"]] == [
        ("a.b.0", "1"),
        ("a.b.1.c", "null"),
        ("a.e", "{}"),
        ("z", '"[x"'),
    ]
    shallow = call("flatten_json", json_text=text, max_depth=2, separator="/")
    assert shallow["entries"][0] == {"path": "a/b", "value": '[1,{"c":null}]'}
    refused("separator", "flatten_json", json_text='{"a": {"b": 1}, "a.b": 2}')
    refused("json_text", "flatten_json", json_text="{}")
    refused("json_text", "flatten_json", json_text=json.dumps({"k" * 400: [1] * 200}))


@given(
    st.recursive(
        st.integers(0, 9) | st.text("xy", max_size=2),
        lambda inner: (
            st.dictionaries(st.text("abc", min_size=1, max_size=2), inner, min_size=1, max_size=3)
            | st.lists(inner, min_size=1, max_size=3)
        ),
        max_leaves=12,
    )
)
def test_flat_json_holds_every_value(value: Any) -> None:
    flat = call("flatten_json", json_text=json.dumps({"root": value}))
    for entry in flat["entries"]:
        found: Any = {"root": value}
        for step in entry["path"].split("."):
            found = found[int(step)] if isinstance(found, list) else found[step]
        assert json.loads(entry["value"]) == found


def test_buckets() -> None:
    # 0.1 + 2 * (0.4 - 0.1) / 3 is 0.3, but a little more in binary fractions.
    tenths = call("bucket_values", values=[0.1, 0.2, 0.3, 0.4], bucket_count=3)
    assert tenths["buckets"] == [
        {"low": 0.1, "high": 0.2, "count": 1},
        {"low": 0.2, "high": 0.3, "count": 1},
        {"low": 0.3, "high": 0.4, "count": 2},
    ]
    assert (tenths["fullest"], tenths["left_out"]) == (3, 0)
    ranks = call("bucket_values", values=[1, 2, 3, 4, 5, 100], bucket_count=3, method="equal_count", upper=50)
    assert [bucket["count"] for bucket in ranks["buckets"]] == [1, 2, 2] and ranks["left_out"] == 1
    assert [bucket["low"] for bucket in ranks["buckets"]] == [1, 2, 4]
    rounded = call("bucket_values", values=[1], bucket_count=3, lower=0, upper=1, decimals=1)
    assert [bucket["high"] for bucket in rounded["buckets"]] == [0.3, 0.7, 1]
    refused("upper", "bucket_values", values=[1, 1], bucket_count=2)
    refused("upper", "bucket_values", values=[1, 2], bucket_count=2, lower=3)
    refused("bucket_count", "bucket_values", values=[1, 1, 2], bucket_count=3, method="equal_count")


@given(
    st.lists(st.integers(-20, 20), min_size=1, max_size=50),
    st.integers(1, 20),
    st.sampled_from(["equal_width", "equal_count"]),
)
def test_every_value_is_in_one_bucket_or_left_out(values: list[int], count: int, method: str) -> None:
    inside = [value for value in values if -10 <= value <= 10]
    if method == "equal_count":
        count = min(count, len(set(inside)))
    if count:
        found = call("bucket_values", values=values, bucket_count=count, method=method, lower=-10, upper=10)
        assert len(found["buckets"]) == count
        assert sum(bucket["count"] for bucket in found["buckets"]) == len(inside) == len(values) - found["left_out"]
        assert found["buckets"][found["fullest"] - 1]["count"] == max(bucket["count"] for bucket in found["buckets"])


def test_templates_are_saved_replaced_and_filled() -> None:
    bank = empty_bank()
    saved = call(
        "save_text_template", bank, title="Room sign", template_text="{room}: {host} ({room})", purpose="label"
    )
    assert (saved["placeholders"], saved["replaced_earlier"]) == (["room", "host"], False)
    key = saved["template_id"]
    filled = call("fill_text_template", bank, template_id=key, values=["room=A1", "host=Ann=Bob"])
    assert filled == {"filled_text": "A1: Ann=Bob (A1)", "values_used": 2, "without_value": []}
    partly = call("fill_text_template", bank, template_id=key, values=["room=A1"], without_value="keep")
    assert (partly["filled_text"], partly["without_value"]) == ("A1: {host} (A1)", ["host"])
    extra = ["host={room}", "x=1"]
    blank = call("fill_text_template", bank, template_id=key, values=extra, without_value="blank", allow_unused=True)
    assert (blank["filled_text"], blank["values_used"]) == (": {room} ()", 1)

    assert [(change.table, change.key) for change in bank.diff()] == [("misc_text_templates", key)]
    assert bank.diff()[0].after["owner"] == "misc"
    again = call("save_text_template", bank, title="room  SIGN", template_text="{a}", purpose="label")
    assert again == {"template_id": key, "placeholders": ["a"], "replaced_earlier": True}
    assert call("fill_text_template", bank, template_id=key, values=["a=1"])["filled_text"] == "1"


def test_templates_that_cannot_be() -> None:
    for text in ("no names", "{Room}", "{a} {", "{{a}}"):
        refused("template_text", "save_text_template", title="Sign", template_text=text, purpose="form")
    refused("title", "save_text_template", title="   ", template_text="{a}", purpose="form")
    refused("template_id", "fill_text_template", template_id="TP-123456", values=[])
    bank = empty_bank()
    key = call("save_text_template", bank, title="Sign", template_text="{a} {b}" * 20, purpose="form")["template_id"]
    for values in (["a=1"], ["a=1", "a=2"], ["a=1", "b=2", "c=3"], ["a=" + "x" * 118, "b=" + "y" * 118]):
        refused("values", "fill_text_template", bank=bank, template_id=key, values=values)


@given(st.lists(st.text("xyz {}=", max_size=9), min_size=1, max_size=5))
def test_filled_templates_hold_their_values(values: list[str]) -> None:
    bank = empty_bank()
    text = "|".join(f"{{n{place}}}" for place in range(len(values)))
    key = call("save_text_template", bank, title="List", template_text=text, purpose="email")["template_id"]
    assignments = [f"n{place}={value}" for place, value in enumerate(values)]
    filled = call("fill_text_template", bank, template_id=key, values=assignments)
    assert filled["filled_text"] == "|".join(values)
