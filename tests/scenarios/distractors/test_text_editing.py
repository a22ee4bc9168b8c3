"""Text editing: values worked out by hand, and properties that hold for any text."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused

WORDS = st.lists(st.text("abcXYZ", min_size=1, max_size=9), min_size=1, max_size=30).map(" ".join)
LINES = st.lists(st.text("aAbB 12,", max_size=6), min_size=1, max_size=15).map("\n".join).filter(bool)


def test_measures() -> None:
    text = "Mr. Cat sat. On 2 mats!\n\nIsn't it well-made?"
    # Words: Mr Cat sat On 2 mats Isn't it well-made; Mr. ends a sentence as far as a machine can tell.
    assert call("measure_text", text=text) == {
        "characters": 44,
        "letters": 28,
        "words": 9,
        "distinct_words": 9,
        "sentences": 4,
        "paragraphs": 2,
        "average_word_length": 3.44,
    }
    assert call("measure_text", text=text, count_numbers=False)["words"] == 8
    assert call("measure_text", text=text, min_word_length=4)["words"] == 3
    assert call("measure_text", text="... \n --")["average_word_length"] == 0


@given(WORDS)
def test_twice_the_text_has_twice_the_words(text: str) -> None:
    once, twice = call("measure_text", text=text), call("measure_text", text=f"{text} {text}")
    assert (twice["words"], twice["letters"]) == (2 * once["words"], 2 * once["letters"])
    assert twice["distinct_words"] == once["distinct_words"]


def test_readability() -> None:
    cat = "The cat sat on the mat."  # 6 words, 17 letters, 1 sentence
    assert call("score_readability", text=cat, formula="automated_readability")["score"] == round(
        4.71 * 17 / 6 + 3 - 21.43, 2
    )
    assert call("score_readability", text=cat, formula="coleman_liau")["score"] == -4.07
    # LIX: 3 words a sentence and one word of three with more than six letters.
    assert call("score_readability", text="Extraordinary cats sat.", formula="lix") == {
        "score": 36.33,
        "difficulty": "easy",
        "words": 3,
    }
    assert call("score_readability", text="Extraordinary circumstances", formula="lix")["difficulty"] == "hard"
    refused("text", "score_readability", text="?!", formula="lix")


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


def test_replacing() -> None:
    text = "cat Cat concat cat"
    given_options: dict[str, Any] = {"search_for": "cat", "replacement": "dog"}
    assert call("replace_in_text", text=text, **given_options)["new_text"] == "dog Cat condog dog"
    assert call("replace_in_text", text=text, **given_options, match_case=False, whole_words=True) == {
        "new_text": "dog dog concat dog",
        "found": 3,
        "replaced": 3,
    }
    some = call("replace_in_text", text=text, **given_options, first_match=2, max_replacements=1)
    assert some == {"new_text": "cat Cat condog cat", "found": 3, "replaced": 1}
    assert call("replace_in_text", text="a.b", search_for=".", replacement=r"\1")["new_text"] == r"a\1b"
    refused("replacement", "replace_in_text", text="a" * 600, search_for="a", replacement="b" * 60)


@given(st.text("ab", min_size=1, max_size=40), st.text("ab", min_size=1, max_size=3), st.text("c", max_size=3))
def test_replacing_agrees_with_python(text: str, old: str, new: str) -> None:
    found = call("replace_in_text", text=text, search_for=old, replacement=new)
    assert (found["new_text"], found["found"]) == (text.replace(old, new), text.count(old))


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


TEXT = (
    "Write to ann@example.org, bob.b@mail.example.com or ann@example.org; see http://x.org/a?b=1. "
    "It costs 1,250.50 not 12,34; -5 or 10k, by 2026-03-04, never on 2026-02-30 #deal"
)


@pytest.mark.parametrize(
    ("kind", "items", "found"),
    [
        ("email", ["ann@example.org", "bob.b@mail.example.com"], 3),
        ("url", ["http://x.org/a?b=1"], 1),
        ("number", ["1", "1,250.50", "-5", "2026", "03", "04", "02", "30"], 9),
        ("iso_date", ["2026-03-04"], 1),
        ("hashtag", ["#deal"], 1),
    ],
)
def test_extraction(kind: str, items: list[str], found: int) -> None:
    result = call("extract_text_items", text=TEXT, kind=kind)
    assert result == {"items": items, "found": found, "distinct": len(items)}


def test_extraction_in_order_and_limited() -> None:
    all_of = call("extract_text_items", text=TEXT, kind="email", distinct_only=False, order="alphabetical", limit=2)
    assert all_of["items"] == ["ann@example.org", "ann@example.org"]
    refused("limit", "extract_text_items", text="#" + "\U0001d552" * 1000, kind="hashtag")


@given(st.lists(st.integers(-9999, 9999), min_size=1, max_size=20))
def test_numbers_are_found_again(numbers: list[int]) -> None:
    text = " and ".join(map(str, numbers))
    found = call("extract_text_items", text=text, kind="number", distinct_only=False)
    assert list(map(int, found["items"])) == numbers


def test_comparison() -> None:
    before, after = "the quick brown fox jumps over the dog", "the quick red fox jumps over the very dog"
    assert call("compare_text_versions", before=before, after=after, unit="word", context=1) == {
        "marked": "… quick [-brown-] {+red+} fox … the {+very+} dog",
        "added": 2,
        "removed": 1,
        "unchanged": 7,
        "similarity_percent": 82.4,  # 14 of 17
    }
    lines = call("compare_text_versions", before="A\nb  c", after="a\nb c\nd", unit="line", ignore_case=True)
    assert (lines["added"], lines["removed"]) == (2, 1)
    spaced = call(
        "compare_text_versions", before="A\nb  c", after="a\nb c\nd", unit="line", ignore_case=True, ignore_spacing=True
    )
    assert (spaced["marked"], spaced["added"], spaced["removed"]) == ("A\nb  c\n{+d+}", 1, 0)
    refused("before", "compare_text_versions", before="ax" * 300, after="ay" * 300, unit="character", context=0)


def common_length(first: str, second: str) -> int:
    """The longest common subsequence by the textbook's table."""
    row = [0] * (len(second) + 1)
    for a in first:
        above, row = row, [0]
        for place, b in enumerate(second):
            row.append(above[place] + 1 if a == b else max(above[place + 1], row[-1]))
    return row[-1]


@given(st.text("abc", min_size=1, max_size=25), st.text("abc", min_size=1, max_size=25))
def test_comparison_is_shortest_and_holds_both_texts(before: str, after: str) -> None:
    result = call("compare_text_versions", before=before, after=after, unit="character", context=600)
    assert result["unchanged"] == common_length(before, after)
    if before == after:
        assert result["marked"] == "…"
        return
    old, new, state = "", "", " "
    for piece in result["marked"].replace("[-", "\0-").replace("{+", "\0+").replace("-]", "\0 ").replace("+}", "\0 "):
        if piece == "\0":
            state = ""
        elif not state:
            state = piece
        else:
            old += piece if state in " -" else ""
            new += piece if state in " +" else ""
    assert (old, new) == (before, after)


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
