"""Tests of the thesaurus for renaming tools: new names are unambiguous, and held-out names are new."""

import keyword
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.wordings import Alternatives
from teller_gym.tools.tool import Tool
from teller_gym.variation.options import HELDOUT_SCHEMAS, heldout_schema
from teller_gym.variation.pool import distractors, tools_in_play
from teller_gym.variation.schema import naming
from teller_gym.variation.schema.face import choices_of
from teller_gym.variation.schema.naming import Naming, Thesaurus
from teller_gym.variation.schema.naming import thesaurus as words_of
from tests import tiny

SIDES = ("train", "heldout")
SHARED = dict(words_of())
LOANS = msgspec.yaml.decode(load_scenario("loans").document("schema_words.yaml"), type=dict[str, Alternatives])
FILES = {"shared": SHARED, "loans": LOANS}
HELDOUT = [heldout_schema(number) for number in range(HELDOUT_SCHEMAS)]
LONGEST_SYNONYM = 40
SPELLING = re.compile(r"[a-z]+(_[a-z]+)*")
SAME_MEANING = {
    ("employer_name", "employer"),
    ("payments", "installments"),
    ("type", "category"),
    ("type", "kind"),
}
"""Synonyms that occur in the scenario's own names, with the same meaning."""
assert tiny  # registers the scenario delays, which has no synonyms of its own


def thesaurus() -> Thesaurus:
    return words_of("loans")


def entries_of(name: str) -> tuple[str, ...]:
    return thesaurus().entries_of(name)


@cache
def own() -> tuple[Tool, ...]:
    return tuple(tools_in_play("loans", 0, "").values())


@cache
def pool() -> tuple[Tool, ...]:
    return tuple(tools_in_play("loans", len(distractors()), "").values())


def names_of(tools: Iterable[Tool]) -> list[str]:
    """Return the names of tools, parameters and outputs in a schema."""
    return [name for tool in tools for name in (tool.name, *(p.name for p in tool.parameters), *tool.outputs)]


def synonyms_of(entry: str, side: str) -> tuple[str, ...]:
    found: tuple[str, ...] = getattr(thesaurus()[entry], side)
    return found


def synonyms() -> list[tuple[str, str, str]]:
    """Return every synonym as (entry, side, synonym)."""
    return [(entry, side, synonym) for entry in thesaurus() for side in SIDES for synonym in synonyms_of(entry, side)]


