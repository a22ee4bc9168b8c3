"""Calls that core tools refuse or accept, as data: a standard call with some arguments changed, and its outcome.

They are in each scenario's ``guards.yaml``, separate from the tests, so that mutants of the tools can get the same
calls. An entry is a :class:`Guard`: its ``tool`` (one or several), the arguments to ``change`` (``=today+1`` is the day
after the business date; a word is the name of a function in ``guards.py`` beside the file), and the expected ``error``
with its ``field``, or parts of the ``result``. ``refused: x`` is short for a validation error about the field x.
"""

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import Call, ToolCall
from teller_gym.tools.parse import parse_action
from teller_gym.tools.run import run_tool
from teller_gym.tools.tool import ToolSet

Changes = Callable[[Task], Mapping[str, Any]]


class Guard(NamedTuple):
    """A call with changed arguments, and the expected error or parts of the expected result.

    In ``result``, ``"=today"`` stands for the business date and ``"=name"`` for the argument of that name.
    """

    tool: str
    changes: Changes = lambda _: {}
    kind: ErrorKind | None = None
    field: str | None = None
    result: Mapping[str, Any] = {}
    branches: Mapping[str, str] = {}
    """Outcomes and output fields of the frozen case for the call, the first matching one in which the tool is used."""
    without: str = ""
    """A tool whose earlier calls are left out."""


def load_guards(module: str, changes: Mapping[str, Any]) -> tuple[Guard, ...]:
    """Read the ``guards.yaml`` beside a module; ``changes`` has the functions that its entries name."""
    rows = yaml.safe_load(Path(module).with_name("guards.yaml").read_text("utf-8"))
    found = []
    for row in rows:
        tools, change, field = row.pop("tool"), row.pop("change", {}), row.pop("refused", None)
        error = row.pop("error", "validation" if field else None)
        kind = None if error is None else ErrorKind(error)
        changed = changes[change] if isinstance(change, str) else partial(_dated, change)
        more = {"field": field} if field else {}
        for tool in [tools] if isinstance(tools, str) else tools:
            found.append(Guard(tool, changed, kind, **more, **row))
    return tuple(found)


def _dated(change: Mapping[str, Any], task: Task) -> dict[str, Any]:
    """Return the changes with dates filled in that are relative to the business date."""

    def filled(value: Any) -> Any:
        if isinstance(value, str) and value.startswith("=today"):
            return (task.today + timedelta(days=int(value.removeprefix("=today")))).isoformat()
        return value

    return {name: filled(value) for name, value in change.items()}


def call_of(task: Task, tool: str) -> Call:
    """Return the first standard call of a tool in a task."""
    return next(call for call in task.standard.calls if call.name == tool)


def task_for(scenario: Scenario, guard: Guard) -> Task:
    """Return the first frozen case that fits a guard."""
    for task in frozen_tasks(scenario.name).values():
        names = {call.name for call in task.standard.calls}
        known = task.branches | task.standard.outputs
        fits = all(known[point] == outcome for point, outcome in guard.branches.items())
        if guard.tool in names and (not guard.without or guard.without in names) and fits:
            return task
    raise LookupError(f"no frozen case for {guard}")


def run(bank: Bank, tools: ToolSet, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Call a tool; return its result as an agent reads it."""
    call = parse_action(json.dumps({"name": name, "arguments": dict(arguments)}), tools)
    assert isinstance(call, ToolCall)
    result: dict[str, Any] = json.loads(run_tool(bank, call))
    return result


def bank_before(scenario: Scenario, task: Task, tool: str, without: str = "", tools: ToolSet | None = None) -> Bank:
    """Return the bank after the standard calls before a tool's first call, without those of another tool."""
    bank = scenario.bank(task)
    for call in task.standard.calls:
        if call.name == tool:
            break
        if call.name != without:
            run(bank, tools or scenario.tools, call.name, call.arguments)
    return bank


def ask(scenario: Scenario, guard: Guard, tools: ToolSet) -> str | None:
    """Make a guard's call with a set of tools; return a complaint if the outcome is unexpected."""
    task = task_for(scenario, guard)
    bank = bank_before(scenario, task, guard.tool, guard.without, tools)
    arguments = {**call_of(task, guard.tool).arguments, **guard.changes(task)}
    try:
        result = run(bank, tools, guard.tool, arguments)
    except ToolError as error:
        if error.kind is not guard.kind or (guard.field and error.field != guard.field):
            return f"expected {guard.kind} about {guard.field}, got {error.to_dict()}"
        if guard.without and guard.without not in error.message:
            return f"expected {guard.without} to be named, got {error.message}"
        return None
    if guard.kind is not None:
        return f"expected {guard.kind}, but the call was accepted: {result}"
    names = {"=today": task.today.isoformat(), **{f"={name}": value for name, value in arguments.items()}}
    for key, expected in guard.result.items():
        expected = names.get(expected, expected) if isinstance(expected, str) else expected
        if result[key] != expected:
            return f"{key}: expected {expected!r}, got {result[key]!r}"
    return None
