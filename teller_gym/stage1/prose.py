"""Writes a task's business context in prose, choosing its sentences, their wordings and their order."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import TypeVar

from teller_gym.procedure.graph import Edge, EdgeKind
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.procedure.task import Split
from teller_gym.stage1.frame import filled, frame
from teller_gym.stage1.graph_words import either, graph_words
from teller_gym.stage1.task import GraphTask, pool_of

_Item = TypeVar("_Item")

_LONGEST_PARAGRAPH = 8
"""Maximum number of sentences in a paragraph that is generated from the graph."""


def prose(task: GraphTask) -> str:
    """Return a task's prose, with blank lines between paragraphs."""
    return "\n\n".join(" ".join(text for _, text in paragraph) for paragraph in paragraphs_of(task))


def paragraphs_of(task: GraphTask) -> list[list[tuple[tuple[str, ...], str]]]:
    """Return the paragraphs as lists of (edges, sentence), with the graph's edges that each sentence reveals."""
    scenario = load_scenario(task.scenario)
    paragraphs = graph_words(task.scenario).prose
    if not paragraphs:
        return list(_generated(task, scenario))
    heldout = task.split is Split.HELDOUT
    found = []
    for name, sentences in _mixed(task, "paragraphs", paragraphs).items():
        numbered = {str(number): sentence for number, sentence in enumerate(sentences)}
        lines = []
        for number, sentence in _mixed(task, f"sentences/{name}", numbered).items():
            options = either(sentence, heldout)
            draw = random.Random(f"stage 1/{task.id}/sentence/{name}/{number}").random()
            lines.append((sentence.edges, options[int(draw * len(options))]))
        found.append(lines)
    return found


def _mixed(task: GraphTask, about: str, items: Mapping[str, _Item]) -> dict[str, _Item]:
    draw = random.Random(f"stage 1/{task.id}/{about}").random
    return dict(sorted(items.items(), key=lambda _: draw()))


def _generated(task: GraphTask, scenario: Scenario) -> Iterator[list[tuple[tuple[str, ...], str]]]:
    """Yield generated paragraphs for a scenario without prose.

    They name the tools of state and temporal edges.
    """
    edges = {str(n): edge for n, edge in enumerate(scenario.graph.edges) if edge.kind is not EdgeKind.DATA}
    lines = [_sentence(task, edge) for edge in _mixed(task, "edges", edges).values()]
    for start in range(0, len(lines), _LONGEST_PARAGRAPH):
        yield lines[start : start + _LONGEST_PARAGRAPH]
    if not lines:
        yield [((), frame().no_precedence)]


def _sentence(task: GraphTask, edge: Edge) -> tuple[tuple[str, ...], str]:
    names, pair = pool_of(task).names, f"{edge.upstream} -> {edge.downstream}"
    options = frame().precedences
    text = options[int(random.Random(f"stage 1/{task.id}/edge/{pair}").random() * len(options))]
    why = edge.why.rstrip(".")
    return (pair,), filled(text, upstream=names[edge.upstream], downstream=names[edge.downstream], why=why)
