"""All that the module of a scenario needs: ``from teller_gym.authoring import Scenario, tool``."""

from __future__ import annotations

from datetime import date
from typing import Any

from teller_gym.bank import Bank, Record
from teller_gym.case_tools import find
from teller_gym.dates import add_business_days, is_business_day, on_or_before_business_day, whole_years
from teller_gym.draw import Draw
from teller_gym.errors import ErrorKind, ToolError, invalid
from teller_gym.money import divide_half_up, exact, round_half_up, to_cents, usd
from teller_gym.scenario import Draft, Expert, Scenario, Solution, Steps, register_scenario
from teller_gym.task import Call, Task
from teller_gym.tools import Category, Money, Percent, Result, tool, tools_of

__all__ = [
    "Bank",
    "Call",
    "Category",
    "Draft",
    "Draw",
    "ErrorKind",
    "Expert",
    "Money",
    "Percent",
    "Record",
    "Result",
    "Scenario",
    "Solution",
    "Steps",
    "Task",
    "ToolError",
    "add_business_days",
    "call",
    "divide_half_up",
    "exact",
    "find",
    "invalid",
    "is_business_day",
    "on_or_before_business_day",
    "register_scenario",
    "round_half_up",
    "to_cents",
    "tool",
    "tools_of",
    "usd",
    "whole_years",
]


def call(name: str, /, **arguments: Any) -> Call:
    """Return an expert's call; dates are written as ISO text."""
    return Call(
        name, {key: value.isoformat() if isinstance(value, date) else value for key, value in arguments.items()}
    )
