"""Calling a distractor as an environment does: through the parser, with an answer read back from JSON."""

from datetime import date
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import msgspec

import teller_gym.scenarios.distractors as package
from teller_gym.bank import Bank
from teller_gym.execution import run_action
from teller_gym.tools import Tool, ToolSet, tools_of

TODAY = date(2026, 3, 4)


@cache
def all_tools() -> dict[str, Tool]:
    """Return every distractor by name."""
    found = {}
    for group in ("financial", "general"):
        folder = f"{package.__name__}.{group}"
        for module in sorted(info.name for info in iter_modules(import_module(folder).__path__)):
            for tool in tools_of(import_module(f"{folder}.{module}")):
                found[tool.name] = tool
    return found


def empty_bank(today: date = TODAY) -> Bank:
    """Return a bank without records."""
    return Bank({}, today, None, "LA-100000")


def call(name: str, /, bank: Bank | None = None, **arguments: Any) -> dict[str, Any]:
    """Call a distractor by name and return its answer as an agent reads it; raises ToolError for a refusal."""
    tool = all_tools()[name]
    text = msgspec.json.encode({"name": name, "arguments": arguments}).decode()
    return run_action(bank if bank is not None else empty_bank(), ToolSet([tool]), text)
