"""Agents: the agent protocol, reference agents, and language models with a chat interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from teller_gym.agents.reference import CHEAP_AGENTS, REFERENCE_AGENTS, make_agent

__all__ = ["CHEAP_AGENTS", "REFERENCE_AGENTS", "make_agent"]


def __getattr__(name: str) -> Any:
    """Load the reference agents on first use.

    Raises:
        AttributeError: the name is not one of the exported ones.
    """
    if name in __all__:
        from teller_gym.agents import reference

        return getattr(reference, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it exports: {', '.join(__all__)}")
