"""Tests of data_tables/reshaping: expected values worked out by hand, or anew in another way."""

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused
from tests.scenarios.distractors.general.data_tables.values import SHIFTS

FULL = SHIFTS.replace("Cyd,Red,", "Cyd,Red,2")
KEYS = st.lists(st.sampled_from("abcAB"), max_size=8)


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))[1:]


def numbered(keys: list[str]) -> str:
    return "key,number\n" + "\n".join(f"{key},{place}" for place, key in enumerate(keys))


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
