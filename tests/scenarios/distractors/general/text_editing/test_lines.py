"""Tests of text_editing/lines: expected values worked out by hand, or anew in another way."""

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused

LINES = st.lists(st.text("aAbB 12,", max_size=6), min_size=1, max_size=15).map("\n".join).filter(bool)


def test_deduplication() -> None:
    text = "a\nb\nA\n\nb\n\nb"
    assert call("deduplicate_lines", text=text) == {
        "new_text": "a\nb\nA\n\n",
        "lines_kept": 5,
        "lines_removed": 2,
        "most_copies": 3,
    }
    assert call("deduplicate_lines", text=text, ignore_case=True, keep="last", drop_blank_lines=True)["new_text"] == (
        "A\nb"
    )
    assert call("deduplicate_lines", text="a\na\nb\na", adjacent_only=True)["new_text"] == "a\nb\na"
    assert call("deduplicate_lines", text="a  b\na b", ignore_spacing=True)["lines_kept"] == 1
    refused("text", "deduplicate_lines", text="\0" * 600)


@given(LINES, st.booleans(), st.sampled_from(["first", "last"]))
def test_no_line_is_left_twice(text: str, ignore_case: bool, keep: str) -> None:
    result = call("deduplicate_lines", text=text, ignore_case=ignore_case, keep=keep, drop_blank_lines=True)
    lines = [line.casefold() if ignore_case else line for line in result["new_text"].splitlines()]
    assert len(lines) == len(set(lines)) == result["lines_kept"]


def test_sorting() -> None:
    stock = "name,qty\nitem 10,5\nitem 2,30\n\nitem 1,none"
    assert call(
        "sort_text_lines",
        text=stock,
        order_by="number",
        key_column=2,
        header_lines=1,
        descending=True,
        blank_lines="drop",
    ) == {
        "new_text": "name,qty\nitem 2,30\nitem 10,5\nitem 1,none",
        "lines_sorted": 2,
        "lines_without_key": 1,
        "was_sorted": False,
    }
    mixed = "Item 10\nitem 2\n2 items"
    assert call("sort_text_lines", text=mixed, order_by="natural")["new_text"] == "2 items\nitem 2\nItem 10"
    assert call("sort_text_lines", text=mixed, order_by="alphabet", ignore_case=False)["new_text"] == (
        "2 items\nItem 10\nitem 2"
    )
    assert call("sort_text_lines", text="ccc\na b\nd", order_by="word_count")["new_text"] == "ccc\nd\na b"
    assert call("sort_text_lines", text="ccc\na b\nd", order_by="length")["new_text"] == "d\nccc\na b"
    by_second = call("sort_text_lines", text="a;2\nb;1", order_by="alphabet", key_column=2, separator="semicolon")
    assert by_second["new_text"] == "b;1\na;2"


@given(LINES, st.sampled_from(["alphabet", "natural", "number", "length", "word_count"]), st.booleans())
def test_sorting_loses_no_line_and_is_stable(text: str, order_by: str, descending: bool) -> None:
    options: dict[str, Any] = {"order_by": order_by, "descending": descending}
    once = call("sort_text_lines", text=text, **options)
    assert Counter(once["new_text"].split("\n")) == Counter(text.splitlines())
    if once["new_text"]:
        twice = call("sort_text_lines", text=once["new_text"] + "\n", **options)
        assert twice["was_sorted"] and twice["new_text"] == once["new_text"]
