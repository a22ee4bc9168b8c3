"""The small hand-made banks of ``auxiliary.yaml``, with helpers to call their tools."""

from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from teller_gym.base.errors import ToolError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, ToolSet
from tests.scenarios.guards import run


class Example(msgspec.Struct):
    """A valid call, another value for each parameter, and further changes that some values need to take effect."""

    call: dict[str, Any]
    other: dict[str, Any] = {}
    together: dict[str, dict[str, Any]] = {}


class Examples(msgspec.Struct):
    """Content of a scenario's ``auxiliary.yaml``; the comment at the top of that file explains it."""

    today: date
    case_id: str
    tables: dict[str, dict[str, dict[str, Any]]]
    calls: dict[str, Example]
    answers: list[tuple[str, dict[str, Any], dict[str, Any]]]
    refused: list[tuple[str, dict[str, Any], str]] = []

    def arguments(self, tool: str, **changes: Any) -> dict[str, Any]:
        """Return the arguments of a tool's valid call, with changes."""
        return self.calls[tool].call | changes


SCENARIOS = ("loans", "accounts", "savings")
"""Scenarios whose examples call every tool of their own, with another value for every parameter."""

ANSWERED = (*SCENARIOS, "investments")
"""Scenarios with hand-computed answers."""


@cache
def examples(scenario: str) -> Examples:
    path = Path(__file__).with_name(scenario) / "auxiliary.yaml"
    return msgspec.yaml.decode(path.read_bytes(), type=Examples)


@cache
def tools_of(scenario: str) -> ToolSet:
    tools = load_scenario(scenario).tools
    return ToolSet([tool for tool in tools.values() if tool.category is Category.AUXILIARY])


def new_bank(scenario: str, policy: Any = None, today: date | None = None) -> Bank:
    """Return a fresh copy of the bank in a scenario's examples."""
    found, loaded = examples(scenario), load_scenario(scenario)
    day = today or found.today
    return Bank(found.tables, day, policy or loaded.policy, found.case_id, case_table=loaded.template.table)


def ask(scenario: str, tool: str, bank: Bank | None = None, /, **arguments: Any) -> dict[str, Any]:
    """Call an auxiliary tool, on a fresh bank by default; return its result."""
    return run(bank or new_bank(scenario), tools_of(scenario), tool, arguments)


def error(scenario: str, tool: str, bank: Bank | None = None, /, **arguments: Any) -> ToolError:
    """Call an auxiliary tool that must refuse the call; return its error."""
    with pytest.raises(ToolError) as caught:
        ask(scenario, tool, bank, **arguments)
    return caught.value
