"""Parses text, thinking, calls and token counts in a chat completion.

Deviations from the format are tolerated.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

import msgspec

from teller_gym.agents.endpoint.failures import shorten
from teller_gym.agents.usage import read_openai
from teller_gym.tools.overlong import MAX_ACTION_CHARACTERS, stored

MAX_CALLS = 1_000
"""Maximum number of calls read from one answer; further ones are ignored. Every env's step limit is lower."""

_MAX_ID = 256
_MAX_SENT = 10_000
_SHOWN_NAME = 64
"""Maximum characters of the arguments and of the name in an overlong call when it is sent back."""
_BULKY = 8 * MAX_ACTION_CHARACTERS
"""Maximum size in bytes of a message or call that is sent back unchanged; JSON may need six bytes per character."""
_LONGEST_NUMBER = 18
"""Maximum digits of a whole number; longer numbers are parsed as text."""

_THOUGHT_TYPES = frozenset(("thinking", "reasoning", "thought", "reasoning_content", "redacted_thinking", "analysis"))
"""Types of content parts with thoughts; a suffix after a dot names a variant."""
_THOUGHT_KEYS = ("thinking", "reasoning", "text", "content", "summary", "reasoning_content", "thought")

_NO_TEXT = "\N{REPLACEMENT CHARACTER}"
_ESCAPE = re.compile(
    r"\\(?:u(?:[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]|([dD][89a-fA-F]))[0-9a-fA-F]{2}|.)", re.DOTALL
)
"""Regular expression for an escape in a JSON string; the group is set only for a lone surrogate."""


class _Function(msgspec.Struct):
    name: str | None = None
    arguments: str | dict[str, Any] | None = None


class _Call(msgspec.Struct):
    id: str | None = None
    function: _Function = msgspec.field(default_factory=_Function)


class _Message(msgspec.Struct):
    content: str | list[Any] | None = None
    tool_calls: list[dict[str, Any]] | None = None
    function_call: Any = None
    reasoning_content: Any = None
    reasoning: Any = None
    reasoning_details: Any = None
    refusal: Any = None


class _Choice(msgspec.Struct):
    message: _Message | None = None
    finish_reason: str | None = None
    error: Any = None


class _Body(msgspec.Struct):
    choices: Any = None
    usage: Any = None
    error: Any = None


BROKEN_OFF = frozenset(
    ("error", "abort", "aborted", "cancelled", "canceled", "failed", "timeout", "network_error", "server_error",
     "insufficient_system_resource")
)  # fmt: skip
"""Finish reasons, in lower case, that report a server failure; all others describe the model's own output."""


_encode = msgspec.json.Encoder().encode


class UnreadableAnswerError(Exception):
    """Raised if a response with status 200 contains no answer."""


class BrokenAnswerError(UnreadableAnswerError):
    """Raised if a response with status 200 reports an error in its body, as a finish reason, text or object."""

    def __init__(self, error: Any) -> None:
        self.said = error if isinstance(error, str) else _encode(error).decode()
        code = error.get("code") if isinstance(error, dict) else None
        self.code = code if type(code) is int else None
        """HTTP status named in the error, or None."""
        super().__init__(f"it says of itself: {self.said}")


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call as the server parsed it.

    Attributes:
        id: id given by the server, or a generated one if it gave none.
        name: tool name.
        arguments: JSON text, or any text that the model wrote instead.
        sent_back: the call as it is sent back in the chat.
    """

    id: str
    name: str
    arguments: str
    sent_back: msgspec.Raw


@dataclass(frozen=True, slots=True)
class Answer:
    """One model turn.

    Attributes:
        content: content as received, for sending it back in the chat.
        text: text of the content.
        usage: token counts, if the server sent plausible ones.
        odd_usage: implausible token counts as the server sent them, shortened.
        left_out: number of calls beyond `MAX_CALLS`.
        mended: True if anything in the answer was not valid Unicode and was replaced.
        reasoning: thinking fields received next to the content, unchanged.
    """

    content: str | list[Any] | None
    text: str
    thinking: str
    calls: tuple[Call, ...]
    finish_reason: str | None
    usage: dict[str, int] | None
    odd_usage: str | None = None
    left_out: int = 0
    mended: bool = False
    reasoning: dict[str, Any] = field(default_factory=dict)


def read_answer(body: bytes, first_id: int) -> Answer:
    """Parse a chat completion.

    Anything that is not valid Unicode (lone surrogates, stray bytes) becomes U+FFFD. NaN and Infinity, which Python
    servers may write, are parsed as text.

    Args:
        body: body of a response with status 200.
        first_id: number for the first call that has no id from the server.

    Raises:
        BrokenAnswerError: the body reports an error, with or without choices.
        UnreadableAnswerError: the body is not a chat completion.
    """
    text = body.decode("utf-8", errors="replace")
    whole = _ESCAPE.sub(lambda found: _NO_TEXT if found[1] else found[0], text)
    try:
        given = json.loads(whole, parse_int=_number, parse_constant=str)
        mended = whole.encode() != body
        if mended:
            _expect_whole_names(given)
        return _read(msgspec.convert(given, _Body), first_id, mended)
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise UnreadableAnswerError(str(error)) from None


def _number(text: str) -> int | str:
    return int(text) if len(text) <= _LONGEST_NUMBER else text


def _expect_whole_names(given: Any) -> None:
    """Raise ``UnreadableAnswerError`` if a field name was not valid Unicode.

    Field names are written by the server. If one is damaged, the intended field is missing and the model's text in it
    would be lost. Names inside the arguments of a call are the model's own and not checked.
    """
    if isinstance(given, list):
        for item in given:
            _expect_whole_names(item)
    elif isinstance(given, dict):
        for name, value in given.items():
            if _NO_TEXT in name:
                raise UnreadableAnswerError(f"a field is called {name[:_SHOWN_NAME]!r}")
            if name != "arguments":
                _expect_whole_names(value)


def _read(outer: _Body, first_id: int, mended: bool) -> Answer:
    if outer.error:
        raise BrokenAnswerError(outer.error)
    choices = msgspec.convert(outer.choices, list[_Choice])
    if not choices:
        raise UnreadableAnswerError("no choices")
    choice = choices[0]
    if error := choice.error or _broken_off(choice.finish_reason):
        raise BrokenAnswerError(error)
    message = choice.message
    if message is None:
        raise UnreadableAnswerError("no message")
    given = message.tool_calls or _legacy_call(message.function_call)
    calls = tuple(_call(raw, f"call_{first_id + place}") for place, raw in enumerate(given[:MAX_CALLS]))
    text = _text(message.content)
    if not text and not calls:
        text = _text(message.refusal)
    thinking = _text(message.reasoning_content) or _text(message.reasoning) or _thoughts(message.content)
    if choice.finish_reason is None and not (text or calls or thinking):
        raise UnreadableAnswerError("an empty message without a finish reason")
    usage, odd_usage = _usage(outer.usage)
    return Answer(
        content=_sent_back(message.content, text),
        text=text,
        thinking=thinking,
        calls=calls,
        finish_reason=choice.finish_reason,
        usage=usage,
        odd_usage=odd_usage,
        left_out=len(given) - len(calls),
        mended=mended,
        reasoning=_reasoning(message),
    )


def _reasoning(message: _Message) -> dict[str, Any]:
    """Return a message's thinking fields, or no fields if they are too long to be sent back."""
    given = {
        name: value
        for name in ("reasoning_content", "reasoning", "reasoning_details")
        if (value := getattr(message, name)) is not None
    }
    return given if len(_encode(given)) <= _BULKY else {}


