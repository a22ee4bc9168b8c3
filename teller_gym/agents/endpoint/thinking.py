"""Sends thinking back to the endpoint between calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from teller_gym.agents.endpoint.answers import Answer

_PARTS = frozenset(("thinking", "reasoning", "redacted_thinking"))
"""Types of content parts that are thinking."""


def sent_back(answer: Answer, return_thinking: bool | None) -> dict[str, Any]:
    """Return an answer's message as it is sent back in the chat, without calls.

    Args:
        answer: as it was received.
        return_thinking: see `EndpointConfig.return_thinking`.
    """
    content = answer.content
    if return_thinking is False and isinstance(content, list):
        content = [part for part in content if not (isinstance(part, dict) and part.get("type") in _PARTS)] or None
    return {"role": "assistant", "content": content} | (answer.reasoning if return_thinking else {})
