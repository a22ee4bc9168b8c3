"""A call, as it is written and as it is read; and the final response, which is none."""

from __future__ import annotations

from typing import Any

import msgspec

from teller_gym.tools.tool import Tool


class Call(msgspec.Struct, frozen=True):
    """One tool call by name, with arguments as JSON has them."""

    name: str
    arguments: dict[str, Any]


class ToolCall(msgspec.Struct, frozen=True, gc=False):
    """A call that names a tool in play and whose arguments fit it."""

    tool: Tool
    arguments: Any
    """The tool's argument struct."""


class FinalResponse(msgspec.Struct, frozen=True, gc=False):
    """Text without a call."""

    text: str
