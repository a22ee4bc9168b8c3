"""Builds the stage 1 prompt from the business context, the signatures of the pool and ``context.yaml``."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.sop import fill
from teller_gym.stage1.frame import Frame, filled, frame, one_line
from teller_gym.stage1.prose import prose
from teller_gym.stage1.task import GraphTask, pool_of
from teller_gym.tools.tool import Parameter, Tool


@lru_cache(maxsize=16)
def context(task: GraphTask) -> str:
    """Return the prompt of a task."""
    scenario, pool, texts = load_scenario(task.scenario), pool_of(task), frame()
    document = scenario.sop_document
    return filled(
        texts.context,
        count=str(len(pool.tools)),
        purpose=one_line(fill(document.purpose, scenario.policy)),
        scope=one_line(fill(document.scope, scenario.policy)),
        prose=prose(task),
        tools="\n\n".join(map(signature, pool.tools.values())),
        example=texts.example,
    )


@lru_cache(maxsize=1024)
def signature(tool: Tool) -> str:
    """Return a tool's text: name, description, inputs with types and descriptions, and output names."""
    texts = frame()
    inputs = "".join(f"\n{_input(parameter, texts)}" for parameter in tool.parameters)
    return filled(
        texts.tool.rstrip("\n"),
        name=tool.name,
        description=one_line(tool.description),
        inputs=inputs or texts.nothing,
        outputs=", ".join(tool.outputs) or texts.nothing.strip(),
    )


def _input(parameter: Parameter, texts: Frame) -> str:
    return filled(
        texts.input,
        name=parameter.name,
        kind=kind_of(parameter.schema) + ("" if parameter.required else texts.optional),
        description=one_line(str(parameter.schema.get("description", ""))),
    )


def kind_of(schema: dict[str, Any]) -> str:
    """Describe the type in a JSON schema, such as ``string, one of auto|home|personal`` or ``array of string``."""
    kind, choices = _kind_and_choices(schema)
    return f"{kind}, one of {'|'.join(choices)}" if choices else kind


def _kind_and_choices(schema: dict[str, Any]) -> tuple[str, list[str]]:
    if "anyOf" in schema:
        parts = [_kind_and_choices(part) for part in schema["anyOf"]]
        return " or ".join(dict.fromkeys(kind for kind, _ in parts)), [word for _, words in parts for word in words]
    if "enum" in schema:
        return "string", [str(word) for word in schema["enum"]]
    if schema.get("type") == "array":
        kind, choices = _kind_and_choices(schema.get("items", {}))
        return f"array of {kind}", choices
    return str(schema.get("format") or schema.get("type", "any")), []
