"""Tests of language_help/sounds: expected values worked out by hand, or anew in another way."""

from collections import Counter
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call, refused


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