def _broken_off(reason: str | None) -> str | None:
    return f"finish_reason {reason}" if reason is not None and reason.lower() in BROKEN_OFF else None


def _sent_back(content: str | list[Any] | None, text: str) -> str | list[Any] | None:
    """Return the content to send back in the chat, unchanged or, if it is too long, as shortened text."""
    bulky = isinstance(content, list) and len(_encode(content)) > _BULKY
    return stored(text) if bulky or len(text) > MAX_ACTION_CHARACTERS else content


def _text(content: Any) -> str:
    """Return the text of content, which may be a list of parts, without parts that contain thoughts."""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict) and not _thinks(part))
    return content if isinstance(content, str) else ""


def _thoughts(content: Any) -> str:
    """Return the text of the content parts with thoughts, a format that Magistral uses."""
    if not isinstance(content, list):
        return ""
    parts = [part for part in content if isinstance(part, dict) and _thinks(part)]
    return "\n".join(text for part in parts if (text := _thought(part)))


def _thought(part: dict[str, Any]) -> str:
    """Return the text of a part with thoughts.

    Vendors use different fields, with text or with parts.
    """
    return next((text for name in _THOUGHT_KEYS if (text := _text(part.get(name)))), "")


def _thinks(part: dict[str, Any]) -> bool:
    kind = part.get("type")
    return isinstance(kind, str) and kind.partition(".")[0] in _THOUGHT_TYPES


def _legacy_call(given: Any) -> list[dict[str, Any]]:
    """Return a call in the old ``function_call`` format as a ``tool_calls`` list, or an empty list if there is none."""
    if not isinstance(given, dict) or not isinstance(given.get("name"), str) or not given["name"]:
        return []
    return [{"type": "function", "function": given}]


def _call(raw: dict[str, Any], spare_id: str) -> Call:
    """Parse a call.

    In the copy to send back, a missing id is filled in, and arguments that are not a JSON object are wrapped in one,
    since servers reject other arguments.
    """
    call = msgspec.convert(raw, _Call)
    given, name = call.function.arguments, call.function.name or ""
    text = _encode(given).decode() if isinstance(given, dict) else (given or "{}")
    call_id = call.id if call.id and len(call.id) <= _MAX_ID else spare_id
    back = text if isinstance(given, dict) or not given or _is_object(given) else _unreadable(given)
    function = (raw.get("function") or {}) | {"name": name or "unknown", "arguments": back}
    sent = _encode(raw | {"id": call_id, "type": "function", "function": function})
    if len(name) + len(text) > MAX_ACTION_CHARACTERS or len(sent) > _BULKY:
        short = {"name": name[:_SHOWN_NAME] or "unknown", "arguments": _unreadable(stored(text, _MAX_SENT))}
        sent = _encode({"id": call_id, "type": "function", "function": short})
    return Call(call_id, name, text, msgspec.Raw(sent))


def _unreadable(arguments: str) -> str:
    """Wrap arguments in an object, so that servers do not reject the call when it is sent back."""
    return _encode({"unreadable": arguments}).decode()


def _is_object(text: str) -> bool:
    try:
        msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return False
    return True


def _usage(given: Any) -> tuple[dict[str, int] | None, str | None]:
    """Return the token counts if both are plausible.

    Returns:
        The counts, or None if they are implausible or missing; and the implausible counts as text, or None.
    """
    if given is None or (isinstance(given, dict) and None in map(given.get, ("prompt_tokens", "completion_tokens"))):
        return None, None
    counts = read_openai(given) if isinstance(given, dict) else None
    return (None, shorten(_encode(given))) if counts is None else (counts, None)
