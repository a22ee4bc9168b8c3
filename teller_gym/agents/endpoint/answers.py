"""Reading a chat completion: text, thinking, calls and tokens, from servers that keep to the format more or less."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import msgspec

from teller_gym.tools.overlong import MAX_ACTION_CHARACTERS, stored

MAX_CALLS = 1_000
"""Of one answer; further ones are left out. No step budget of ours has room for more."""

_MAX_ID = 256
_MAX_SENT = 10_000
_SHOWN_NAME = 64
"""Characters of arguments and of a name that go back in a call that was too long."""
_BULKY = 8 * MAX_ACTION_CHARACTERS
"""Bytes of a message or call that goes back as it came; JSON may take six for a character."""

_NO_TEXT = "\N{REPLACEMENT CHARACTER}"
_ESCAPE = re.compile(
    rb"\\(?:u(?:[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]|([dD][89a-fA-F]))[0-9a-fA-F]{2}|.)", re.DOTALL
)
"""An escape within JSON's texts; its group only of one that is half of a pair without the other half."""


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
    left_out: int = 0
    """Calls beyond `MAX_CALLS`."""
    mended: bool = False
    """Whether something in it was no Unicode text, and was replaced."""


_decode = msgspec.json.Decoder(_Completion).decode
_decode_call = msgspec.json.Decoder(_Call).decode
_decode_object = msgspec.json.Decoder(dict[str, Any]).decode


def read_answer(body: bytes, first_id: int) -> Answer:
    """Read a chat completion. What is no Unicode text in it (lone surrogates, stray bytes) is replaced by U+FFFD.

    Args:
        body: of a response with status 200.
        first_id: number of the first id to make up, where the server gives a call none.

    Raises:
        UnreadableAnswerError: it is no chat completion.
    """
    try:
        return _read(body, first_id, mended=False)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        unread = error
    mended = _unicode(body)
    if mended != body:
        try:
            return _read(mended, first_id, mended=True)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            unread = error
    raise UnreadableAnswerError(str(unread)) from None


def _read(body: bytes, first_id: int, *, mended: bool) -> Answer:
    completion = _decode(body)
    if not completion.choices:
        raise UnreadableAnswerError("no choices")
    message = completion.choices[0].message
    given = message.tool_calls or []
    calls = tuple(_call(raw, f"call_{first_id + place}") for place, raw in enumerate(given[:MAX_CALLS]))
    text = _text(message.content)
    if not text and not calls:
        text = _text(message.refusal)
    thinking = _text(message.reasoning_content) or _text(message.reasoning)
    return Answer(
        content=_sent_back(message.content, text),
        text=text,
        thinking=thinking,
        calls=calls,
        finish_reason=completion.choices[0].finish_reason,
        usage=_usage(completion.usage),
        left_out=len(given) - len(calls),
        mended=mended,
    )


def _unicode(body: bytes) -> bytes:
    """Return JSON whose texts are Unicode: what a model wrote that is none is its own fault, and no broken answer."""
    replaced = _NO_TEXT.encode()
    text = body.decode("utf-8", errors="replace").encode()
    return _ESCAPE.sub(lambda found: replaced if found[1] else found[0], text)


def _sent_back(content: str | list[Any] | None, text: str) -> str | list[Any] | None:
    """The content as it goes back into the chat: as it came, unless it is too long."""
    bulky = isinstance(content, list) and len(msgspec.json.encode(content)) > _BULKY
    return stored(text) if bulky or len(text) > MAX_ACTION_CHARACTERS else content


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
    call_id = call.id if call.id and len(call.id) <= _MAX_ID else spare_id
    if len(name) + len(text) > MAX_ACTION_CHARACTERS or len(bytes(raw)) > _BULKY:
        short = {"name": name[:_SHOWN_NAME] or "unknown", "arguments": _unreadable(stored(text, _MAX_SENT))}
        again = {"id": call_id, "type": "function", "function": short}
        return Call(call_id, name, text, msgspec.Raw(msgspec.json.encode(again)))
    if not isinstance(given, str):
        sent = text
    elif not _is_object(given):
        sent = _unreadable(given) if given else "{}"
    if call.id == call_id and call.function.name and sent is None:
        return Call(call.id, name, text, msgspec.Raw(bytes(raw)))
    mended = _decode_object(raw)
    mended["id"] = call_id
    mended["type"] = "function"
    function = mended.get("function") or {}
    mended["function"] = function | {"name": name or "unknown", "arguments": text if sent is None else sent}
    return Call(call_id, name, text, msgspec.Raw(msgspec.json.encode(mended)))


def _unreadable(arguments: str) -> str:
    """Arguments as they go back where servers would refuse them as they are."""
    return msgspec.json.encode({"unreadable": arguments}).decode()


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
