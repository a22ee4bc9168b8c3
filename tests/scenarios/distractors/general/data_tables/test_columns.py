"""Tests of data_tables/columns: expected values worked out by hand, or anew in another way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused
from tests.scenarios.distractors.general.data_tables.values import SHIFTS


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
