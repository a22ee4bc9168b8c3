"""What an agent reads: the business context in prose and the signatures of the pool. The frame is in context.yaml."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.sop import fill
from teller_gym.stage1.prose import prose
from teller_gym.stage1.task import GraphTask, pool_of
from teller_gym.stage1.wording import Wording, filled, one_line, wording
from teller_gym.tools.tool import Parameter, Tool


@lru_cache(maxsize=16)
def context(task: GraphTask) -> str:
    """Return all that an agent reads of a task."""
    scenario, pool, texts = load_scenario(task.scenario), pool_of(task), wording()
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
    """Return a tool's name, description, inputs with their types and descriptions, and the names of its outputs."""
    texts = wording()
    inputs = "".join(f"\n{_input(parameter, texts)}" for parameter in tool.parameters)
    return filled(
        texts.tool.rstrip("\n"),
        name=tool.name,
        description=one_line(tool.description),
        inputs=inputs or texts.nothing,
        outputs=", ".join(tool.outputs) or texts.nothing.strip(),
    )


def _input(parameter: Parameter, texts: Wording) -> str:
    return filled(
        texts.input,
        name=parameter.name,
        kind=kind_of(parameter.schema) + ("" if parameter.required else texts.optional),
        description=one_line(str(parameter.schema.get("description", ""))),
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
