"""What an agent reads in stage 1: all it needs, and no edge that it should find itself."""

import re

import pytest

from teller_gym.procedure.graph import EdgeKind
from teller_gym.procedure.scenario import load_scenario
from teller_gym.registration import SCENARIOS
from teller_gym.stage1.answer import read_answer
from teller_gym.stage1.context import context, kind_of, precedences, signature, wording
from teller_gym.stage1.task import graph_task, pool_of
from teller_gym.variation.pool import distractors

each_scenario = pytest.mark.parametrize("name", sorted(SCENARIOS))


def sections(text: str) -> dict[str, str]:
    parts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@each_scenario
def test_state_and_temporal_precedences_are_said_and_data_edges_are_not(name: str) -> None:
    task, scenario = graph_task(name, "train", 1, schema_shift=False), load_scenario(name)
    said = sections(context(task))["Precedences without a value passed on"]
    for edge in scenario.graph.edges:
        sentence = [s for s in said.splitlines() if f"`{edge.upstream}`" in s and f"`{edge.downstream}`" in s]
        if edge.kind is EdgeKind.DATA:
            assert not sentence and edge.why not in said
        else:
            assert len(sentence) == 1 and edge.why in sentence[0]
    kinds = [edge.kind for edge in scenario.graph.edges]
    assert len(precedences(scenario, pool_of(task))) == len(kinds) - kinds.count(EdgeKind.DATA)


@each_scenario
@pytest.mark.parametrize("count", [0, 25, "all"])
@pytest.mark.parametrize("shift", [False, True])
def test_every_tool_of_the_pool_is_shown_in_its_order(name: str, count: int | str, shift: bool) -> None:
    task = graph_task(name, "heldout", 1, distractors=count, schema_shift=shift)
    tools = pool_of(task).tools
    shown = sections(context(task))["The tools"]
    assert re.findall(r"^### (\S+)$", shown, re.MULTILINE) == list(tools)
    assert f"the signatures of {len(tools)} tools" in context(task)
    for entry, tool in zip(shown.split("### ")[1:], tools.values(), strict=True):
        assert " ".join(tool.description.split()) in entry
        for parameter in tool.parameters:
            assert f"\n- {parameter.name} ({kind_of(parameter.schema)}" in entry
            assert " ".join(parameter.schema["description"].split()) in entry
            assert (f"- {parameter.name} ({kind_of(parameter.schema)}, optional)" in entry) != parameter.required
        assert entry.strip().splitlines()[-1] == f"Outputs: {', '.join(tool.outputs)}"


@each_scenario
def test_purpose_and_scope_are_those_of_the_procedure(name: str) -> None:
    text, sop = sections(context(graph_task(name, "train", 2)))["The procedure"], load_scenario(name).sop()
    said = [" ".join(part.split()) for part in re.findall(r"^(?:Purpose|Scope): (.*)$", text, re.MULTILINE)]
    assert len(said) == 2
    assert all(part in " ".join(sop.split()) for part in said)
    assert not re.search(r"\{\w+(:\w+)?\}", text)


def test_the_example_can_be_read_and_is_of_another_field() -> None:
    names = {tool.name for tool in distractors()}.union(*(load_scenario(name).tools for name in SCENARIOS))
    answer = read_answer(wording().example, ())
    assert {problem.kind for problem in answer.problems} == {"unknown_node"}
    assert answer.graph.edges and not names & set(answer.graph.nodes)
    assert context(graph_task("loans", "train", 1)).rstrip().endswith(wording().example)


@each_scenario
def test_a_shifted_context_names_tools_by_the_names_shown_only(name: str) -> None:
    task, scenario = graph_task(name, "heldout", 2, distractors=0), load_scenario(name)
    words = set(re.findall(r"\w+", context(task)))
    assert not {tool for tool in scenario.tools if "_" in tool} & words
    names = pool_of(task).names
    said = sections(context(task))["Precedences without a value passed on"].splitlines()
    for edge in scenario.graph.edges:
        found = [s for s in said if f"`{names[edge.upstream]}`" in s and f"`{names[edge.downstream]}`" in s]
        assert len(found) == (edge.kind is not EdgeKind.DATA)


def test_a_signature() -> None:
    tool = load_scenario("loans").tools["verify_insurance"]
    assert signature(tool).splitlines()[0] == "### verify_insurance"
    assert "- insurance_expiry (date or null): " in signature(tool) or "- insurance_expiry (date): " in signature(tool)


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string", "description": "x"}, "string"),
        ({"type": "string", "format": "date"}, "date"),
        ({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}, "integer or null"),
        ({"enum": ["a", 2]}, "a|2"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, "array of a|b"),
        ({"type": "array"}, "array of any"),
    ],
)
def test_types_in_words(schema: dict[str, object], kind: str) -> None:
    assert kind_of(schema) == kind
