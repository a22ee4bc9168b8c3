"""Thinking that a server leaves in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from teller_gym.agents.endpoint.answers import Answer

_PARTS = frozenset(("thinking", "reasoning", "redacted_thinking"))
"""Types of parts of a content that are thinking."""

_OPEN, _CLOSE = "<think>", "</think>"


def split_thinking(text: str) -> tuple[str, str]:
    """Return thinking and what follows it.

    Thinking stands first, in `<think>` tags. The opening one may be missing, since some chat templates write it into
    the prompt; the closing one is, where the model ran out of tokens. A text that begins as JSON holds none.
    """
    stripped = text.lstrip()
    if stripped.startswith(_OPEN):
        thinking, _, rest = stripped[len(_OPEN) :].partition(_CLOSE)
        return thinking.strip(), rest.strip()
    if _CLOSE in stripped and not stripped.startswith(("{", "[")):
        thinking, _, rest = stripped.partition(_CLOSE)
        if _OPEN not in thinking:
            return thinking.strip(), rest.strip()
    return "", text


def sent_back(answer: Answer, return_thinking: bool | None) -> dict[str, Any]:
    """Return an answer's message as it goes back into the chat, without calls.

    Args:
        answer: as it was received.
        return_thinking: see `EndpointConfig.return_thinking`.
    """
    content = answer.content
    if return_thinking is False and isinstance(content, list):
        content = [part for part in content if not (isinstance(part, dict) and part.get("type") in _PARTS)] or None
    return {"role": "assistant", "content": content} | (answer.reasoning if return_thinking else {})
