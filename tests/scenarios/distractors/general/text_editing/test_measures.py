"""Tests of text_editing/measures: expected values worked out by hand, or anew in another way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused
from tests.scenarios.distractors.general.text_editing.values import WORDS


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
