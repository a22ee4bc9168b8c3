"""Available tools, which are a scenario's own tools and a number of distractors."""

from __future__ import annotations

import importlib
import random
from functools import cache, lru_cache
from typing import Any

from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean, shown
from teller_gym.procedure.scenario import load_scenario
from teller_gym.tools.tool import Tool, ToolSet
from teller_gym.variation.schema import ShiftedTools, shift_tools

_MODULE = "teller_gym.scenarios.distractors"
ALL = "all"


@cache
def distractors() -> tuple[Tool, ...]:
    """Return all distractors, which belong to no procedure, in a fixed order."""
    tools: tuple[Tool, ...] = importlib.import_module(_MODULE).load()
    return tools


@cache
def example_arguments() -> dict[str, list[dict[str, Any]]]:
    """Return the arguments of example calls that succeed, by distractor name."""
    found: dict[str, list[dict[str, Any]]] = importlib.import_module(_MODULE).example_arguments()
    return found


def parse_count(wanted: int | str) -> int:
    """Convert the option ``distractors``, a number or ``"all"``, to a number.

    Raises:
        OptionError: the value is neither of these, or the number is too large.
    """
    if isinstance(wanted, str) and wanted == ALL:
        return len(distractors())
    if type(wanted) is not int or wanted < 0 or (wanted > 0 and wanted > len(distractors())):
        raise OptionError(
            f"distractors: expected 'all' or a number from 0 to {len(distractors())}, got {shown(wanted)}"
        )
    return wanted


def chosen_tools(scenario: str, names: frozenset[str], schema: str = "") -> ToolSet:
    """Select tools of the full pool by their original names, and add the submitting tool.

    The order is that of the pool.

    Raises:
        OptionError: a name is not in the pool.
    """
    pool, submit = tools_in_play(scenario, parse_count(ALL), ""), load_scenario(scenario).submit
    unknown = sorted(names - set(pool))
    if unknown:
        hint = did_you_mean(unknown[0], pool)
        raise OptionError(f"tools: expected names of tools in the pool of {scenario}, got {shown(unknown[0])}{hint}")
    if schema:
        return shift_tools(_chosen(scenario, names | {submit}), schema, load_scenario(scenario))
    return _chosen(scenario, names | {submit})


@lru_cache(maxsize=256)
def _chosen(scenario: str, names: frozenset[str]) -> ToolSet:
    pool = tools_in_play(scenario, parse_count(ALL), "")
    return ToolSet([tool for tool in pool.values() if tool.name in names])


def tools_in_play(scenario: str, count: int, task_id: str, schema: str = "") -> ToolSet:
    """Return a scenario's tools mixed with ``count`` distractors.

    The selection and the order are drawn for each task, except that the full pool is the same for all tasks; equal
    arguments give equal results. ``schema`` is the key of a shifted schema (see
    :class:`~teller_gym.variation.options.Variation`), or empty for the tools' own schema.
    """
    drawn_for = task_id if 0 < count < len(distractors()) else ""
    if schema:
        return _shifted(scenario, count, drawn_for, schema)
    return _mixed(scenario, count, drawn_for) if count else load_scenario(scenario).tools


@lru_cache(maxsize=256)
def _shifted(scenario: str, count: int, task_id: str, schema: str) -> ShiftedTools:
    return shift_tools(tools_in_play(scenario, count, task_id), schema, load_scenario(scenario))


@lru_cache(maxsize=512)
def _mixed(scenario: str, count: int, task_id: str) -> ToolSet:
    # Only random() is guaranteed to give the same stream in every version of Python.
    draw = random.Random(f"{scenario}/{count}/{task_id}").random
    chosen = sorted(distractors(), key=lambda _: draw())[:count]
    return ToolSet(sorted([*load_scenario(scenario).tools.values(), *chosen], key=lambda _: draw()))
