"""A scenario's vocabulary for stage 1: input and output names, tool texts, near misses, and prose.

The files are in the folder ``stage1`` next to the scenario's documents. Each begins with a note on its contents.
All are optional: missing entries are taken from the vocabulary for shifted schemas and from the graph.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.procedure.wordings import Alternatives


class Sides(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"into": "in"}):
    """Names of a value as an output and as an input of tools.

    The two sets are disjoint.
    """

    out: tuple[str, ...]
    into: tuple[str, ...]


class ValueNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names of a value in training and in held-out tasks."""

    train: Sides
    heldout: Sides

    def of(self, heldout: bool) -> Sides:
        return self.heldout if heldout else self.train


class ToolTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool's names, descriptions and the purposes of its inputs."""

    names: Alternatives
    text: Alternatives
    inputs: dict[str, str] = {}


class _ToolsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    given: dict[str, tuple[str, ...]] = {}
    tools: dict[str, ToolTexts] = {}


class Sentence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence of the prose: the edges that it reveals (``upstream -> downstream``) and its wordings."""

    edges: tuple[str, ...]
    train: tuple[str, ...]
    heldout: tuple[str, ...]


class GraphWords(msgspec.Struct, frozen=True):
    """Contents of a scenario's folder ``stage1``.

    Attributes:
        values: names of values, by parameter, output or ``tool.field``.
        near_misses: names for fields of tools outside the graph, by tool and field.
        given: descriptions of inputs that the request supplies, by parameter.
        tools: texts of the scenario's tools, by tool.
        prose: sentences by paragraph; empty if the scenario has none.
    """

    values: Mapping[str, ValueNames]
    near_misses: Mapping[str, Mapping[str, Alternatives]]
    given: Mapping[str, tuple[str, ...]]
    tools: Mapping[str, ToolTexts]
    prose: Mapping[str, tuple[Sentence, ...]]


def either(words: Alternatives | Sentence, heldout: bool) -> tuple[str, ...]:
    """Return the wordings for held-out or for training tasks."""
    return words.heldout if heldout else words.train


@cache
def graph_words(scenario: str) -> GraphWords:
    """Load a scenario's vocabulary.

    Raises:
        ScenarioError: a file is unreadable or contradicts graph or tools.
    """
    loaded = load_scenario(scenario)
    texts: _ToolsFile = _read(loaded, "tools.yaml", _ToolsFile)
    words = GraphWords(
        values=_read(loaded, "values.yaml", dict[str, ValueNames]),
        near_misses=_read(loaded, "near_misses.yaml", dict[str, dict[str, Alternatives]]),
        given=texts.given,
        tools=texts.tools,
        prose=_read(loaded, "context.yaml", dict[str, tuple[Sentence, ...]]),
    )
    for complaint in _complaints(loaded, words):
        raise ScenarioError(f"{scenario}, stage1: {complaint}")
    return words


def _read(scenario: Scenario, name: str, shape: Any) -> Any:
    data = scenario.optional_document(f"stage1/{name}") or b"{}"
    try:
        return msgspec.yaml.decode(data, type=shape)
    except msgspec.MsgspecError as error:
        raise ScenarioError(f"{scenario.name}, stage1/{name}: {error}") from None


def _complaints(scenario: Scenario, words: GraphWords) -> list[str]:
    edges = {f"{edge.upstream} -> {edge.downstream}" for edge in scenario.graph.edges}
    told = {edge for sentences in words.prose.values() for sentence in sentences for edge in sentence.edges}
    found = [f"context.yaml names {edge}, which is no edge" for edge in sorted(told - edges)]
    if words.prose:
        found += [f"context.yaml does not name {edge}" for edge in sorted(edges - told)]
    found += [f"tools.yaml: {name} is no tool" for name in words.tools if name not in scenario.tools]
    for name, texts in words.tools.items():
        tool = scenario.tools.get(name)
        fields = [p.name for p in tool.parameters] if tool else []
        found += [f"tools.yaml: {name} has no input {field}" for field in texts.inputs if field not in fields]
    for name, value in words.values.items():
        for sides in (value.train, value.heldout):
            if not sides.out or not sides.into or set(sides.out) & set(sides.into):
                found.append(f"values.yaml: {name}: expected different names on both sides, got {sides}")
    return found
