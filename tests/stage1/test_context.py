"""The prompt of stage 1: the frame, the prose, and a signature for every tool of the pool."""

import re

import pytest

from teller_gym.procedure.scenario import load_scenario
from teller_gym.registration import SCENARIOS
from teller_gym.stage1.answer import read_answer
from teller_gym.stage1.context import context, kind_of
from teller_gym.stage1.frame import frame
from teller_gym.stage1.prose import prose
from teller_gym.stage1.task import graph_task, pool_of
from teller_gym.variation.pool import distractors

each_scenario = pytest.mark.parametrize("name", sorted(SCENARIOS))


def sections(text: str) -> dict[str, str]:
    parts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


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
            optional = "" if parameter.required else ", optional"
            text = " ".join(parameter.schema["description"].split())
            assert f"\n- {parameter.name} ({kind_of(parameter.schema)}{optional}): {text}\n" in entry
        assert entry.strip().splitlines()[-1] == f"Outputs: {', '.join(tool.outputs)}"


@each_scenario
def test_purpose_scope_and_prose_are_those_of_the_procedure(name: str) -> None:
    task = graph_task(name, "train", 2)
    text, sop = sections(context(task))["The procedure"], load_scenario(name).sop()
    said = [" ".join(part.split()) for part in re.findall(r"^(?:Purpose|Scope): (.*)$", text, re.MULTILINE)]
    assert len(said) == 2
    assert all(part in " ".join(sop.split()) for part in said)
    assert text.strip().endswith(prose(task))
    assert not re.search(r"\{\w+(:\w+)?\}", text)


def test_the_example_can_be_read_and_is_of_another_field() -> None:
    names = {tool.name for tool in distractors()}.union(*(load_scenario(name).tools for name in SCENARIOS))
    answer = read_answer(frame().example, ())
    assert {problem.kind for problem in answer.problems} == {"unknown_node"}
    assert answer.graph.edges and not names & set(answer.graph.nodes)
    assert context(graph_task("loans", "train", 1)).rstrip().endswith(frame().example)


@pytest.mark.parametrize("count", [0, 40])
def test_a_shifted_context_shows_neither_own_names_nor_what_may_be_left_out(count: int) -> None:
    task = graph_task("loans", "heldout", 2, distractors=count)
    own = {name for name in pool_of(task).names if "_" in name}
    own |= {output for tool in load_scenario("loans").tools.values() for output in tool.outputs if "_" in output}
    assert own.isdisjoint(re.findall(r"\w+", context(task)))
    assert ", optional)" not in context(task) and "null)" not in context(task)


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string", "description": "x"}, "string"),
        ({"type": "string", "format": "date"}, "date"),
        ({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}, "integer or null"),
        ({"enum": ["a", 2]}, "string, one of a|2"),
        ({"anyOf": [{"enum": ["a"]}, {"enum": ["b"]}]}, "string, one of a|b"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, "array of string, one of a|b"),
        ({"type": "array"}, "array of any"),
    ],
)
def test_types_in_words(schema: dict[str, object], kind: str) -> None:
    assert kind_of(schema) == kind
