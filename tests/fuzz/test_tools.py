"""Every tool of a scenario with extreme arguments: no crash, no NaN, no long wait."""

import json
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import ToolCall
from teller_gym.tools.run import run_tool
from teller_gym.tools.tool import Tool
from tests.fuzz.arguments import arguments, corners
from tests.fuzz.effort import examples

LONGEST_S = 1.0
_SHORT = 60
SCENARIOS = ("loans",)
OWN = [(name, tool) for name in SCENARIOS for tool in load_scenario(name).tools]


@cache
def cases(scenario: str) -> tuple[Task, ...]:
    """Return a few tasks that together call every tool of the procedure."""
    chosen: list[Task] = []
    left = set(load_scenario(scenario).tools)
    for task in frozen_tasks(scenario).values():
        called = {call.name for call in task.standard.calls}
        if called & left or not chosen:
            chosen.append(task)
            left -= called
    return tuple(chosen)


@cache
def texts(scenario: str) -> tuple[str, ...]:
    """Return short texts from the bank of a task."""

    def walk(node: Any) -> Iterator[str]:
        if isinstance(node, str):
            yield node
        elif isinstance(node, dict):
            for key, child in node.items():
                yield key
                yield from walk(child)
        elif isinstance(node, list | tuple):
            for child in node:
                yield from walk(child)

    tables = msgspec.to_builtins(dict(cases(scenario)[0].tables))
    return tuple(sorted({text for text in walk(tables) if len(text) <= _SHORT}))


@cache
def banks(task_id: str, scenario: str) -> tuple[Bank, ...]:
    """Return the bank before each call of the standard result, and after the last."""
    loaded, task = load_scenario(scenario), frozen_tasks(scenario)[task_id]
    bank, found = loaded.bank(task), []
    for call in task.standard.calls:
        found.append(bank.fork(bank.snapshot()))
        tool = loaded.tools[call.name]
        run_tool(bank, ToolCall(tool, tool.decode(msgspec.json.encode(call.arguments))))
    return (*found, bank)


def attack(tool: Tool, bank: Bank, given_: dict[str, Any]) -> None:
    """Call a tool twice on copies of a bank, and check that the results are equal, finite and quick."""
    text = json.dumps(given_).encode()
    try:
        decoded = tool.decode(text)
    except msgspec.ValidationError:
        return
    except ToolError:
        _attack_behind_the_check(tool, bank, text)
        return
    mine = bank.fork(bank.snapshot())
    started = time.thread_time()
    try:
        result = tool.call(mine, decoded)
    except ToolError as error:
        msgspec.json.encode(error.to_dict())
        assert mine.state_hash() == bank.state_hash(), "a call that failed has written"
    else:
        # msgspec writes NaN as null, so the values themselves are checked.
        json.dumps(msgspec.to_builtins(result), allow_nan=False)
        again = run_tool(bank.fork(bank.snapshot()), ToolCall(tool, decoded))
        assert again == msgspec.json.encode(result).decode()
    assert time.thread_time() - started < LONGEST_S
    if not tool.writes:
        assert mine.snapshot() == bank.snapshot()


def _attack_behind_the_check(tool: Tool, bank: Bank, text: bytes) -> None:
    """Check that a tool called without the check of decimals or sets raises only expected errors."""
    try:
        tool.call(bank.fork(bank.snapshot()), msgspec.json.decode(text, type=tool.args_type))
    except ToolError:
        pass
    except ValueError as error:
        assert "at most two decimals" in str(error) or "unique" in str(error), error


PROFILE = settings(deadline=None)
"""The folder's settings, which apply when this module is loaded but not when its tests run."""


@pytest.mark.parametrize(("scenario", "name"), OWN)
def test_a_tool_of_the_bank_takes_whatever_its_schema_admits(scenario: str, name: str) -> None:
    tool, known = load_scenario(scenario).tools[name], texts(scenario)
    calls = [
        (banks(task.id, scenario)[place], call.arguments)
        for task in cases(scenario)
        for place, call in enumerate(task.standard.calls)
        if call.name == name
    ] or [(banks(cases(scenario)[0].id, scenario)[-1], {})]
    # Only one argument is extreme and the others are right, so that the call gets as far as possible.
    for parameter in tool.parameters:
        for bank, right in calls[:1]:
            for corner in corners(parameter.schema, known):
                attack(tool, bank, {**right, parameter.name: corner})
    names = [parameter.name for parameter in tool.parameters]

    @settings(PROFILE, max_examples=examples(15))
    @given(arguments(tool.parameters, known), st.integers(0, len(calls) - 1), st.sets(st.sampled_from(names)))
    def check(odd: dict[str, Any], place: int, kept: set[str]) -> None:
        bank, right = calls[place]
        attack(tool, bank, odd | {key: value for key, value in right.items() if key in kept})

    check()
