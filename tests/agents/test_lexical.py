"""The program that compares words finds the edges that words reveal, and its claim fails if they reveal too much."""

import pytest

from teller_gym.agents.lexical import PRUNES, SETTINGS, Lexical, Reading
from teller_gym.agents.likeness import Index, Weights, nearest, spaced, stems
from teller_gym.proof import graphs
from teller_gym.stage1.task import graph_task

HEAD = """## The procedure

{story}

## What is a node, what is an edge

## The tools

### get_claim
Read a claim.
Inputs:
- claim_id (string): The claim.
Outputs: claimed_amount, receipt_day

### pay_claim
Pay what a claim asks for.
Inputs:
- claimed_amount (number): How much.
Outputs: payment_code

### water_plants
Say when the plants want water.
Inputs: none
Outputs: none

## Your answer
"""


def read(story: str = "Nothing is said.") -> str:
    return HEAD.format(story=story)


def test_equal_names_make_an_edge_and_tools_without_a_link_are_left_out() -> None:
    graph = Lexical(likeness=0.9, texts=0.0, prune="none", precedences=False).answer("loans", read())
    assert graph.nodes == ("get_claim", "pay_claim", "water_plants")
    assert graph.edges == (("get_claim", "pay_claim"),)
    assert Lexical(likeness=0.9, texts=0.0, prune="linked").answer("loans", read()).nodes == ("get_claim", "pay_claim")


@pytest.mark.parametrize(
    "story",
    [
        "get_claim comes before water_plants.",
        "water_plants has to wait for get_claim.",
        "Nobody does water_plants until get_claim is done.",
        "Only once get_claim is done, water_plants follows.",
        "After get_claim has been done, comes water_plants.",
        "water_plants rests on get_claim.",
        "One must read the claim before the plants want any water.",
    ],
)
def test_precedences_are_read_by_connectives(story: str) -> None:
    assert Reading("loans", read(story)).precedences == [("get_claim", "water_plants")]


def test_a_sentence_without_a_connective_makes_no_edge() -> None:
    assert Reading("loans", read("get_claim and water_plants are tools.")).precedences == []


def test_names_are_cut_and_stemmed_however_they_are_written() -> None:
    assert spaced("DateOfBirth") == spaced("date-of-birth") == spaced("dateOfBirth") == "date of birth"
    assert stems("verifying payments") == stems("Verified payment")


def test_words_of_training_are_known_and_rare_words_count_more() -> None:
    weights = Weights("loans", ["fetch the client", "the client", "the client", "a parrot"])
    vector = weights.vector("get_customer parrot")
    assert weights.vector("client") == weights.vector("customer")
    assert vector["parrot"] > vector[next(iter(weights.vector("client")))]
    place, value = nearest(weights.vector("parrot"), Index([weights.vector("client"), vector]), range(0))
    assert place == 1 and 0 < value < 1


def test_the_check_measures_each_number_of_distractors() -> None:
    found = graphs.lexical_answer("Teller-LoansGraph-v0", 2)
    assert found.passed and set(found.measured["by_distractors"]) == {"0", "20", "40", "all"}
    assert all(0 < one["node_f1"] < 0.7 and one["edge_f1"] < 0.35 for one in found.measured["by_distractors"].values())


def test_the_check_fails_where_names_give_the_graph_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def plain(scenario: str, split: str, number: int, *, distractors: int | str) -> object:
        return graph_task(scenario, split, number, distractors=distractors, schema_shift=False)

    monkeypatch.setattr(graphs, "graph_task", plain)
    found = graphs.lexical_answer("Teller-LoansGraph-v0", 1)
    assert not found.passed and any(problem.startswith("0 distractors: edge F1 0.") for problem in found.problems)


def test_every_setting_can_be_played() -> None:
    assert {one.prune for one in SETTINGS} == set(PRUNES)
    for one in SETTINGS:
        assert set(one.answer("loans", read()).nodes) <= {"get_claim", "pay_claim", "water_plants"}
