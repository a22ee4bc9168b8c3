"""The tools' descriptions in other words: they say the same, and are truly other words."""

import re
from collections import Counter

import pytest

from teller_gym.procedure.scenario import load_scenario
from teller_gym.tools.tool import Tool
from teller_gym.variation.options import HELDOUT_SCHEMAS, heldout_schema
from teller_gym.variation.pool import tools_in_play
from teller_gym.variation.schema.naming import LONGEST_NAME

SAVINGS = load_scenario("savings")
TOOLS = list(SAVINGS.tools.values())
LONGEST_COPY = 7
"""So many words in a row may be those of another text."""
TERM = re.compile(
    r"""\b(account|anchor\sday|balance|bonus|business|calendar|cap\b|category|charge|colleague|courtesy|deadline|deci|deposit
    |desk|draft|holiday|insur|interest|legal|loan|mask|maturity|movement|notice|own|policy|qualify|rate|registry|reminder
    |request|restriction|segment|term|waiver|watch\slist|withdraw)""",
    re.IGNORECASE | re.VERBOSE,
)
"""What a description may be about and has no other name for; of some words (decided, decision) the beginning."""
NEGATION = re.compile(r"\b(no|not|nothing|nobody|none|neither|nor|without|leaves? out|left out|except|excluded)\b")


def texts(tool: Tool) -> tuple[str, str, str]:
    """Return a tool's own description, that of training and that of held-out schemas."""
    wording = SAVINGS.wordings[tool.name]
    return tool.description, wording.train[0], wording.heldout[0]


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def runs(text: str) -> set[tuple[str, ...]]:
    """Return all runs of words that are longer than may be copied."""
    found, size = words(text), LONGEST_COPY + 1
    return {tuple(found[start : start + size]) for start in range(len(found) - size + 1)}


def test_every_tool_has_one_of_each_kind() -> None:
    assert list(SAVINGS.wordings) == [tool.name for tool in TOOLS]
    for wording in SAVINGS.wordings.values():
        assert (len(wording.train), len(wording.heldout)) == (1, 1)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_three_texts_are_told_in_different_words(tool: Tool) -> None:
    own, train, heldout = map(runs, texts(tool))
    assert not own & train
    assert not own & heldout
    assert not train & heldout
    assert len(set(texts(tool))) == 3


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_numbers_and_names_are_the_same(tool: Tool) -> None:
    own, *others = (Counter(re.findall(r"\b\d[\d,.]*\b|\b\w+_\w+\b", text)) for text in texts(tool))
    assert others == [own, own]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_terms_are_the_same(tool: Tool) -> None:
    own, *others = (set(map(str.lower, TERM.findall(text))) for text in texts(tool))
    assert others == [own, own]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_what_a_description_denies_the_others_deny(tool: Tool) -> None:
    own, *others = (bool(NEGATION.search(text.lower())) for text in texts(tool))
    assert all(others) or not own


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_they_are_sentences_of_similar_length(tool: Tool) -> None:
    own, *others = texts(tool)
    for other in others:
        assert re.fullmatch(r"[A-Z][^\n]*\.", other)
        assert "  " not in other
        assert 0.7 * len(own) <= len(other) <= 1.7 * len(own) + 20


@pytest.mark.parametrize("schema", [heldout_schema(number) for number in range(HELDOUT_SCHEMAS)])
def test_held_out_schemas_show_the_held_out_wording(schema: str) -> None:
    shifted = tools_in_play("savings", 0, "", schema)
    for face in shifted.values():
        assert SAVINGS.wordings[face.original.name].heldout[0] in face.description
        assert len(face.name) <= LONGEST_NAME
