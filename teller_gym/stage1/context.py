"""What an agent reads: the business context in words and the signatures of the pool. The wording is in context.yaml."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import msgspec

from teller_gym.procedure.graph import Edge, EdgeKind
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.procedure.sop import fill
from teller_gym.stage1.task import GraphTask, Pool, pool_of
from teller_gym.tools.tool import Parameter, Tool
from teller_gym.variation.schema import ShiftedTools

_PLACE = re.compile(r"\{(\w+)\}")


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parsed ``context.yaml``."""

    context: str
    example: str
    state: str
    temporal: str
    no_precedence: str
    tool: str
    input: str
    optional: str
    nothing: str


@cache
def wording() -> Wording:
    """Return the texts."""
    data = resources.files("teller_gym.stage1").joinpath("context.yaml").read_bytes()
    return msgspec.yaml.decode(data, type=Wording)


@lru_cache(maxsize=16)
def context(task: GraphTask) -> str:
    """Return all that an agent reads of a task; it names no edge that a value makes."""
    scenario, pool, texts = load_scenario(task.scenario), pool_of(task), wording()
    document = scenario.sop_document
    return _filled(
        texts.context,
        count=str(len(pool.tools)),
        purpose=_line(fill(document.purpose, scenario.policy)),
        scope=_line(fill(document.scope, scenario.policy)),
        steps="; ".join(fill(step.title, scenario.policy) for step in document.steps),
        precedences="\n".join(precedences(scenario, pool)) or texts.no_precedence,
        tools="\n\n".join(map(signature, pool.tools.values())),
        example=texts.example,
    )


def precedences(scenario: Scenario, pool: Pool) -> list[str]:
    """Return a sentence for each edge of the scenario's graph that no value makes, in the order of the graph."""
    return [_sentence(edge, pool) for edge in scenario.graph.edges if edge.kind is not EdgeKind.DATA]


def _sentence(edge: Edge, pool: Pool) -> str:
    texts = wording()
    why = pool.tools.reword(edge.why) if isinstance(pool.tools, ShiftedTools) else edge.why
    return _filled(
        texts.state if edge.kind is EdgeKind.STATE else texts.temporal,
        upstream=pool.names[edge.upstream],
        downstream=pool.names[edge.downstream],
        why=why.rstrip("."),
    )


@lru_cache(maxsize=1024)
def signature(tool: Tool) -> str:
    """Return a tool's name, description, inputs with their types and descriptions, and the names of its outputs."""
    texts = wording()
    inputs = "".join(f"\n{_input(parameter, texts)}" for parameter in tool.parameters)
    return _filled(
        texts.tool.rstrip("\n"),
        name=tool.name,
        description=_line(tool.description),
        inputs=inputs or texts.nothing,
        outputs=", ".join(tool.outputs) or texts.nothing.strip(),
    )


def _input(parameter: Parameter, texts: Wording) -> str:
    return _filled(
        texts.input,
        name=parameter.name,
        kind=kind_of(parameter.schema) + ("" if parameter.required else texts.optional),
        description=_line(str(parameter.schema.get("description", ""))),
    )


def kind_of(schema: dict[str, Any]) -> str:
    """Return a JSON schema's type in words, such as ``auto|home|personal`` or ``array of string``."""
    if "anyOf" in schema:
        return " or ".join(map(kind_of, schema["anyOf"]))
    if "enum" in schema:
        return "|".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"array of {kind_of(schema.get('items', {}))}"
    return str(schema.get("format") or schema.get("type", "any"))


def _filled(text: str, **values: str) -> str:
    """Fill the places of a text in one go, so that a value's own braces stay."""
    return _PLACE.sub(lambda place: values.get(place[1], place[0]), text)


def _line(text: str) -> str:
    return " ".join(text.split())
