"""Help with English: examples of grammars and standards, and properties by independent ways."""

from collections import Counter
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call, empty_bank, refused


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
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
LARGE = "thousand million billion trillion quadrillion"
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


def test_edit_distance() -> None:
    assert call("measure_edit_distance", first_text="kitten", second_text="sitting") == {
        "distance": 3,
        "similarity_percent": 57.1,
    }
    name: dict[str, Any] = {"first_text": "Müller", "second_text": "muler", "ignore_case": True}
    assert call("measure_edit_distance", **name)["distance"] == 2
    assert call("measure_edit_distance", **name, ignore_accents=True, deletion_cost=3)["distance"] == 3
    form: dict[str, Any] = {"first_text": "form", "second_text": "from"}
    assert call("measure_edit_distance", **form)["distance"] == 2
    assert call("measure_edit_distance", **form, allow_swaps=True)["distance"] == 1
    # A replacement for 9 costs more than deleting and inserting.
    assert call("measure_edit_distance", first_text="a", second_text="b", substitution_cost=9)["distance"] == 2
    assert call("measure_edit_distance", first_text="a", second_text="b")["similarity_percent"] == 0
    with pytest.raises(ToolError):
        call("measure_edit_distance", first_text="", second_text="b")


@given(
    st.text("abc", min_size=1, max_size=7), st.text("abc", min_size=1, max_size=7), st.tuples(*[st.integers(1, 4)] * 3)
)
def test_edit_distance_is_the_cheapest_way(first: str, second: str, costs: tuple[int, int, int]) -> None:
    insertion, deletion, substitution = costs

    @cache
    def cheapest(i: int, j: int) -> int:
        if i == len(first) or j == len(second):
            return deletion * (len(first) - i) + insertion * (len(second) - j)
        if first[i] == second[j]:
            return cheapest(i + 1, j + 1)
        return min(deletion + cheapest(i + 1, j), insertion + cheapest(i, j + 1), substitution + cheapest(i + 1, j + 1))

    prices: dict[str, Any] = {"insertion_cost": insertion, "deletion_cost": deletion, "substitution_cost": substitution}
    result = call("measure_edit_distance", first_text=first, second_text=second, **prices)
    assert result["distance"] == cheapest(0, 0)
    assert 0 <= result["similarity_percent"] <= 100
    swapping = call("measure_edit_distance", first_text=first, second_text=second, **prices, allow_swaps=True)
    assert swapping["distance"] <= result["distance"]


def test_sound_groups() -> None:
    # The examples of the US National Archives and their usual companions.
    names = ["Robert", "Rupert", "Ashcraft", "Tymczak", "Pfister", "Honeyman", "Lee", "Washington", "Ashcroft"]
    result = call("group_names_by_sound", names=names)
    assert {group["code"]: group["names"] for group in result["groups"]} == {
        "A261": ["Ashcraft", "Ashcroft"],
        "H555": ["Honeyman"],
        "L000": ["Lee"],
        "P236": ["Pfister"],
        "R163": ["Robert", "Rupert"],
        "T522": ["Tymczak"],
        "W252": ["Washington"],
    }
    assert result["names_with_company"] == 4
    longer = call("group_names_by_sound", names=["Washington"], code_length=6)
    assert longer["groups"][0]["code"] == "W25235"
    refused("names", "group_names_by_sound", names=["Lee", "李"])


@given(st.lists(st.text("abhklmrstw", min_size=1, max_size=9), min_size=1, max_size=20))
def test_every_name_has_one_group(names: list[str]) -> None:
    groups = call("group_names_by_sound", names=names)["groups"]
    assert Counter(name for group in groups for name in group["names"]) == Counter(names)
    assert all(name[0].upper() == group["code"][0] for group in groups for name in group["names"])


def test_reading_time() -> None:
    # 2400 words at 240 take 10 minutes, half as much again 15, 6 pictures 1 more.
    options: dict[str, Any] = {"word_count": 2400, "pictures": 6, "slower_by_percent": 50}
    assert call("estimate_reading_time", **options, break_after_minutes=10, break_minutes=5) == {
        "reading_minutes": 16,
        "breaks": 1,
        "total_minutes": 21,
        "words_per_minute": 240,
    }
    assert call("estimate_reading_time", word_count=4800, break_after_minutes=20)["breaks"] == 0
    assert call("estimate_reading_time", word_count=4801, break_after_minutes=20)["breaks"] == 1
    assert call("estimate_reading_time", word_count=450, reading_mode="aloud")["total_minutes"] == 3
    assert call("estimate_reading_time", word_count=450, reading_mode="skimming")["total_minutes"] == 1
    own = call("estimate_reading_time", word_count=100, words_per_minute=60, pictures=1, seconds_per_picture=20)
    assert (own["reading_minutes"], own["words_per_minute"]) == (2, 60)
    with pytest.raises(ToolError):
        call("estimate_reading_time", word_count=0)


