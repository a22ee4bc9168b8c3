"""Reading a chat completion: text, thinking, calls and tokens, from servers that keep to the format more or less."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec


class _Function(msgspec.Struct):
    name: str | None = None
    arguments: str | dict[str, Any] | None = None


class _Call(msgspec.Struct):
    id: str | None = None
    function: _Function = msgspec.field(default_factory=_Function)


class _Message(msgspec.Struct):
    content: str | list[Any] | None = None
    tool_calls: list[msgspec.Raw] | None = None
    reasoning_content: Any = None
    reasoning: Any = None
    refusal: Any = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


class UnreadableAnswerError(Exception):
    """The server said that all is well and sent no answer."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call as the server parsed it.

    name: of the tool. arguments: JSON text, or whatever the model wrote in its place. id: the server's, or our own
    where it gave none. sent_back: the call as it goes back into the chat.
    """

    id: str
    name: str
    arguments: str
    sent_back: msgspec.Raw


@dataclass(frozen=True, slots=True)
class Answer:
    """One turn of the model.

    content: as received, to go back into the chat. text: the same as text.
    """

    content: str | list[Any] | None
    text: str
    thinking: str
    calls: tuple[Call, ...]
    finish_reason: str | None
    usage: dict[str, int] | None


_decode = msgspec.json.Decoder(_Completion).decode
_decode_call = msgspec.json.Decoder(_Call).decode
_decode_object = msgspec.json.Decoder(dict[str, Any]).decode


def read_answer(body: bytes, first_id: int) -> Answer:
    """Read a chat completion.

    Args:
        body: of a response with status 200.
        first_id: number of the first id to make up, where the server gives a call none.

    Raises:
        UnreadableAnswerError: it is no chat completion.
    """
    try:
        completion = _decode(body)
        if not completion.choices:
            raise UnreadableAnswerError("no choices")
        message = completion.choices[0].message
        calls = tuple(_call(raw, f"call_{first_id + place}") for place, raw in enumerate(message.tool_calls or ()))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise UnreadableAnswerError(str(error)) from None
    text = _text(message.content)
    if not text and not calls:
        text = _text(message.refusal)
    thinking = _text(message.reasoning_content) or _text(message.reasoning)
    return Answer(message.content, text, thinking, calls, completion.choices[0].finish_reason, _usage(completion.usage))


def _text(content: Any) -> str:
    """The words of a content, which may be a list of parts."""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _call(raw: msgspec.Raw, spare_id: str) -> Call:
    """Read a call, and mend what servers refuse when it comes back: a missing id, arguments that are no JSON object."""
    call = _decode_call(raw)
    given = call.function.arguments
    text = msgspec.json.encode(given).decode() if isinstance(given, dict) else (given or "{}")
    name = call.function.name or ""
    sent: str | None = None
    if not isinstance(given, str):
        sent = text
    elif not _is_object(given):
        sent = msgspec.json.encode({"unreadable": given}).decode() if given else "{}"
    if call.id and call.function.name and sent is None:
        return Call(call.id, name, text, msgspec.Raw(bytes(raw)))
    mended = _decode_object(raw)
    mended["id"] = call.id or spare_id
    mended["type"] = "function"
    function = mended.get("function") or {}
    mended["function"] = function | {"name": name or "unknown", "arguments": text if sent is None else sent}
    return Call(mended["id"], name, text, msgspec.Raw(msgspec.json.encode(mended)))


def _is_object(text: str) -> bool:
    try:
        _decode_object(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return False
    return True


def _usage(usage: _Usage | None) -> dict[str, int] | None:
    if usage is None or usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    # Some servers leave the thinking out of the completion and count it in the total alone.
    completion = max(usage.completion_tokens, (usage.total_tokens or 0) - usage.prompt_tokens)
    return {"prompt": usage.prompt_tokens, "completion": completion}
