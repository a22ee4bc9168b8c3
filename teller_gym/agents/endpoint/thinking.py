"""Thinking that a server leaves in the text."""

from __future__ import annotations

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
