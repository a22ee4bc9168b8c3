"""The small hand-made banks of ``auxiliary.yaml``, and how to call a tool of one."""

from __future__ import annotations

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
    """A call that works, another value for each parameter, and what is set besides to make that one count."""

    call: dict[str, Any]
    other: dict[str, Any]
    together: dict[str, dict[str, Any]] = {}


class Examples(msgspec.Struct):
    """The content of a scenario's ``auxiliary.yaml``, which its head explains."""

    today: date
    case_id: str
    tables: dict[str, dict[str, dict[str, Any]]]
    calls: dict[str, Example]
    answers: list[tuple[str, dict[str, Any], dict[str, Any]]]
    refused: list[tuple[str, dict[str, Any], str]] = []

    def arguments(self, tool: str, **changes: Any) -> dict[str, Any]:
        """Return the arguments of the call that works, with changes."""
        return self.calls[tool].call | changes


SCENARIOS = ("loans", "accounts", "savings")


@cache
def examples(scenario: str) -> Examples:
    """Return the examples of a scenario."""
    path = Path(__file__).with_name(scenario) / "auxiliary.yaml"
    return msgspec.yaml.decode(path.read_bytes(), type=Examples)


@cache
def tools_of(scenario: str) -> ToolSet:
    """Return the auxiliary tools of a scenario."""
    tools = load_scenario(scenario).tools
    return ToolSet([tool for tool in tools.values() if tool.category is Category.AUXILIARY])


def new_bank(scenario: str, policy: Any = None, today: date | None = None) -> Bank:
    """Return the bank of a scenario's examples."""
    found, loaded = examples(scenario), load_scenario(scenario)
    day = today or found.today
    return Bank(found.tables, day, policy or loaded.policy, found.case_id, case_table=loaded.template.table)


def ask(scenario: str, tool: str, bank: Bank | None = None, /, **arguments: Any) -> dict[str, Any]:
    """Return the result of a call."""
    return run(bank or new_bank(scenario), tools_of(scenario), tool, arguments)


def error(scenario: str, tool: str, bank: Bank | None = None, /, **arguments: Any) -> ToolError:
    """Return the error of a call."""
    with pytest.raises(ToolError) as caught:
        ask(scenario, tool, bank, **arguments)
    return caught.value
