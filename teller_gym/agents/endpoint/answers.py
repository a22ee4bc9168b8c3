"""Reading a chat completion: text, thinking, calls and tokens, from servers that keep to the format more or less."""

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
"""Maximum number in one answer; further ones are left out. No step budget of ours has room for more."""

_MAX_ID = 256
_MAX_SENT = 10_000
_SHOWN_NAME = 64
"""Characters of arguments and of a name that go back in a call that was too long."""
_BULKY = 8 * MAX_ACTION_CHARACTERS
"""Bytes of a message or call that goes back as it came; JSON may take six for a character."""
_LONGEST_NUMBER = 18
"""Digits of a whole number that is read from a body that is no JSON."""

_THOUGHT_TYPES = frozenset(("thinking", "reasoning", "thought", "reasoning_content", "redacted_thinking", "analysis"))
"""Types of content parts that hold thoughts; a suffix after a dot names a variant."""
_THOUGHT_KEYS = ("thinking", "reasoning", "text", "content", "summary", "reasoning_content", "thought")

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

    Attributes:
        name: of the tool.
        arguments: JSON text, or anything that the model wrote in its place.
        id: the server's, or our own where it gave none.
        sent_back: the call as it goes back into the chat.
    """

    id: str
    name: str
    arguments: str
    sent_back: msgspec.Raw


@dataclass(frozen=True, slots=True)
class Answer:
    """One turn of the model.

    Attributes:
        content: as received, to go back into the chat.
        text: the same as text.
        usage: the tokens, where the server counts them in numbers that can be.
        odd_usage: what it sent in place of such numbers, shortened.
    """

    content: str | list[Any] | None
    text: str
    thinking: str
    calls: tuple[Call, ...]
    finish_reason: str | None
    usage: dict[str, int] | None
    odd_usage: str | None = None
    left_out: int = 0
    """Calls beyond `MAX_CALLS`."""
    mended: bool = False
    """True if something in it was no Unicode text, and was replaced."""
    reasoning: dict[str, Any] = field(default_factory=dict)
    """Thinking fields received beside the text, unchanged."""


_decode_body = msgspec.json.Decoder(_Body).decode
_decode_choices = msgspec.json.Decoder(list[_Choice]).decode
_decode_call = msgspec.json.Decoder(_Call).decode
_decode_object = msgspec.json.Decoder(dict[str, Any]).decode


def read_answer(body: bytes, first_id: int) -> Answer:
    """Read a chat completion. What is no Unicode text in its values (lone surrogates, stray bytes) becomes U+FFFD.

    Args:
        body: of a response with status 200.
        first_id: number of the first id to make up, where the server gives a call none.

    Raises:
        BrokenAnswerError: it holds an error, beside choices or not, or breaks off with one.
        UnreadableAnswerError: it is no chat completion.
    """
    try:
        body.decode()  # the reader skips names of fields that it does not know, even with invalid bytes
        return _read(body, first_id, mended=False)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        unread: Exception = error
    mended = _unicode(body)
    if mended != body:
        try:
            answer = _read(mended, first_id, mended=True)
            _expect_whole_names(json.loads(mended, parse_constant=str))
            return answer
        except (ValueError, RecursionError) as error:
            unread = error
    raise UnreadableAnswerError(str(unread)) from None


def _expect_whole_names(given: Any) -> None:
    """Raise ``UnreadableAnswerError`` if a field's name had to be mended: that the server wrote, and not the model.

    The field it was is then missing, and what a model said in it would count as not said. Names inside the arguments
    of a call are the model's own.
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


def _read(body: bytes, first_id: int, *, mended: bool) -> Answer:
    outer = _body(body)
    if outer.error:
        raise BrokenAnswerError(outer.error)
    choices = _decode_choices(outer.choices)
    if not choices:
        raise UnreadableAnswerError("no choices")
    choice = choices[0]
    if told := _told_error(choice):
        raise BrokenAnswerError(told)
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
    usage, odd_usage = _usage(bytes(outer.usage))
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
    """Return the thinking fields of a message, unless they are too long to be sent back."""
    given = {
        name: value
        for name in ("reasoning_content", "reasoning", "reasoning_details")
        if (value := getattr(message, name)) is not None
    }
    return given if len(msgspec.json.encode(given)) <= _BULKY else {}


def _told_error(choice: _Choice) -> Any:
    """Return what a choice says about an error of the server's, if anything."""
    if choice.error:
        return choice.error
    reason = choice.finish_reason
    return f"finish_reason {reason}" if reason is not None and reason.lower() in BROKEN_OFF else None


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


def _unicode(body: bytes) -> bytes:
    """Return JSON whose texts are Unicode: what a model wrote that is none is its own fault, and no broken answer."""
    replaced = _NO_TEXT.encode()
    text = body.decode("utf-8", errors="replace").encode()
    return _ESCAPE.sub(lambda found: replaced if found[1] else found[0], text)


def _sent_back(content: str | list[Any] | None, text: str) -> str | list[Any] | None:
    """Return the content as it goes back into the chat: as it came, unless it is too long."""
    bulky = isinstance(content, list) and len(msgspec.json.encode(content)) > _BULKY
    return stored(text) if bulky or len(text) > MAX_ACTION_CHARACTERS else content


def _text(content: Any) -> str:
    """Return text of a content, which may be a list of parts, without the parts that hold thoughts."""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict) and not _thinks(part))
    return content if isinstance(content, str) else ""


def _thoughts(content: Any) -> str:
    """Return the thoughts among the parts of a content, as Magistral sends them."""
    if not isinstance(content, list):
        return ""
    parts = [part for part in content if isinstance(part, dict) and _thinks(part)]
    return "\n".join(text for part in parts if (text := _thought(part)))


def _thought(part: dict[str, Any]) -> str:
    """Return text of a part that holds thoughts; vendors name its field differently, and send text or parts."""
    return next((text for name in _THOUGHT_KEYS if (text := _text(part.get(name)))), "")


def _thinks(part: dict[str, Any]) -> bool:
    kind = part.get("type")
    return isinstance(kind, str) and kind.partition(".")[0] in _THOUGHT_TYPES


def _legacy_call(given: Any) -> list[msgspec.Raw]:
    """Return the call of a message in the older ``function_call`` format as a ``tool_calls`` entry without an id."""
    if not isinstance(given, dict) or not isinstance(given.get("name"), str) or not given["name"]:
        return []
    return [msgspec.Raw(msgspec.json.encode({"type": "function", "function": given}))]


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


def _usage(raw: bytes) -> tuple[dict[str, int] | None, str | None]:
    """Return the tokens, if both counts are present and possible; and a replacement for impossible counts."""
    try:
        given = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        given = "unreadable"
    if given is None:
        return None, None
    if not isinstance(given, dict):
        return None, shorten(raw)
    if given.get("prompt_tokens") is None or given.get("completion_tokens") is None:
        return None, None
    counts = read_openai(given)
    return (None, shorten(raw)) if counts is None else (counts, None)
