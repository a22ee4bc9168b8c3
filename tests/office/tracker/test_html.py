"""Stripping tags removes nothing else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.tracker.html import strip_tags

TEXT = st.text(alphabet="abc &;'\"\n>é", max_size=8)
TAG = st.sampled_from(
    [
        "<p>",
        "</p>",
        "<br/>",
        "<a href=\"x>y\" title='<b>'>",
        "<!-- <i>no</i> > -->",
        "<?xml version='1'?>",
        "<h1\n a='b'>",
    ]
)


@settings(max_examples=60)
@given(st.lists(st.tuples(TAG, TEXT)), TEXT)
def test_the_text_between_tags_stays(parts: list[tuple[str, str]], first: str) -> None:
    assert strip_tags(first + "".join(tag + text for tag, text in parts)) == first + "".join(text for _, text in parts)


@pytest.mark.parametrize(
    "text",
    ["", "a < b and c > d", "1<2", "</3", "a <b", "a <b title='never ends>", "x <!-- open", "tail <!", "&lt;b&gt;"],
)
def test_what_is_no_tag_stays(text: str) -> None:
    assert strip_tags(text) == text


@settings(max_examples=60)
@given(st.text(alphabet="<>!-/a\"' ", max_size=60))
def test_nothing_is_added(text: str) -> None:
    rest = iter(text)
    assert all(letter in rest for letter in strip_tags(text))


@pytest.mark.parametrize("part", ["<", "<a", "<!--", "<a '", "<a \"'", "<!-- -->"])
def test_it_takes_time_in_proportion(part: str) -> None:
    strip_tags(part * 50_000)  # quadratic time would be minutes
