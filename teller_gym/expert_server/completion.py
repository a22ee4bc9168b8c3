"""Chat completions in the format of OpenAI's API, as one body or a stream of chunks.

Source: OpenAI's API reference, "Create chat completion" and "Streaming". Ids and times depend only on the request, so
equal requests have equal responses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec

from teller_gym.expert_server.chat import Chat
from teller_gym.expert_server.mistakes import Spoilt, as_text, read_call

MODEL = "expert"
CREATED = 1_767_225_600
"""Unix time in every response, the beginning of 2026."""
_BYTES_PER_TOKEN = 4
"""Bytes per token for estimating token counts, since the expert has no tokenizer."""


def completion(chat: Chat, turn: str | Spoilt, number: int) -> dict[str, Any]:
    """Return the body of a chat completion with a turn, which is the chat's turn ``number``, counted from 0."""
    message, finish = _message(chat, turn, number)
    return {
        "id": _id(chat, number),
        "object": "chat.completion",
        "created": CREATED,
        "model": chat.model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": _usage(chat, message),
    }


def chunks(chat: Chat, turn: str | Spoilt, number: int) -> Iterator[bytes]:
    """Yield the encoded events of a streamed chat completion.

    The arguments are those of `completion`.
    """
    message, finish = _message(chat, turn, number)
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": part} for part in _pieces(message["content"] or "")]
    for index, call in enumerate(message.get("tool_calls", ())):
        function = call["function"]
        head = {"index": index, "id": call["id"], "type": "function"}
        deltas.append({"tool_calls": [head | {"function": {"name": function["name"], "arguments": ""}}]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": part}}]}
            for part in _pieces(function["arguments"])
        ]
    head = {"id": _id(chat, number), "object": "chat.completion.chunk", "created": CREATED, "model": chat.model}
    for delta in deltas:
        yield _event(head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield _event(head | {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    if chat.include_usage:
        yield _event(head | {"choices": [], "usage": _usage(chat, message)})
    yield b"data: [DONE]\n\n"


def error_body(message: str, kind: str = "invalid_request_error") -> dict[str, Any]:
    """Return the body of an error response in OpenAI's format."""
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}


def _message(chat: Chat, turn: str | Spoilt, number: int) -> tuple[dict[str, Any], str]:
    if isinstance(turn, Spoilt):
        if turn.cut:
            return {"role": "assistant", "content": None, "reasoning_content": "Let me think about"}, "length"
        call = None if turn.name is None else {"name": turn.name, "arguments": turn.arguments}
        text = as_text(turn)
    else:
        text, call = turn, None
        if (made := read_call(turn)) is not None:
            call = {"name": made.name, "arguments": msgspec.json.encode(made.arguments).decode()}
    if call is None or chat.tools is None:
        return {"role": "assistant", "content": text}, "stop"
    calls = [{"id": f"call_{number}", "type": "function", "function": call}]
    return {"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls"


def _usage(chat: Chat, message: dict[str, Any]) -> dict[str, int]:
    prompt = chat.size // _BYTES_PER_TOKEN
    written = len(msgspec.json.encode(message)) // _BYTES_PER_TOKEN
    return {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written}


def _id(chat: Chat, number: int) -> str:
    return f"chatcmpl-{hashlib.blake2b(f'{number}/{chat.text}'.encode(), digest_size=12).hexdigest()}"


def _pieces(text: str, size: int = 24) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def _event(body: dict[str, Any]) -> bytes:
    return b"data: " + msgspec.json.encode(body) + b"\n\n"