@given(st.integers(1, 99_999), st.integers(0, 100), st.integers(10, 60))
def test_more_words_take_no_less_time(words: int, slower: int, stretch: int) -> None:
    options: dict[str, Any] = {"slower_by_percent": slower, "break_after_minutes": stretch, "reading_mode": "aloud"}
    first, second = (call("estimate_reading_time", word_count=words + more, **options) for more in (0, 50))
    assert first["total_minutes"] <= second["total_minutes"]
    assert first["total_minutes"] == pytest.approx(first["reading_minutes"] + 10 * first["breaks"], abs=0.11)


def test_spelling() -> None:
    assert call("spell_phonetically", text="Ab-95", mark_capitals=True, radio_digits=True) == {
        "spelled": "capital Alfa Bravo hyphen-minus niner fife",
        "characters": 5,
    }
    police = call("spell_phonetically", text="Nx 3", alphabet="police", separator="dash", other_characters="skip")
    assert police == {"spelled": "Nora - X-ray - three", "characters": 3}
    refused("text", "spell_phonetically", text="a b", other_characters="refuse")
    refused("text", "spell_phonetically", text="--", other_characters="skip")
    refused("text", "spell_phonetically", text="\ufbf9" * 60)


@given(st.text("abcxyzABCXYZ", min_size=1, max_size=40), st.sampled_from(["nato", "police"]))
def test_first_letters_of_the_words_are_the_text(text: str, alphabet: str) -> None:
    spelled = call("spell_phonetically", text=text, alphabet=alphabet, separator="comma")["spelled"]
    assert "".join(word[0] for word in spelled.split(", ")) == text.upper()


def closing(bank: Any, **changes: Any) -> dict[str, Any]:
    entry = {
        "term": "Close of business",
        "definition": "End of the working day",
        "part_of_speech": "phrase",
        "abbreviation": "COB",
        "synonyms": ["end of day"],
        "example": "Send it by close of business.",
    }
    return call("save_glossary_term", bank, **{**entry, **changes})


def test_glossary() -> None:
    bank = empty_bank()
    first = closing(bank)
    assert first["status"] == "added"
    second = call("save_glossary_term", bank, term="Deadline", definition="The last moment, often close of business")
    for query in ("cob", "End  of day", "close of business"):
        found = call("find_glossary_terms", bank, query=query)
        assert [entry["term_id"] for entry in found["entries"]] == [first["term_id"]]
    assert call("find_glossary_terms", bank, query="close")["found"] == 0
    assert call("find_glossary_terms", bank, query="close", match="starts_with")["found"] == 1
    words = call("find_glossary_terms", bank, query="o", match="contains", search_in="definitions", limit=1)
    assert (words["found"], len(words["entries"]), words["entries"][0]["term"]) == (2, 1, "Close of business")

    retired = call(
        "retire_glossary_term", bank, term_id=first["term_id"], reason="Not clear", see_instead=second["term_id"]
    )
    assert retired == {"term_id": first["term_id"], "term": "Close of business", "see_instead": second["term_id"]}
    assert call("find_glossary_terms", bank, query="cob")["found"] == 0
    kept = call("find_glossary_terms", bank, query="cob", include_retired=True)["entries"][0]
    assert (kept["status"], kept["see_instead"]) == ("retired", second["term_id"])

    again = closing(bank, term="close  of BUSINESS")
    assert again == {"term_id": first["term_id"], "status": "replaced"}
    assert call("find_glossary_terms", bank, query="cob")["entries"][0]["status"] == "current"
    changes = bank.diff()
    assert {change.table for change in changes} == {"misc_glossary"}
    assert all(change.after["owner"] == "misc" for change in changes)


def test_glossary_entries_that_cannot_be() -> None:
    bank = empty_bank()
    refused("example", "save_glossary_term", term="Day", definition="24 hours", example="Send it at night.")
    refused("synonyms", "save_glossary_term", term="Day", definition="24 hours", synonyms=["day"])
    refused("term", "save_glossary_term", term=" ", definition="24 hours")
    refused("query", "find_glossary_terms", query=" ")
    refused("term_id", "retire_glossary_term", term_id="GL-123456", reason="Gone")
    key = closing(bank)["term_id"]
    retire: dict[str, Any] = {"name": "retire_glossary_term", "bank": bank, "term_id": key, "reason": "Old"}
    refused("see_instead", **retire, see_instead=key)
    refused("see_instead", **retire, see_instead="GL-123456")
    call("retire_glossary_term", bank, term_id=key, reason="Old")
    refused("term_id", **retire)


@given(st.lists(st.sampled_from(["bond desk", "counter", "vault", "lobby"]), min_size=1, max_size=6))
def test_the_order_of_saving_makes_no_difference(terms: list[str]) -> None:
    banks = empty_bank(), empty_bank()
    for bank, order in zip(banks, (terms, terms[::-1]), strict=True):
        for term in order:
            call("save_glossary_term", bank, term=term, definition=f"What {term} means")
    first, second = (
        call("find_glossary_terms", b, query="what", match="contains", search_in="definitions") for b in banks
    )
    assert first == second and first["found"] == len(set(terms))
