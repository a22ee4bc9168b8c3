"""No single word or count distinguishes the tools of the graph from the bank's other tools."""

from collections import defaultdict
from collections.abc import Iterator

import pytest

from teller_gym.agents.likeness import spaced, stems
from teller_gym.stage1.context import kind_of
from teller_gym.stage1.task import gold_of, graph_task, pool_of
from teller_gym.tools.tool import Tool
from tests.stage1.test_prose import NAMES

TASKS = 4
MOST = 0.71
"""Answering with all of the scenario's own tools has a node F1 of 0.66; without four of the wrong ones it has 0.70."""


def cues(tool: Tool) -> Iterator[tuple[str, object]]:
    inputs = [str(parameter.schema["description"]) for parameter in tool.parameters]
    fields = [spaced(name) for name in (*(p.name for p in tool.parameters), *tool.outputs)]
    kinds = [kind_of(parameter.schema).split()[0].strip(",") for parameter in tool.parameters]
    parts = {"text": [tool.description], "inputs": inputs, "fields": fields, "kinds": kinds}
    parts["name"] = [spaced(tool.name)]
    parts["all"] = [text for texts in parts.values() for text in texts]
    for part, texts in parts.items():
        yield from ((part, stem) for stem in set(stems(" ".join(texts))))
    yield from (("inputs, at least", count) for count in range(1, len(tool.parameters) + 1))
    yield from (("outputs, at least", count) for count in range(1, len(tool.outputs) + 1))


@pytest.mark.parametrize("scenario", NAMES)
def test_no_cue_tells_the_nodes(scenario: str) -> None:
    f1: dict[tuple[str, object, bool], float] = defaultdict(float)
    for number in range(TASKS):
        task = graph_task(scenario, "heldout", number, distractors=0)
        tools, nodes = pool_of(task).tools, set(gold_of(task).nodes)
        having: dict[tuple[str, object], set[str]] = defaultdict(set)
        for name, tool in tools.items():
            for cue in cues(tool):
                having[cue].add(name)
        for cue, names in having.items():
            for has, kept in ((True, names), (False, set(tools) - names)):
                f1[*cue, has] += 2 * len(kept & nodes) / (len(kept) + len(nodes)) / TASKS
    assert len(f1) > 500
    assert {cue: round(value, 3) for cue, value in f1.items() if value > MOST} == {}
