"""Runs actions against a bank, for agents, experts and checks."""

from __future__ import annotations

from typing import Any

import msgspec

from teller_gym.base.errors import ToolError
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import Call, FinalResponse, ToolCall
from teller_gym.tools.parse import parse_action
from teller_gym.tools.tool import ToolSet

_encode = msgspec.json.Encoder().encode


def run_tool(bank: Bank, call: ToolCall) -> str:
    """Run a decoded call and return its result as JSON text; raises :class:`ToolError` for the agent to read."""
    return _encode(call.tool.call(bank, call.arguments)).decode()


def error_text(error: ToolError) -> str:
    """Return an error as the JSON text that the agent reads."""
    return _encode({"error": error.to_dict()}).decode()


def action_text(call: Call) -> str:
    """Return a call as the text of an action: plain JSON."""
    return _encode({"name": call.name, "arguments": call.arguments}).decode()


def run_action(bank: Bank, tools: ToolSet, text: str) -> dict[str, Any]:
    """Run an action that must be a call and return its decoded result; for experts and checks.

    Raises:
        ToolError: the call failed.
        ValueError: the text is a final response.
    """
    call = parse_action(text, tools)
    if isinstance(call, FinalResponse):
        raise ValueError(f"expected a call, got the final response {call.text!r}")
    result: dict[str, Any] = msgspec.json.decode(run_tool(bank, call))
    return result
