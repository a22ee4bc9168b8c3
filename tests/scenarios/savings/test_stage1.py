"""Stage 1 of Savings: names of values differ on the two sides, every edge is told, only reading helps."""

import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from teller_gym.agents.likeness import spaced, stems
from teller_gym.procedure.graph import EdgeKind, Source
from teller_gym.procedure.scenario import load_scenario
from teller_gym.stage1.prose import prose, told
from teller_gym.stage1.task import gold_of, graph_task, own_names, pool_of
from teller_gym.stage1.words import Sentence, Sides, graph_words
from teller_gym.tools.tool import Tool
from teller_gym.variation.pool import distractors

SAVINGS = load_scenario("savings")
WORDS = graph_words("savings")
BOTH = ("train", "heldout")
SENTENCES = [sentence for paragraph in WORDS.prose.values() for sentence in paragraph]
EDGES = {f"{edge.upstream} -> {edge.downstream}": edge.kind for edge in SAVINGS.graph.edges}
MOST_BY_CUE = 0.71


def bare(name: str) -> str:
    return re.sub("[_-]", "", name).lower()


def sides() -> Iterator[tuple[str, Sides, Sides]]:
    yield from ((name, value.train, value.heldout) for name, value in WORDS.values.items())


def fed() -> Iterator[tuple[str, str, str, str]]:
    """Yield (upstream, output, downstream, input) of every value that one node takes over from another."""
    for name, node in SAVINGS.graph.nodes.items():
        for field, item in node.inputs.items():
            if item.source is Source.OTHER_API:
                for origin in item.origin:
                    upstream, _, output = origin.partition(".")
                    yield upstream, output, name, field


@pytest.mark.parametrize("split", BOTH)
@pytest.mark.parametrize("number", range(3))
def test_a_value_bears_other_names_where_it_comes_out_and_where_it_goes_in(split: str, number: int) -> None:
    task = graph_task("savings", split, number)
    tools = {tool.original.name: tool for tool in pool_of(task).tools.values()}
    nodes = [tools[name] for name in SAVINGS.graph.nodes]
    outputs = {bare(name) for tool in nodes for name in tool.outputs}
    assert outputs.isdisjoint(bare(parameter.name) for tool in nodes for parameter in tool.parameters)


@pytest.mark.parametrize("split", BOTH)
@pytest.mark.parametrize("count", [0, 40])
def test_equal_names_lead_to_tools_outside_the_graph(split: str, count: int) -> None:
    for number in range(3):
        task = graph_task("savings", split, number, distractors=count)
        tools, core = pool_of(task).tools, set(gold_of(task).nodes)
        shown: dict[bool, tuple[set[str], set[str]]] = {True: (set(), set()), False: (set(), set())}
        for name, tool in tools.items():
            shown[name in core][0].update(map(bare, tool.outputs))
            shown[name in core][1].update(bare(parameter.name) for parameter in tool.parameters)
        assert len(shown[False][0] & shown[True][1]) >= 5 and len(shown[False][1] & shown[True][0]) >= 3


def test_near_misses_name_fields_that_there_are() -> None:
    pool: dict[str, Tool] = {tool.name: tool for tool in (*SAVINGS.tools.values(), *distractors())}
    for tool, fields in WORDS.near_misses.items():
        assert tool in pool and tool not in SAVINGS.graph.nodes, tool
        own = {*(parameter.name for parameter in pool[tool].parameters), *pool[tool].outputs}
        for field, names in fields.items():
            assert field in own, (tool, field)
            assert not set(names.train) & set(names.heldout), (tool, field)


def test_held_out_names_are_in_no_schema_of_training_and_stand_for_one_value() -> None:
    shown: tuple[list[str], list[str]] = ([], [])
    for _, *both in sides():
        for names, one in zip(shown, both, strict=True):
            names += map(bare, (*one.out, *one.into))
    assert all(len(set(names)) == len(names) for names in shown)
    tools = tuple(
        {bare(name) for texts in WORDS.tools.values() for name in part}
        for part in (
            [name for texts in WORDS.tools.values() for name in texts.names.train],
            [name for texts in WORDS.tools.values() for name in texts.names.heldout],
        )
    )
    assert not ({*shown[0]} | tools[0]) & ({*shown[1]} | tools[1])


