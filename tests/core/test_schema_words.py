"""The thesaurus for renaming tools: each new name says one thing, and a held-out name is new."""

import keyword
import random
import re
from collections.abc import Iterable
from functools import cache
from importlib import resources

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.pool import distractors, tools_in_play
from teller_gym.tools import Tool

SIDES = ("train", "heldout")
LONGEST_SYNONYM = 24
LONGEST_NAME = 64  # of a function in OpenAI's format
SPELLING = re.compile(r"[a-z]+(_[a-z]+)?")


@cache
def entries() -> dict[str, dict[str, list[str]]]:
    """Return the file as it is."""
    loaded: dict[str, dict[str, list[str]]] = yaml.safe_load(
        resources.files("teller_gym").joinpath("schema_words.yaml").read_bytes()
    )
    return loaded


@cache
def pool() -> tuple[Tool, ...]:
    return tuple(tools_in_play("loans", len(distractors()), "").values())


def names_of(tools: Iterable[Tool]) -> list[str]:
    """Return all names that a schema shows: of tools, parameters and outputs."""
    return [name for tool in tools for name in (tool.name, *(p.name for p in tool.parameters), *tool.outputs)]


@cache
def words_in_use() -> frozenset[str]:
    return frozenset(word for name in names_of(pool()) for word in name.split("_"))


def synonyms() -> list[tuple[str, str, str]]:
    """Return (word, side, synonym) of every synonym."""
    return [(word, side, synonym) for word, entry in entries().items() for side in SIDES for synonym in entry[side]]


def plural(word: str) -> str:
    if re.search("[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search("(s|x|ch|sh)$", word) else "s")


def components(side: str) -> set[str]:
    return {part for _, of_side, synonym in synonyms() if of_side == side for part in synonym.split("_")}


def rename(name: str, chosen: dict[str, str]) -> str:
    return "_".join(chosen.get(word, word) for word in name.split("_"))


def test_entries_are_sorted_and_say_two_synonyms_of_each_kind() -> None:
    assert list(entries()) == sorted(entries())
    for word, entry in entries().items():
        assert set(entry) == set(SIDES), word
        for side in SIDES:
            assert len(set(entry[side])) >= 2, (word, side)


def test_spelling() -> None:
    for word, _, synonym in synonyms():
        assert SPELLING.fullmatch(synonym), (word, synonym)
        assert len(synonym) <= LONGEST_SYNONYM, (word, synonym)
        assert not keyword.iskeyword(synonym), (word, synonym)


def test_every_word_is_in_use_and_no_synonym_is() -> None:
    used = words_in_use()
    assert set(entries()) <= used
    plurals = {plural(word) for word in used}
    taken = [s for s in synonyms() if s[2] in used or s[2] in plurals or plural(s[2]) in used]
    assert taken == []


def test_a_synonym_stands_for_one_word() -> None:
    owners = [synonym for _, _, synonym in synonyms()]
    assert len(owners) == len(set(owners))


def test_two_synonyms_differ_in_number_only_where_their_words_do() -> None:
    owner = {synonym: word for word, _, synonym in synonyms()}
    for synonym, word in owner.items():
        assert owner.get(plural(synonym), plural(word)) == plural(word), (word, synonym)


def test_a_plural_is_renamed_as_its_singular() -> None:
    pairs = [(word, plural(word)) for word in entries() if plural(word) in entries()]
    assert len(pairs) >= 30
    for one, many in pairs:
        for side in SIDES:
            assert [plural(synonym) for synonym in entries()[one][side]] == entries()[many][side], one


def test_two_words_for_one_can_be_told_from_two_names() -> None:
    parts = [part for _, _, synonym in synonyms() for part in synonym.split("_")]
    for word, _, synonym in synonyms():
        if "_" in synonym:
            own = [part for part in synonym.split("_") if parts.count(part) == 1 and part not in words_in_use()]
            assert own, (word, synonym)


def test_held_out_synonyms_share_no_part_with_those_of_training() -> None:
    never_renamed = words_in_use() - set(entries())
    assert components("train") & components("heldout") <= never_renamed


def test_held_out_synonyms_take_no_word_that_training_renames() -> None:
    # Training schemas leave some words as they are; a held-out name must not be made of these.
    assert components("heldout").isdisjoint(entries())


@settings(max_examples=50)
@given(st.integers(min_value=0), st.sampled_from(SIDES))
def test_renaming_keeps_names_apart(seed: int, side: str) -> None:
    draw = random.Random(str(seed)).random
    chosen = {word: entry[side][int(draw() * len(entry[side]))] for word, entry in entries().items()}
    scopes = [[tool.name for tool in pool()]]
    for tool in pool():
        scopes += [[parameter.name for parameter in tool.parameters], list(tool.outputs)]
    for scope in scopes:
        # Without separators, as a schema in camel case writes them.
        assert len({rename(name, chosen).replace("_", "") for name in scope}) == len(set(scope)), scope
    assert max(len(rename(name, chosen)) for name in names_of(pool())) <= LONGEST_NAME


def test_what_a_procedure_needs_is_renamed() -> None:
    own = list(tools_in_play("loans", 0, "").values())
    unchanged = [tool.name for tool in own if entries().keys().isdisjoint(tool.name.split("_"))]
    assert unchanged == []
    words = [word for name in names_of(own) for word in name.split("_")]
    assert sum(word in entries() for word in words) >= 2 / 3 * len(words)
