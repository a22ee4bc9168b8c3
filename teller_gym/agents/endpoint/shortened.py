"""Shortens a chat, keeping its messages: if the result is accepted, the refusal was about length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

_CUT = "…"
_SLACK = 400
"""Bytes by which a chat may exceed an answered one and still count as equally short."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


def shortened(messages: Sequence[msgspec.Raw], start: int, last: int, answered: int) -> tuple[list[msgspec.Raw], bool]:
    """Shorten a chat: all old results first, then old answers, then as much as needed of the last exchange.

    Calls, their ids, roles, and thinking that a server may have signed are unchanged, so a server that refuses
    something other than the length still finds it.

    Args:
        messages: the chat. start: place of the first message that may be shortened. last: messages of the last
            exchange. answered: bytes of a chat that was answered before.

    Returns:
        The messages, and True if they have about as few bytes as those that were answered.
    """
    texts = [_decode(bytes(message)) for message in messages]
    sizes = [len(bytes(message)) for message in messages]
    newest = len(messages) - last
    for place in range(start, newest):
        if texts[place]["role"] != "assistant":
            _cut(texts, sizes, place, "content", sizes[place])
    for place, name in _others(texts, start, newest):
        excess = sum(sizes) - answered
        if excess <= 0:
            break
        _cut(texts, sizes, place, name, excess)
    changed = [
        message if len(bytes(message)) == size else msgspec.Raw(_encode(text))
        for message, text, size in zip(messages, texts, sizes, strict=True)
    ]
    return changed, sum(sizes) <= answered + _SLACK


def _others(texts: Sequence[dict[str, Any]], start: int, newest: int) -> Iterator[tuple[int, str]]:
    """Yield places and fields of the other texts that may be cut, in cutting order."""
    for place in range(start, newest):
        if texts[place]["role"] == "assistant":
            yield from ((place, name) for name in ("content", "reasoning_content", "reasoning"))
    for place in range(newest, len(texts)):
        if texts[place]["role"] != "assistant":
            yield place, "content"
    yield from ((newest, name) for name in ("reasoning_content", "reasoning", "content"))


def _cut(texts: list[dict[str, Any]], sizes: list[int], place: int, name: str, excess: int) -> None:
    """Cut a field, if it is text, by `excess` bytes or down to a mark."""
    text = texts[place].get(name)
    if not isinstance(text, str) or len(text) <= len(_CUT):
        return
    kept = max(0, len(text) - excess - len(_CUT.encode()))
    texts[place][name] = text[:kept] + _CUT
    sizes[place] = len(_encode(texts[place]))
