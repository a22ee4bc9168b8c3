"""The business context has a sentence for every edge in every draw, and names no tools."""

import re

import pytest

from teller_gym.procedure.graph import EdgeKind
from teller_gym.procedure.scenario import load_scenario
from teller_gym.stage1.graph_words import Sentence, either, graph_words
from teller_gym.stage1.prose import paragraphs_of, prose
from teller_gym.stage1.task import graph_task, own_names, pool_of
from tests import tiny

NAMES = ("loans", "accounts", "savings", "investments")
"""Scenarios with enough wordings and sentences; credit cards has fewer."""

BOTH = ("train", "heldout")
each_scenario = pytest.mark.parametrize("name", NAMES)


def edges_of(name: str) -> dict[str, EdgeKind]:
    return {f"{edge.upstream} -> {edge.downstream}": edge.kind for edge in load_scenario(name).graph.edges}


def sentences_of(name: str) -> list[Sentence]:
    return [sentence for paragraph in graph_words(name).prose.values() for sentence in paragraph]


@pytest.mark.parametrize("split", BOTH)
@pytest.mark.parametrize("number", range(3))
@each_scenario
def test_every_edge_has_its_sentence_in_every_draw(name: str, split: str, number: int) -> None:
    task = graph_task(name, split, number)
    lines = [line for paragraph in paragraphs_of(task) for line in paragraph]
    for edge in edges_of(name):
        sentences = [text for edges, text in lines if edge in edges]
        assert len(sentences) == 1 and sentences[0] in prose(task), edge
    assert {edge for edges, _ in lines for edge in edges} == set(edges_of(name))


@each_scenario
def test_sentences_have_one_edge_and_several_wordings_that_occur_only_once(name: str) -> None:
    kinds = edges_of(name)
    for sentence in sentences_of(name):
        least = 3 if any(kinds[edge] is not EdgeKind.DATA for edge in sentence.edges) else 2
        assert len(sentence.heldout) >= least and len(sentence.train) >= 2 and len(sentence.edges) <= 1, sentence
    texts = [text for sentence in sentences_of(name) for text in (*sentence.train, *sentence.heldout)]
    assert len(set(texts)) == len(texts)
    assert [text for text in texts if not (text[0].isupper() and text.endswith(".") and len(text) < 300)] == []


@each_scenario
def test_there_are_sentences_without_an_edge_that_speak_of_before_and_after(name: str) -> None:
    decoys = [sentence for sentence in sentences_of(name) if not sentence.edges]
    assert len(decoys) >= 12
    if name != "loans":
        return
    for heldout in (False, True):
        words = " ".join(text for sentence in decoys for text in either(sentence, heldout))
        assert len(re.findall(r"\b(?:before|after|until|once)\b", words)) >= 5


@pytest.mark.parametrize("split", BOTH)
@each_scenario
def test_no_sentence_names_a_tool_or_a_field(name: str, split: str) -> None:
    for number in range(3):
        task = graph_task(name, split, number)
        said = set(re.findall(r"[\w-]+", prose(task)))
        assert said.isdisjoint(own_names(task)) and said.isdisjoint(pool_of(task).names)
        assert not [word for word in said if "_" in word]


def test_the_order_is_drawn() -> None:
    first, second = (paragraphs_of(graph_task("loans", "heldout", number)) for number in (1, 2))
    assert [edges for p in first for edges, _ in p] != [edges for p in second for edges, _ in p]
    assert first == paragraphs_of(graph_task("loans", "heldout", 1))


def test_a_scenario_without_prose_tells_of_its_precedences_by_name() -> None:
    assert tiny.load().name == "delays"
    task = graph_task("delays", "train", 1)
    scenario, names = load_scenario("delays"), pool_of(task).names
    lines = {edges[0]: text for paragraph in paragraphs_of(task) for edges, text in paragraph if edges}
    wanted = [edge for edge in scenario.graph.edges if edge.kind is not EdgeKind.DATA]
    assert set(lines) == {f"{edge.upstream} -> {edge.downstream}" for edge in wanted}
    for edge in wanted:
        text = lines[f"{edge.upstream} -> {edge.downstream}"]
        assert f"`{names[edge.upstream]}`" in text and f"`{names[edge.downstream]}`" in text and edge.why in text
