"""Alternative wordings of the tools' descriptions: same meaning, different words."""

import re
from collections import Counter

import pytest

from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.tools.tool import Tool
from teller_gym.variation.options import HELDOUT_SCHEMAS, heldout_schema
from teller_gym.variation.pool import tools_in_play
from teller_gym.variation.schema.naming import LONGEST_NAME
from tests.scenarios.bank_scenarios import NAMES, each_scenario

LONGEST_COPY = 7
"""Largest number of consecutive words that two texts may share."""
TERMS = {
    "loans": """alert apr\\b appraisal autopay auto\\b balloon band bureau business calendar closing collateral
        colleague condominium counter-offer courtesy criterion deadline deci deni desk disclosure
        document escrow exposure factor fee grade holiday housing income incomplete legal letter level
        limit mask master mortgage newest offer pension preliminary principal ratio registry reminder
        revolving rout saving score segment soft support surcharge tradeline vehicle""",
    "accounts": """alert amount banking bureau business calendar claim clock colleague courtesy covered deadline
        deci deposit desk document draft holiday identi legal letter liability mandate movement notice
        payable policy proced registry reminder request restriction rout segment service statement
        stop\\sorder surcharge transfer weekend""",
    "savings": """account anchor\\sday balance bonus business calendar cap\\b category charge colleague courtesy
        deadline deci deposit desk draft holiday insur interest legal loan mask maturity movement
        notice own policy qualify rate registry reminder request restriction segment term waiver
        watch\\slist withdraw""",
    "investments": """account authorit brokerage business calendar cash class colleague concentration courtesy
        criterion deadline deci desk distribut divisor draft fee gain holding holiday instruct interest
        issuer legal limit linked loss lot margin mask master minimum notice payout pending pledged
        policy portfolio position preliminary price profile purchase questionnaire quiz registration
        registry reminder request restriction rout securit segment signer statement suitable tax
        transfer wash working\\ssheet""",
}
"""Terms that every wording must keep, some as word beginnings (for decided and decision); credit cards texts are closer
to each other and have none."""
each_tool = pytest.mark.parametrize(
    ("name", "tool"),
    [
        pytest.param(name, tool, id=f"{name}-{tool.name}")
        for name in NAMES
        if name in TERMS
        for tool in load_scenario(name).tools.values()
    ],
)
NEGATION = re.compile(r"\b(no|not|nothing|nobody|none|neither|nor|without|leaves? out|left out|except|excluded)\b")


def texts(name: str, tool: Tool) -> tuple[str, str, str]:
    """Return a tool's own description, its training wording and its held-out wording."""
    wording = load_scenario(name).wordings[tool.name]
    return tool.description, wording.train[0], wording.heldout[0]


def runs(text: str) -> set[tuple[str, ...]]:
    """Return all runs of words longer than ``LONGEST_COPY``."""
    found, size = re.findall(r"[a-z0-9]+", text.lower()), LONGEST_COPY + 1
    return {tuple(found[start : start + size]) for start in range(len(found) - size + 1)}


@each_scenario
def test_every_tool_has_one_of_each_kind(scenario: Scenario) -> None:
    assert list(scenario.wordings) == list(scenario.tools)
    for wording in scenario.wordings.values():
        assert (len(wording.train), len(wording.heldout)) == (1, 1)


@each_tool
def test_three_texts_are_told_in_different_words(name: str, tool: Tool) -> None:
    own, train, heldout = map(runs, texts(name, tool))
    assert not own & train and not own & heldout and not train & heldout
    assert len(set(texts(name, tool))) == 3


@each_tool
def test_numbers_names_and_terms_are_the_same(name: str, tool: Tool) -> None:
    own, *others = (Counter(re.findall(r"\b\d[\d,.]*\b|\b\w+_\w+\b", text)) for text in texts(name, tool))
    assert others == [own, own]
    term = re.compile(rf"\b({'|'.join(TERMS[name].split())})", re.IGNORECASE)
    first, *rest = (set(map(str.lower, term.findall(text))) for text in texts(name, tool))
    assert rest == [first, first]


@each_tool
def test_what_a_description_denies_the_others_deny(name: str, tool: Tool) -> None:
    own, *others = (bool(NEGATION.search(text.lower())) for text in texts(name, tool))
    assert all(others) or not own


@each_tool
def test_they_are_sentences_of_similar_length(name: str, tool: Tool) -> None:
    own, *others = texts(name, tool)
    for other in others:
        assert re.fullmatch(r"[A-Z][^\n]*\.", other) and "  " not in other
        assert 0.7 * len(own) <= len(other) <= 1.7 * len(own) + 20


@each_scenario
@pytest.mark.parametrize("schema", [heldout_schema(number) for number in range(HELDOUT_SCHEMAS)])
def test_held_out_schemas_show_the_held_out_wording(scenario: Scenario, schema: str) -> None:
    for face in tools_in_play(scenario.name, 0, "", schema).values():
        assert scenario.wordings[face.original.name].heldout[0] in face.description
        assert len(face.name) <= LONGEST_NAME
