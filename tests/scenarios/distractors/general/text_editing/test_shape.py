"""Tests of text_editing/shape: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused
from tests.scenarios.distractors.general.text_editing.values import WORDS


def test_wrapping() -> None:
    text = "The quick brown fox jumps over the lazy dog.\n\nNew line"
    assert call("wrap_text_block", text=text, width=20, line_prefix="> ", first_line_indent=2) == {
        "wrapped_text": ">   The quick brown\n> fox jumps over the\n> lazy dog.\n>\n>   New line",
        "lines": 4,
        "longest_line": 20,
    }
    justified = call("wrap_text_block", text="aa bb cc dddd", width=10, alignment="justify")
    assert justified["wrapped_text"] == "aa  bb  cc\ndddd"
    centred = call("wrap_text_block", text="abcd", width=11, alignment="center")
    assert centred["wrapped_text"] == "   abcd"
    whole = call("wrap_text_block", text="x" * 30, width=10, break_long_words=False)
    assert (whole["lines"], whole["longest_line"]) == (1, 30)
    refused("width", "wrap_text_block", text="a", width=20, hanging_indent=15)
    refused("text", "wrap_text_block", text=" \n ", width=20)


@given(WORDS, st.integers(10, 60), st.sampled_from(["left", "right", "center", "justify"]), st.integers(0, 5))
def test_wrapped_lines_fit_and_keep_the_words(text: str, width: int, alignment: str, indent: int) -> None:
    wrapped = call("wrap_text_block", text=text, width=width + 5, alignment=alignment, hanging_indent=indent)
    lines = wrapped["wrapped_text"].split("\n")
    assert max(map(len, lines)) == wrapped["longest_line"] <= width + 5
    assert wrapped["wrapped_text"].split() == text.split()


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("snake", "parse_http_response_of_pdf"),
        ("kebab", "parse-http-response-of-pdf"),
        ("constant", "PARSE_HTTP_RESPONSE_OF_PDF"),
        ("camel", "parseHttpResponseOfPdf"),
        ("pascal", "ParseHttpResponseOfPdf"),
        ("title", "Parse Http Response Of Pdf"),
        ("sentence", "Parse http response of pdf"),
    ],
)
def test_case_styles(style: str, expected: str) -> None:
    assert call("convert_case_style", phrase="parseHTTPResponse of-PDF", style=style) == {
        "converted": expected,
        "words": 5,
    }


def test_acronyms_and_phrases_without_words() -> None:
    kept = call("convert_case_style", phrase="read the PDF", style="pascal", keep_acronyms=True)
    assert kept["converted"] == "ReadThePDF"
    refused("phrase", "convert_case_style", phrase="-_-", style="camel")


@given(WORDS)
def test_snake_case_stays_snake_case(text: str) -> None:
    once = call("convert_case_style", phrase=text[:60], style="snake")["converted"]
    assert call("convert_case_style", phrase=once, style="snake")["converted"] == once


@pytest.mark.parametrize(
    ("options", "expected", "removed"),
    [
        ({"limit": 3}, "The quick brown…", 3),
        ({"limit": 2, "keep": "both_ends"}, "The…over", 4),
        ({"limit": 2, "keep": "end", "ellipsis": ""}, "jumps over", 4),
        ({"limit": 12, "unit": "characters"}, "The quick…", 21),
        ({"limit": 12, "unit": "characters", "whole_words": False}, "The quick b…", 19),
        ({"limit": 13, "unit": "characters", "keep": "both_ends", "ellipsis": " ... "}, "The ... over", 23),
    ],
)
def test_truncation(options: dict[str, Any], expected: str, removed: int) -> None:
    text = "The quick brown fox jumps over"
    assert call("truncate_text", text=text, **options) == {
        "short_text": expected,
        "was_cut": True,
        "units_removed": removed,
    }


def test_truncation_of_sentences_and_refusal() -> None:
    short = call("truncate_text", text="One. Two! Three? Four.", limit=3, unit="sentences", keep="both_ends")
    assert short["short_text"] == "One. Two!…Four."
    assert not call("truncate_text", text="One. Two!", limit=2, unit="sentences")["was_cut"]
    refused("limit", "truncate_text", text="abcdef", limit=3, unit="characters", ellipsis="...")


@given(WORDS, st.integers(4, 60), st.sampled_from(["start", "end", "both_ends"]), st.booleans())
def test_short_texts_keep_to_the_limit(text: str, limit: int, keep: str, whole_words: bool) -> None:
    short = call("truncate_text", text=text, limit=limit, unit="characters", keep=keep, whole_words=whole_words)
    assert len(short["short_text"]) <= limit or not short["was_cut"]
    assert short["was_cut"] == (len(text) > limit)
    words = call("truncate_text", text=text, limit=limit, keep=keep, ellipsis=" ")
    assert len(words["short_text"].split()) == min(limit, len(text.split()))
