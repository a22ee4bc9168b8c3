"""Successful calls whose arguments are values that the expert has seen or, if necessary, made-up values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from teller_gym.agents.knowledge import Knowledge, Spec
from teller_gym.base.errors import ToolError
from teller_gym.envs.spaces.sampling import sample_value
from teller_gym.procedure.task import Task
from teller_gym.proof.play import Subject
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text, run_action
from teller_gym.tools.tool import Act, Category

_ATTEMPTS = 8
_FIRST_YEAR = 1900


def fillable_calls(under: Subject, task: Task, acts: Collection[Act | None], *categories: Category) -> list[Call]:
    """Return a call that succeeds at the start of a task for each tool with one of the acts, if one is found.

    The act None selects read-only tools. Arguments may use the result of the first standard call.
    """
    tools = under.scenario.tools
    knowledge = Knowledge([Spec(tool.schema()) for tool in tools.values()])
    knowledge.read_text(task.request, "")
    first = task.standard.calls[0]
    knowledge.read_result(first.arguments, run_action(under.scenario.bank(task), tools, action_text(first)))
    chosen = tools.of(*categories) if categories else tools.values()
    specs = [Spec(tool.schema()) for tool in chosen if tool.act in acts]
    return [call for spec in specs if (call := _successful(under, task, spec, knowledge))]


def _successful(under: Subject, task: Task, spec: Spec, knowledge: Knowledge) -> Call | None:
    """Return a successful call to a tool, or None if no attempt succeeds."""
    refused: dict[str, list[Any]] = {}
    draws = np.random.Generator(np.random.PCG64(task.seed))
    for attempt in range(_ATTEMPTS):
        filled = knowledge.fill(spec, knowledge.subjects(spec)[0], invent=True, refused=refused)
        assert filled is not None  # unknown values are invented
        arguments = filled.arguments
        if attempt > _ATTEMPTS // 2:
            unsure = [name for name, support in filled.support.items() if support > 0]
            arguments = {**arguments, **{n: _value(spec.parameters[n].schema, task, draws) for n in unsure}}
        try:
            run_action(under.scenario.bank(task), under.scenario.tools, action_text(Call(spec.name, arguments)))
        except ToolError as error:
            if error.field in arguments:
                refused.setdefault(error.field, []).append(filled.arguments[error.field])
            continue
        return Call(spec.name, arguments)
    return None


def _value(schema: Mapping[str, Any], task: Task, draws: np.random.Generator) -> Any:
    """Draw a random value; a number that must be a year is the business date's year."""
    if schema.get("minimum", 0) >= _FIRST_YEAR and schema["minimum"] <= task.today.year <= schema.get("maximum", 0):
        return task.today.year
    return sample_value(dict(schema), draws)