def plural(word: str) -> str:
    if re.search("[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search("(s|x|ch|sh)$", word) else "s")


def bare(name: str) -> str:
    """Return a name in lower case without separators, because style differs between schemas."""
    return re.sub("[_-]", "", name).lower()


def every_name(name: str, side: str) -> Iterator[str]:
    """Yield all possible new names in schemas of one side, with the verb first or last."""
    choices = [
        (*((entry,) if side == "train" else ()), *synonyms_of(entry, side)) if entry in thesaurus() else (entry,)
        for entry in entries_of(name)
    ]
    for first, *rest in product(*choices):
        yield from (bare("".join([first, *rest])), bare("".join([*rest, first])))


def test_entries_are_sorted_and_have_synonyms_of_both_kinds() -> None:
    for words in FILES.values():
        assert list(words) == sorted(words)
    for entry in thesaurus():
        train, heldout = ([bare(synonym) for synonym in synonyms_of(entry, side)] for side in SIDES)
        assert train, entry
        assert heldout, entry
        assert len({*train, *heldout, bare(entry)}) == len(train) + len(heldout) + 1, entry


def test_spelling() -> None:
    for entry, _, synonym in synonyms():
        assert SPELLING.fullmatch(synonym), (entry, synonym)
        assert len(synonym) <= LONGEST_SYNONYM, (entry, synonym)
        assert not keyword.iskeyword(synonym), (entry, synonym)


def test_every_entry_is_in_use() -> None:
    # Choices of a parameter become part of the names of split tools.
    split = [f"{tool.name}_{word}" for tool in pool() for _, words in choices_of(tool, 3) for word in words]
    used = {entry for name in (*names_of(pool()), *split) for entry in entries_of(name)}
    assert set(thesaurus()) - used == set()


def test_shared_words_speak_of_no_scenario_and_none_is_said_twice() -> None:
    lending = re.compile("loan|lend|credit|mortgage|borrow|collateral|tradeline")
    spoken = {(entry, word) for entry, words in SHARED.items() for word in (entry, *words.train, *words.heldout)}
    assert {(entry, word) for entry, word in spoken if lending.search(word)} == set()
    assert not SHARED.keys() & LOANS.keys()


def test_words_of_one_scenario_change_no_schema_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(scenario: str) -> list[str]:
        names = (Naming(f"{key}", heldout, scenario) for key in range(20) for heldout in (False, True))
        return [one.of_parameter(name) for one in names for name in ("due_date", "portfolio", "customer_id", "delay")]

    other, loans = drawn("delays"), drawn("loans")
    file = load_scenario("loans").optional_document
    assert other != loans and drawn("") == other
    louder = b"delay: {train: [lateness], heldout: [belatedness]}\n"
    monkeypatch.setattr(
        load_scenario("loans"), "optional_document", lambda name: (file(name) or b"") + louder, raising=False
    )
    words_of.cache_clear()
    try:
        assert drawn("delays") == other and drawn("loans") != loans
    finally:
        monkeypatch.undo()
        words_of.cache_clear()
    assert drawn("loans") == loans


def test_a_scenario_may_give_a_shared_word_other_synonyms() -> None:
    words = Thesaurus({"due_date": Alternatives(("payday",), ("reckoning",))})
    assert words["due_date"].train == ("payday",) and words["get"] == SHARED["get"]
    assert len(words) == len(SHARED)


def test_a_file_that_cannot_be_read_says_what_is_expected() -> None:
    with pytest.raises(ScenarioError, match=r"delays: schema_words.yaml: expected entries word: \{train: .*`heldout`"):
        naming._read(b"delay: {train: [lateness]}", "delays")


def test_a_synonym_stands_for_one_entry_and_is_no_word_with_another_meaning() -> None:
    names = names_of(own())
    used = {entry for name in names for entry in entries_of(name)}
    words = {word for name in names for word in name.split("_")} | set(names)
    found = [(entry, synonym) for entry, _, synonym in synonyms() if entry in used]
    assert len({bare(synonym) for _, synonym in found}) == len(found)
    assert {(entry, synonym) for entry, synonym in found if synonym in words} == SAME_MEANING


def test_a_plural_is_renamed_as_its_singular() -> None:
    pairs = [(entry, plural(entry)) for entry in thesaurus() if plural(entry) in thesaurus()]
    assert len(pairs) >= 4
    for one, many in pairs:
        for side in SIDES:
            assert tuple(map(plural, synonyms_of(one, side))) == synonyms_of(many, side), one


def test_a_held_out_name_is_none_of_training() -> None:
    for name in dict.fromkeys(names_of(pool())):
        if not thesaurus().keys().isdisjoint(entries_of(name)):
            assert set(every_name(name, "train")).isdisjoint(every_name(name, "heldout")), name


@settings(max_examples=50, deadline=None)
@given(st.integers(min_value=0), st.booleans())
def test_renaming_keeps_names_apart(seed: int, heldout: bool) -> None:
    drawn = Naming(str(seed), heldout, "loans")
    tools = [bare(drawn.of_tool(tool.name)) for tool in pool()]
    assert len(set(tools)) == len(tools)
    # Names are distinct in the whole pool, so that a field has one meaning in a schema.
    fields = list(dict.fromkeys(name for tool in pool() for name in names_of([tool])[1:]))
    assert len({bare(drawn.of_parameter(name)) for name in fields}) == len({bare(name) for name in fields})


@pytest.mark.parametrize("schema", HELDOUT)
def test_what_a_procedure_needs_is_renamed(schema: str) -> None:
    shifted = tools_in_play("loans", 0, "", schema)
    for original, shown in shifted.names.items():
        assert {bare(name) for name in shown}.isdisjoint(every_name(original, "train")), original


def test_most_words_of_a_procedure_are_renamed() -> None:
    entries = [entry for name in names_of(own()) for entry in entries_of(name)]
    renamed = sum(entry.count("_") + 1 for entry in entries if entry in thesaurus())
    assert renamed >= 0.7 * sum(entry.count("_") + 1 for entry in entries)
