"""Reading a chat completion: text, thinking, calls and tokens, from servers that keep to the format more or less."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import msgspec

from teller_gym.agents.endpoint.failures import shorten
from teller_gym.agents.usage import read_count, read_counts

_LONGEST_NUMBER = 18
"""Digits of a whole number that is read from a body that is no JSON."""


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
    message: _Message | None = None
    finish_reason: str | None = None
    error: Any = None


class _Body(msgspec.Struct):
    choices: msgspec.Raw = msgspec.Raw(b"null")
    usage: msgspec.Raw = msgspec.Raw(b"null")
    error: Any = None


BROKEN_OFF = frozenset(
    ("error", "abort", "aborted", "cancelled", "canceled", "failed", "timeout", "network_error", "server_error",
     "insufficient_system_resource")
)  # fmt: skip
"""Finish reasons, in lower case, by which servers say that something of theirs broke the answer off. Any other one,
known or not, is about what the model wrote."""


class UnreadableAnswerError(Exception):
    """The server said that all is well and sent no answer."""


class BrokenAnswerError(UnreadableAnswerError):
    """The server said that all is well, and in the body that it is not.

    Args:
        error: what the body calls the error, a finish reason or an object.
    """

    def __init__(self, error: Any) -> None:
        self.said = error if isinstance(error, str) else msgspec.json.encode(error).decode()
        code = error.get("code") if isinstance(error, dict) else None
        self.code = code if type(code) is int else None
        """The HTTP status that it would have been, if the error names one."""
        super().__init__(f"it says of itself: {self.said}")


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

    content: as received, to go back into the chat. text: the same as text. usage: the tokens, where the server counts
    them in numbers that can be. odd_usage: what it sent in place of such numbers, shortened.
    """

    content: str | list[Any] | None
    text: str
    thinking: str
    calls: tuple[Call, ...]
    finish_reason: str | None
    usage: dict[str, int] | None
    odd_usage: str | None = None


_decode_body = msgspec.json.Decoder(_Body).decode
_decode_choices = msgspec.json.Decoder(list[_Choice]).decode
_decode_call = msgspec.json.Decoder(_Call).decode
_decode_object = msgspec.json.Decoder(dict[str, Any]).decode


def read_answer(body: bytes, first_id: int) -> Answer:
    """Read a chat completion.

    Args:
        body: of a response with status 200.
        first_id: number of the first id to make up, where the server gives a call none.

    Raises:
        BrokenAnswerError: it holds an error, beside choices or not, or breaks off with one.
        UnreadableAnswerError: it is no chat completion.
    """
    try:
        outer = _body(body)
        if outer.error:
            raise BrokenAnswerError(outer.error)
        choices = _decode_choices(outer.choices)
        if not choices:
            raise UnreadableAnswerError("no choices")
        message, finish_reason = choices[0].message, choices[0].finish_reason
        if choices[0].error:
            raise BrokenAnswerError(choices[0].error)
        if finish_reason is not None and finish_reason.lower() in BROKEN_OFF:
            raise BrokenAnswerError(f"finish_reason {finish_reason}")
        if message is None:
            raise UnreadableAnswerError("no message")
        calls = tuple(_call(raw, f"call_{first_id + place}") for place, raw in enumerate(message.tool_calls or ()))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise UnreadableAnswerError(str(error)) from None
    text = _text(message.content)
    if not text and not calls:
        text = _text(message.refusal)
    thinking = _text(message.reasoning_content) or _text(message.reasoning)
    if finish_reason is None and not (text or calls or thinking):
        raise UnreadableAnswerError("an empty message without a finish reason")
    usage, odd = _usage(bytes(outer.usage))
    return Answer(message.content, text, thinking, calls, finish_reason, usage, odd)


def _body(body: bytes) -> _Body:
    """Decode a body; what servers in Python write and JSON does not have, such as NaN, is read as text."""
    try:
        return _decode_body(body)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError as error:
        try:
            plain = json.loads(body, parse_int=_number, parse_constant=str)
            mended = msgspec.json.encode(plain)
        except ValueError:
            raise error from None
        return _decode_body(mended)


def _number(text: str) -> int | str:
    return int(text) if len(text) <= _LONGEST_NUMBER else text


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


def _usage(raw: bytes) -> tuple[dict[str, int] | None, str | None]:
    """Return the tokens, if both counts are there and can be; and what stands in place of counts that cannot be."""
    try:
        given = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        given = "unreadable"
    if given is None:
        return None, None
    if not isinstance(given, dict):
        return None, shorten(raw)
    prompt, completion, total = (given.get(f"{kind}_tokens") for kind in ("prompt", "completion", "total"))
    if prompt is None or completion is None:
        return None, None
    counts = read_counts({"prompt": prompt, "completion": completion})
    if counts is None:
        return None, shorten(raw)
    if total is not None and (of_all := read_count(total)) is not None:
        # Some servers leave the thinking out of the completion and count it in the total alone.
        counts["completion"] = max(counts["completion"], of_all - counts["prompt"])
    return counts, None
