"""Functions under a tool's name, for tools that several scenarios have with other types and words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from teller_gym.tools.tool import Act, Category, Tool, tool


def auxiliary_tool(
    function: Callable[..., Any],
    description: str = "",
    *,
    act: Act | None = None,
    types: dict[str, Any] | None = None,
    texts: dict[str, str] | None = None,
) -> Tool:
    """Return an auxiliary tool of a function whose docstring holds the texts that all scenarios share.

    Args:
        function: the tool's.
        description: put in place of ``DESCRIPTION`` in the docstring.
        act: as for ``tool``.
        types: types of arguments, and of the result (``return``), in place of those of the function.
        texts: words put in place of other words of the docstring, such as ``THE CASE``.
    """
    for word, text in {"DESCRIPTION": description, **(texts or {})}.items():
        function.__doc__ = (function.__doc__ or "").replace(word, text)
    function.__annotations__ |= types or {}
    return tool(act=act, category=Category.AUXILIARY)(function)
