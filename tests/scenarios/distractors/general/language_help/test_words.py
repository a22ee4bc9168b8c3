"""Tests of language_help/words: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused


@pytest.mark.parametrize(
    ("noun", "plural", "rule"),
    [
        ("branch", "branches", "es"),
        ("City", "cities", "y_to_ies"),
        ("key", "keys", "s"),
        ("office chair", "office chairs", "s"),
        ("mother-in-law", "mothers-in-law", "irregular"),
        ("ground-floor shelf", "ground-floor shelves", "irregular"),
        ("chairwoman", "chairwomen", "irregular"),
        ("human", "humans", "s"),
        ("photo", "photos", "s"),
        ("hero", "heroes", "es"),
        ("stomach", "stomachs", "irregular"),
        ("monarch", "monarchs", "s"),
        ("sheep", "sheep", "unchanged"),
        ("bus", "buses", "es"),
    ],
)
def test_plurals(noun: str, plural: str, rule: str) -> None:
    assert call("form_english_plural", noun=noun, count=1200) == {
        "plural": plural,
        "phrase": f"1,200 {plural}",
        "rule": rule,
    }


def test_one_thing_and_things_without_number() -> None:
    assert call("form_english_plural", noun="box", count=1)["phrase"] == "1 box"
    assert call("form_english_plural", noun="box", count=0)["phrase"] == "0 boxes"
    refused("noun", "form_english_plural", noun="office furniture")


@given(st.text("abcdefgh", min_size=1, max_size=12))
def test_most_plurals_begin_with_the_noun(noun: str) -> None:
    result = call("form_english_plural", noun=f"{noun}t")
    assert result["plural"] == f"{noun}ts"


@pytest.mark.parametrize(
    ("options", "words", "figures"),
    [
        ({"number": 0}, "zero", "0"),
        ({"number": 21, "form": "ordinal"}, "twenty-first", "21st"),
        ({"number": 112, "form": "ordinal", "use_and": True}, "one hundred and twelfth", "112th"),
        ({"number": 40, "form": "ordinal"}, "fortieth", "40th"),
        ({"number": -1005, "use_and": True}, "minus one thousand and five", "-1,005"),
        ({"number": 1_234_567}, "one million two hundred thirty-four thousand five hundred sixty-seven", "1,234,567"),
        ({"number": 10**15}, "one quadrillion", "1,000,000,000,000,000"),
        ({"number": 1984, "form": "year", "capitals": "first_word"}, "Nineteen eighty-four", "1984"),
        ({"number": 1905, "form": "year", "capitals": "all_words"}, "Nineteen Oh Five", "1905"),
        ({"number": 1900, "form": "year"}, "nineteen hundred", "1900"),
        ({"number": 2005, "form": "year", "use_and": True}, "two thousand and five", "2005"),
        ({"number": 2026, "form": "year", "hyphenate": False}, "twenty twenty six", "2026"),
    ],
)
def test_number_words(options: dict[str, Any], words: str, figures: str) -> None:
    result = call("spell_number_words", **options)
    assert (result["words"], result["figures"]) == (words, figures)
    assert result["letters"] == sum(map(str.isalpha, words))


def test_years_have_four_digits() -> None:
    refused("number", "spell_number_words", number=999, form="year")


UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
LARGE = "thousand million billion trillion quadrillion"
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
VALUES = {word: value for value, word in enumerate(f"{UNITS} seventeen eighteen nineteen".split())}
VALUES |= {word: 10 * tens for tens, word in enumerate(TENS.split(), 2)}
SCALES = {word: 1000**power for power, word in enumerate(LARGE.split(), 1)}


def read(words: str) -> int:
    """Read number words as a person does."""
    total = group = 0
    for word in words.replace("-", " ").split():
        if word in VALUES:
            group += VALUES[word]
        elif word == "hundred":
            group *= 100
        elif word in SCALES:
            total, group = total + group * SCALES[word], 0
    return -(total + group) if words.startswith("minus") else total + group


@given(st.integers(-(10**15), 10**15) | st.integers(-3000, 3000), st.booleans(), st.booleans())
def test_number_words_can_be_read_back(number: int, use_and: bool, hyphenate: bool) -> None:
    words = call("spell_number_words", number=number, use_and=use_and, hyphenate=hyphenate)["words"]
    assert read(words) == number


@pytest.mark.parametrize(
    ("word", "syllables"),
    [
        ("the", 1), ("make", 1), ("makes", 1), ("table", 2), ("tables", 2), ("walked", 1), ("wanted", 2), ("boxes", 2),
        ("changes", 2), ("banana", 3), ("university", 5), ("München", 2),
    ],
)  # fmt: skip
def test_syllables(word: str, syllables: int) -> None:
    assert call("count_syllables", text=word)["syllables"] == syllables


def test_syllables_of_a_text() -> None:
    assert call("count_syllables", text="The banana is 2 big bananas.") == {
        "words": 5,
        "syllables": 9,
        "average_per_word": 1.8,
        "words_of_three_or_more": 2,
    }
    refused("text", "count_syllables", text="123 ...")


@given(st.lists(st.text("abekot", min_size=1, max_size=8), min_size=1, max_size=20))
def test_syllables_add_up(words: list[str]) -> None:
    whole = call("count_syllables", text=" ".join(words))
    assert whole["syllables"] == sum(call("count_syllables", text=word)["syllables"] for word in words)
    assert whole["words"] <= whole["syllables"] <= sum(map(len, words))
