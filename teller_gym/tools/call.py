"""Data types of actions: a call as written, a decoded call, and the final response."""

from __future__ import annotations

from typing import Any

import msgspec

from teller_gym.tools.tool import Tool


class Call(msgspec.Struct, frozen=True):
    """A tool call by name, with arguments as JSON values."""

    name: str
    arguments: dict[str, Any]


class ToolCall(msgspec.Struct, frozen=True, gc=False):
    """A decoded call: an available tool and arguments that are valid for it."""

    tool: Tool
    arguments: Any
    """The tool's argument struct."""


class FinalResponse(msgspec.Struct, frozen=True, gc=False):
    """An action without a call, which ends the episode."""

    text: str
