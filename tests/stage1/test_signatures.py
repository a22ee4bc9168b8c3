"""Signatures of stage 1: names do not reveal the graph, and those of held-out tasks do not occur in training."""

import re
from collections.abc import Iterator

import pytest

from teller_gym.procedure.graph import Source
from teller_gym.procedure.scenario import load_scenario
from teller_gym.stage1.context import context
from teller_gym.stage1.graph_words import Sides, graph_words
from teller_gym.stage1.task import GraphTask, gold_of, graph_task, pool_of
from teller_gym.tools.tool import Category
from teller_gym.variation.pool import distractors
from tests.scenarios.bank_scenarios import NAMES

BOTH = ("train", "heldout")
each_scenario = pytest.mark.parametrize("scenario", NAMES)


def bare(name: str) -> str:
    return re.sub("[_-]", "", name).lower()


def sides(scenario: str) -> Iterator[tuple[str, Sides, Sides]]:
    yield from ((name, value.train, value.heldout) for name, value in graph_words(scenario).values.items())


def shown_fields(task: GraphTask, core: bool) -> tuple[set[str], set[str]]:
    """Return the names of outputs and of inputs, either of the tools in the graph or of all others."""
    tools, nodes = pool_of(task).tools, set(gold_of(task).nodes)
    chosen = [tool for name, tool in tools.items() if (name in nodes) is core]
    outputs = {bare(name) for tool in chosen for name in tool.outputs}
    return outputs, {bare(parameter.name) for tool in chosen for parameter in tool.parameters}


def fed(scenario: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield (upstream, output, downstream, input) for every value that a node receives from another."""
    for name, node in load_scenario(scenario).graph.nodes.items():
        for field, item in node.inputs.items():
            if item.source is Source.OTHER_API:
                for origin in item.origin:
                    upstream, _, output = origin.partition(".")
                    yield upstream, output, name, field


@pytest.mark.parametrize("split", BOTH)
@pytest.mark.parametrize("number", range(3))
@each_scenario
def test_no_output_of_the_graph_bears_the_name_of_an_input_of_the_graph(scenario: str, split: str, number: int) -> None:
    outputs, inputs = shown_fields(graph_task(scenario, split, number), core=True)
    assert not outputs & inputs


@pytest.mark.parametrize("split", BOTH)
@each_scenario
def test_every_value_that_is_fed_has_another_name_where_it_goes_in(scenario: str, split: str) -> None:
    for number in range(4):
        tools = {tool.original.name: tool for tool in pool_of(graph_task(scenario, split, number)).tools.values()}
        for upstream, _, downstream, _ in fed(scenario):
            outputs = set(map(bare, tools[upstream].outputs))
            assert outputs.isdisjoint(bare(p.name) for p in tools[downstream].parameters), (upstream, downstream)


@pytest.mark.parametrize("split", BOTH)
@pytest.mark.parametrize("count", [0, 40])
@each_scenario
def test_equal_names_lead_to_tools_outside_the_graph(scenario: str, split: str, count: int) -> None:
    for number in range(5):
        task = graph_task(scenario, split, number, distractors=count)
        core_out, core_in = shown_fields(task, core=True)
        others_out, others_in = shown_fields(task, core=False)
        assert len(others_out & core_in) >= 5 and len(others_in & core_out) >= 3


@each_scenario
def test_near_misses_are_among_many_distractors_and_bear_names_of_values(scenario: str) -> None:
    values = {name for _, *both in sides(scenario) for one in both for name in (*one.out, *one.into)}
    pool = {tool.name: tool for tool in (*load_scenario(scenario).tools.values(), *distractors())}
    core = load_scenario(scenario).graph.nodes
    borrowed = set()
    for tool, fields in graph_words(scenario).near_misses.items():
        assert tool in pool and tool not in core, tool
        own = {*(p.name for p in pool[tool].parameters), *pool[tool].outputs}
        for field, names in fields.items():
            assert field in own, (tool, field)
            assert not set(names.train) & set(names.heldout), (tool, field)
            if set(names.heldout) <= values and set(names.train) <= values:
                borrowed.add(tool)
    financial = {tool.name for tool in distractors() if tool.category is Category.FINANCIAL_DISTRACTOR}
    assert len(borrowed & financial) >= 15
    assert len(borrowed & set(load_scenario(scenario).tools)) >= 10


@each_scenario
def test_held_out_names_are_in_no_schema_of_training(scenario: str) -> None:
    train, held = set(), set()
    for name, one, other in sides(scenario):
        mine, theirs = ({*map(bare, side.out), *map(bare, side.into)} for side in (one, other))
        assert len(mine) == len(one.out) + len(one.into) and len(theirs) == len(other.out) + len(other.into), name
        train |= mine
        held |= theirs
    for texts in graph_words(scenario).tools.values():
        train |= set(map(bare, texts.names.train))
        held |= set(map(bare, texts.names.heldout))
    assert not train & held


@each_scenario
def test_a_name_stands_for_one_value(scenario: str) -> None:
    for place in (0, 1):
        names = [name for _, *both in sides(scenario) for name in (*both[place].out, *both[place].into)]
        assert len(set(names)) == len(names)


@each_scenario
def test_every_tool_of_the_scenario_has_texts_and_every_fed_input_a_description_of_its_own(scenario: str) -> None:
    words, tools = graph_words(scenario).tools, load_scenario(scenario).tools
    assert set(words) == set(tools)
    texts = [text for one in words.values() for text in (*one.text.train, *one.text.heldout)]
    assert len(set(texts)) == len(texts)
    for _, _, tool, field in fed(scenario):
        assert words[tool].inputs[field], (tool, field)
    named = {name for name in tools if "_" in name}
    shown = " ".join([*texts, *(text for one in words.values() for text in one.inputs.values())])
    assert named.isdisjoint(re.findall(r"\w+", shown))


@pytest.mark.parametrize(("count", "most"), [(0, 10_500), (40, 16_500), ("all", 50_000)])
def test_the_length_of_an_observation_in_tokens(count: int | str, most: int) -> None:
    # Tokenizers need about one token for four characters of English.
    assert len(context(graph_task("loans", "heldout", 1, distractors=count))) / 4 < most