def test_every_tool_has_texts_and_every_fed_input_a_description_of_its_own() -> None:
    assert set(WORDS.tools) == set(SAVINGS.tools)
    texts = [text for one in WORDS.tools.values() for text in (*one.text.train, *one.text.heldout)]
    assert len(set(texts)) == len(texts)
    for _, _, tool, field in fed():
        assert WORDS.tools[tool].inputs[field], (tool, field)
    named = {name for name in SAVINGS.tools if "_" in name}
    shown = " ".join([*texts, *(text for one in WORDS.tools.values() for text in one.inputs.values())])
    assert named.isdisjoint(re.findall(r"\w+", shown))


@pytest.mark.parametrize("split", BOTH)
@pytest.mark.parametrize("number", range(3))
def test_every_edge_has_its_sentence_in_every_draw(split: str, number: int) -> None:
    task = graph_task("savings", split, number)
    lines = [line for paragraph in told(task) for line in paragraph]
    for edge in EDGES:
        sentences = [text for edges, text in lines if edge in edges]
        assert len(sentences) == 1 and sentences[0] in prose(task), edge
    said = set(re.findall(r"[\w-]+", prose(task)))
    assert said.isdisjoint(own_names(task)) and said.isdisjoint(pool_of(task).names)


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda s: "/".join(s.edges) or s.train[0][:30])
def test_each_place_has_several_wordings_and_held_out_ones_of_its_own(sentence: Sentence) -> None:
    least = 3 if any(EDGES[edge] is not EdgeKind.DATA for edge in sentence.edges) else 2
    assert len(set(sentence.heldout)) >= least and len(set(sentence.train)) >= 2
    assert not set(sentence.train) & set(sentence.heldout)
    for text in (*sentence.train, *sentence.heldout):
        assert text[0].isupper() and text.endswith(".") and len(text) < 300


def test_there_are_sentences_without_an_edge() -> None:
    assert sum(not sentence.edges for sentence in SENTENCES) >= 12
    assert max(len(sentence.edges) for sentence in SENTENCES) == 1


def _cues(tool: Tool) -> Iterator[tuple[str, object]]:
    inputs = [str(parameter.schema["description"]) for parameter in tool.parameters]
    fields = [spaced(name) for name in (*(parameter.name for parameter in tool.parameters), *tool.outputs)]
    parts = {"text": [tool.description], "inputs": inputs, "fields": fields, "name": [spaced(tool.name)]}
    parts["all"] = [text for texts in parts.values() for text in texts]
    for part, texts in parts.items():
        yield from ((part, stem) for stem in set(stems(" ".join(texts))))
    yield from (("inputs, at least", count) for count in range(1, len(tool.parameters) + 1))
    yield from (("outputs, at least", count) for count in range(1, len(tool.outputs) + 1))


def test_no_single_word_and_no_count_tells_the_nodes() -> None:
    f1: dict[tuple[object, ...], float] = defaultdict(float)
    for number in range(4):
        task = graph_task("savings", "heldout", number, distractors=0)
        tools, nodes = pool_of(task).tools, set(gold_of(task).nodes)
        having: dict[tuple[str, object], set[str]] = defaultdict(set)
        for name, tool in tools.items():
            for cue in _cues(tool):
                having[cue].add(name)
        for cue, names in having.items():
            for has, kept in ((True, names), (False, set(tools) - names)):
                f1[*cue, has] += 2 * len(kept & nodes) / (len(kept) + len(nodes)) / 4
    assert len(f1) > 500
    assert {cue: round(value, 3) for cue, value in f1.items() if value > MOST_BY_CUE} == {}
