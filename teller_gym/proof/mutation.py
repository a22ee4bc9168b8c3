"""Claim that every graded argument counts.

Changing any argument by a step makes its call's checkpoint fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

import numpy as np

from teller_gym.agents.schemas import Schema, choices, fits, is_date
from teller_gym.envs.spaces.sampling import sample_value
from teller_gym.procedure.task import Task
from teller_gym.proof.play import Subject, standard_actions, subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text


def mutation(env_id: str, instances: int | None = None) -> ProofItem:
    """Check that changing any argument of a standard call by one step loses a checkpoint and part of the score."""
    under = subject(env_id)
    tasks = under.part(instances)
    problems: list[str] = []
    tried = 0
    for number, task in enumerate(tasks):
        for index, name, problem in _mutations(under, task, number):
            tried += 1
            if problem:
                problems.append(f"{task.id}, call {index + 1}, {task.standard.calls[index].name}.{name}: {problem}")
    figure = f"{tried} changes over {len(tasks)} of {len(under.tasks)} instances, {len(problems)} unnoticed"
    measured = {"changes": tried, "instances": len(tasks), "unnoticed": len(problems)}
    claim = "each graded argument, changed by one step, loses its checkpoint"
    return item("mutation", claim, figure, problems, measured)


def _mutations(under: Subject, task: Task, number: int) -> Iterator[tuple[int, str, str]]:
    """Yield (call index, argument, problem) for every argument.

    The problem is empty if the change was noticed.
    """
    core, actions = under.core, standard_actions(task)
    under.start(task)
    for index, call in enumerate(task.standard.calls):
        schemas = under.scenario.tools[call.name].schema()["function"]["parameters"]["properties"]
        before = core.snapshot()
        for place, (name, value) in enumerate(call.arguments.items()):
            changed = one_step(value, schemas[name], up=(number + place) % 2 == 0)
            core.restore(before)
            rest = [action_text(Call(call.name, {**call.arguments, name: changed})), *actions[index + 1 :]]
            yield index, name, _noticed(under, rest, f"call:{call.name}", value, changed)
        core.restore(before)
        under.env.step(actions[index])


def _noticed(under: Subject, actions: list[str], checkpoint: str, value: Any, changed: Any) -> str:
    for action in actions:
        _, _, terminated, truncated, _ = under.env.step(action)
        if terminated or truncated:
            break
    grade = under.core.grade()
    if grade.checkpoints[checkpoint] or grade.score >= 1.0:
        return f"{value!r} became {changed!r} and nothing was lost (score {grade.score:.3f})"
    return ""


def one_step(value: Any, schema: Schema, *, up: bool = True) -> Any:
    """Change a value by the smallest step, such as a cent, a day, a letter, the next choice, or one element.

    The result fits the schema if possible; ``up`` gives the direction that is tried first. A boolean is negated.

    Raises:
        ValueError: the value has no such step.
    """
    if isinstance(value, bool):
        return not value
    if value is None:
        return _instead_of_nothing(schema)
    if options := choices(schema):
        return options[(options.index(value) + (1 if up else -1)) % len(options)]
    for direction in (1, -1) if up else (-1, 1):
        changed = _moved(value, direction, schema)
        if changed is not None and changed != value and fits(changed, schema):
            return changed
    raise ValueError(f"there is no step from {value!r} that fits {dict(schema)}")


def _moved(value: Any, direction: int, schema: Schema) -> Any:
    if isinstance(value, int):
        return value + direction
    if isinstance(value, float):
        decimals = max(2, len(f"{value!r}".partition(".")[2]))
        return round(value + direction * 10**-decimals, decimals)
    if isinstance(value, str):
        return _next_text(value, direction)
    if isinstance(value, list):
        return _other_list(value, direction, schema)
    return None


def _next_text(value: str, direction: int) -> str:
    """Return a neighbouring text.

    For a date it is the adjacent day, otherwise the text with its last letter or digit replaced by an adjacent one.
    """
    if is_date(value):
        return (date.fromisoformat(value) + timedelta(days=direction)).isoformat()
    for place in range(len(value) - 1, -1, -1):
        for alphabet in ("0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
            if value[place] in alphabet:
                other = alphabet[(alphabet.index(value[place]) + direction) % len(alphabet)]
                return value[:place] + other + value[place + 1 :]
    return value + "x"


def _other_list(value: list[Any], direction: int, schema: Schema) -> list[Any] | None:
    """Return the list without one of its elements or, if that is not possible, with an additional one."""
    if direction < 0 and value:
        return value[:-1]
    items: Mapping[str, Any] = schema.get("items", {})
    options = [option for option in choices(items) if option not in value]
    if options:
        return [*value, options[0]]
    if value:
        return [*value, one_step(value[-1], items)] if direction > 0 else None
    return [_instead_of_nothing(items)]


def _instead_of_nothing(schema: Schema) -> Any:
    """Return a random value that fits the schema and is not null."""
    rng = np.random.Generator(np.random.PCG64(0))
    for _ in range(100):
        value = sample_value(dict(schema), rng)
        if value is not None:
            return value
    raise ValueError(f"nothing but null fits {dict(schema)}")
