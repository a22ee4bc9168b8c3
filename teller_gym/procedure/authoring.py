"""Public names for scenario modules, as in ``from teller_gym.procedure.authoring import Scenario, tool``."""

from __future__ import annotations

from datetime import date
from typing import Any

from teller_gym.base.dates import add_business_days, is_business_day, on_or_before_business_day, whole_years
from teller_gym.base.draw import Draw
from teller_gym.base.errors import ErrorKind, ToolError, invalid
from teller_gym.base.money import divide_half_up, exact, round_half_up, to_cents, usd
from teller_gym.procedure.from_template.case_tools import find
from teller_gym.procedure.lapses import Expert
from teller_gym.procedure.officer import Steps
from teller_gym.procedure.scenario import Draft, Scenario, Solution, register_scenario
from teller_gym.procedure.task import Task
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.call import Call
from teller_gym.tools.tool import ONCE, Act, Category, Money, Percent, Result, tool, tools_of

__all__ = [
    "ONCE",
    "Act",
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
    """Create an expert's call, with dates converted to ISO text."""
    return Call(
        name, {key: value.isoformat() if isinstance(value, date) else value for key, value in arguments.items()}
    )
