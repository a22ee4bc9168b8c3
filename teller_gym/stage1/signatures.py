"""Signatures of a stage 1 task: tools under names that do not reveal the graph unless the texts are understood.

A value has different names as an output and as an input of tools in the graph. Tools outside the graph use names of
both kinds, so that equal names are no evidence of an edge. Value names, texts and near misses come from the scenario
(see :mod:`teller_gym.stage1.graph_words`); everything else is renamed as in a shifted schema. All inputs are shown as
required, since most optional ones belong to tools outside the graph.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.scenario import Scenario
from teller_gym.stage1.graph_words import GraphWords, either, graph_words
from teller_gym.tools.tool import Parameter, Tool, ToolSet
from teller_gym.variation.schema.naming import Naming, replace_names

_ATTEMPTS = 50


class Signature(Tool):
    """A tool as shown in stage 1, where it is not called.

    Args:
        tool: the original tool.
        name, description, parameters, outputs: the names and texts to show.
    """

    __slots__ = ("_tool",)

    def __init__(  # not Tool's, which reads a function
        self, tool: Tool, name: str, description: str, parameters: tuple[Parameter, ...], outputs: tuple[str, ...]
    ) -> None:
        self.name = name
        self.description = description
        self.parameters = parameters
        self.outputs = outputs
        self.act = tool.act
        self.category = tool.category
        self.result_type = tool.result_type
        self.args_type = tool.args_type
        self.colons = None
        self._tool = tool

    @property
    def original(self) -> Tool:
        """The tool under its original names."""
        return self._tool


def signatures(scenario: Scenario, tools: ToolSet, key: str, heldout: bool) -> ToolSet:
    """Return tools as shown in a task, in the given order.

    Args:
        scenario: scenario whose vocabulary is used.
        tools: the pool, under its original names.
        key: seed for the choice of names, texts and the order of fields.
        heldout: True to use the vocabulary of held-out tasks.

    Raises:
        ScenarioError: two tools, or two fields of a tool, would have the same name.
    """
    taken: dict[str, str] = {}
    for attempt in range(_ATTEMPTS):
        drawn = _Drawn(scenario, key if attempt == 0 else f"{key}/again {attempt}", heldout)
        taken = {}
        for tool in tools.values():
            taken.setdefault(drawn.tool_name(tool, taken), tool.name)
        if len(taken) == len(tools):
            names = {own: shown for shown, own in taken.items()}
            return ToolSet(drawn.signature(tool, names) for tool in tools.values())
    raise ScenarioError(f"stage 1, {key!r}: no {_ATTEMPTS} namings tell all tools apart")


class _Drawn:
    """The names and texts drawn for one task."""

    def __init__(self, scenario: Scenario, key: str, heldout: bool) -> None:
        self._scenario = scenario
        self._words: GraphWords = graph_words(scenario.name)
        self._key = key
        self._heldout = heldout
        self._naming = Naming(key, heldout, scenario.name)
        # Inputs have a naming of their own, so that inputs and outputs differ even without names from the scenario.
        self._input_naming = Naming(f"{key}/inputs", heldout, scenario.name)

    def tool_name(self, tool: Tool, taken: Collection[str]) -> str:
        texts = self._own(tool)
        if texts is None:
            return self._naming.of_tool(tool.name)
        return self._first_free(f"tool/{tool.name}", either(texts.names, self._heldout), taken, self._naming.write_tool)

    def signature(self, tool: Tool, names: Mapping[str, str]) -> Signature:
        inputs = self._field_names(tool, [p.name for p in tool.parameters], into=True)
        outputs = self._field_names(tool, tool.outputs, into=False)
        called = outputs | inputs
        parameters = (
            Parameter(inputs[p.name], self._schema(tool, p, called, names), required=True) for p in tool.parameters
        )
        return Signature(
            tool,
            names[tool.name],
            self._description(tool, called, names),
            tuple(self._mixed(f"inputs/{tool.name}", parameters)),
            tuple(self._mixed(f"outputs/{tool.name}", outputs.values())),
        )

    # -- names ----------------------------------------------------------------------------------------------------

    def _field_names(self, tool: Tool, fields: Iterable[str], *, into: bool) -> dict[str, str]:
        found: dict[str, str] = {}
        for field in fields:
            options = self._options(tool, field, into)
            if options:
                found[field] = self._first_free(f"{tool.name}/{field}/{into}", options, found.values())
            else:
                naming = self._input_naming if into and tool.name in self._scenario.graph.nodes else self._naming
                found[field] = naming.of_parameter(field)
        if len(set(found.values())) < len(found):
            raise ScenarioError(f"stage 1: two fields of {tool.name} have one name, of {sorted(found.values())}")
        return found

    def _options(self, tool: Tool, field: str, into: bool) -> tuple[str, ...]:
        """Return the possible names of a field.

        The result is empty if the field is named as in a shifted schema.
        """
        near = self._words.near_misses.get(tool.name, {}).get(field)
        if near is not None:
            return either(near, self._heldout)
        values = self._words.values
        value = values.get(f"{tool.name}.{field}") or values.get(field)
        if value is None or tool.name not in self._scenario.tools:
            return ()
        sides = value.of(self._heldout)
        if tool.name in self._scenario.graph.nodes:
            return sides.into if into else sides.out
        return (*sides.out, *sides.into)

    def _first_free(
        self, about: str, options: Sequence[str], taken: Collection[str], write: Callable[[str], str] | None = None
    ) -> str:
        """Return a random name that is not taken, if there is one."""
        start = int(self._draw(about) * len(options))
        written = list(map(write or self._naming.write, (*options[start:], *options[:start])))
        return next((name for name in written if name not in taken), written[0])

    # -- texts ----------------------------------------------------------------------------------------------------

    def _own(self, tool: Tool) -> Any:
        return self._words.tools.get(tool.name) if tool.name in self._scenario.tools else None

    def _description(self, tool: Tool, called: Mapping[str, str], names: Mapping[str, str]) -> str:
        texts = self._own(tool)
        if texts is None:
            return _reworded(self._naming.wording(self._scenario.wordings, tool), called, names)
        options = either(texts.text, self._heldout)
        return options[int(self._draw(f"text/{tool.name}") * len(options))]

    def _schema(
        self, tool: Tool, parameter: Parameter, called: Mapping[str, str], names: Mapping[str, str]
    ) -> dict[str, Any]:
        texts = self._own(tool)
        given = self._words.given.get(parameter.name, ())
        if texts is not None and parameter.name in texts.inputs:
            text = texts.inputs[parameter.name]
        elif texts is not None and given:
            text = given[int(self._draw(f"given/{tool.name}/{parameter.name}") * len(given))]
        else:
            text = _reworded(str(parameter.schema.get("description", "")), called, names)
        return {**_never_null(parameter.schema), "description": text}

    # -- draws ----------------------------------------------------------------------------------------------------

    def _draw(self, about: str) -> float:
        return random.Random(f"stage 1/{self._key}/{about}").random()

    def _mixed(self, about: str, items: Iterable[Any]) -> list[Any]:
        draw = random.Random(f"stage 1/{self._key}/{about}").random
        return sorted(items, key=lambda _: draw())


def _never_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    kinds = [kind for kind in schema.get("anyOf", ()) if kind.get("type") != "null"]
    if len(kinds) != 1:
        return dict(schema)
    return {**{key: value for key, value in schema.items() if key not in ("anyOf", "default")}, **kinds[0]}


def _reworded(text: str, called: Mapping[str, str], names: Mapping[str, str]) -> str:
    """Replace names in a text.

    A field without an underscore is replaced only before a colon at the start.
    """
    text = replace_names(text, {field: new for field, new in called.items() if "_" in field}, names)
    field, colon, rest = text.partition(":")
    return f"{called[field]}:{rest}" if colon and field in called else text
