"""Parses a chat completion request."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec

_RESULT_PREFIX = "Tool result:\n"
"""Prefix of a result sent as a user message: with ReAct, and in response to text without a call."""


class BadRequestError(Exception):
    """A request that cannot be answered.

    The message states what was expected, what was received and what to do.
    """


@dataclass(frozen=True, slots=True)
class Chat:
    """A parsed request.

    Attributes:
        text: all text before the assistant's first turn.
        user: the first user message.
        results: tool results after each of the assistant's turns, in order.
        tools: tool names in the request; None if calls are text.
        model: model name in the request.
        stream: True if the client requests a stream.
        include_usage: True if the stream ends with the token counts.
        size: size of the messages and tools in bytes, from which the token counts are estimated.
    """

    text: str
    user: str
    results: tuple[str, ...]
    tools: tuple[str, ...] | None
    model: str
    stream: bool
    include_usage: bool
    size: int


def read_chat(body: bytes) -> Chat:
    """Parse a request body.

    Raises:
        BadRequestError: the body is not a valid chat.
    """
    try:
        request = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise BadRequestError(f"expected a JSON body: {error}") from None
    if not isinstance(request, dict):
        raise BadRequestError(f"expected a JSON object, got {type(request).__name__}")
    messages = request.get("messages")
    if not isinstance(messages, list) or not messages or not all(isinstance(one, dict) for one in messages):
        raise BadRequestError('expected "messages", a list of one message or more')
    if request.get("n") not in (None, 1):
        raise BadRequestError(f'expected "n" to be 1, got {request["n"]!r}: the expert has one answer')
    opening, results = _split(messages)
    options = request.get("stream_options")
    return Chat(
        text="\n\n".join(_text(one) for one in opening),
        user=next((_text(one) for one in opening if one.get("role") == "user"), ""),
        results=results,
        tools=_tool_names(request.get("tools")),
        model=str(request.get("model") or "expert"),
        stream=request.get("stream") is True,
        include_usage=isinstance(options, dict) and options.get("include_usage") is True,
        size=len(msgspec.json.encode([messages, request.get("tools")])),
    )


def _split(messages: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """Return the messages before the assistant's first turn, and the results after each of its turns."""
    turns = [at for at, one in enumerate(messages) if one.get("role") == "assistant"]
    if not turns:
        return messages, ()
    if turns[-1] == len(messages) - 1:
        raise BadRequestError("expected a tool's or a user's message at the end, got the assistant's own")
    results = tuple(
        "".join(_text(one).removeprefix(_RESULT_PREFIX) for one in messages[start + 1 : end])
        for start, end in pairwise([*turns, len(messages)])
    )
    return messages[: turns[0]], results


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return ""


def _tool_names(tools: Any) -> tuple[str, ...] | None:
    if not tools:
        return None
    try:
        return tuple(str(tool["function"]["name"]) for tool in tools)
    except (KeyError, TypeError):
        raise BadRequestError('expected each of "tools" to be {"type": "function", "function": {"name": …}}') from None
