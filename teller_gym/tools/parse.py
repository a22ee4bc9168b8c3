"""Parses the tool call in any text that a model wrote, in bounded time; the only exception is ToolError."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.tools.call import FinalResponse, ToolCall
from teller_gym.tools.overlong import MAX_ACTION_CHARACTERS, length_refused
from teller_gym.tools.reading import (
    Reading,
    decode_head,
    found_in_words,
    read_text,
    whole_object,
    without_opening,
)
from teller_gym.tools.tool import Tool, ToolSet

_HOW = 'write one call as {"name": "<tool>", "arguments": {...}}, bare, in a code fence or in <tool_call> tags'
_SHOWN = 80
_LONGEST_KEPT = 2_000
"""Maximum length of an action whose parsed form is cached; longer ones are seldom sent twice."""


def parse_action(text: str, tools: ToolSet) -> ToolCall | FinalResponse:
    """Parse one action.

    Returns:
        The decoded call, or the final response if the text contains no call.

    Raises:
        ToolError: the text contains a call that cannot be run; kind malformed, unknown_tool, validation or type.
    """
    # Rollouts of one task send many equal calls, and no tool changes its arguments.
    return _kept(text, tools) if type(text) is str and len(text) <= _LONGEST_KEPT else _parsed(text, tools)


def _parsed(text: str, tools: ToolSet) -> ToolCall | FinalResponse:
    call = _read_plain_call(text, tools)
    if call is not None:
        return call
    too_long = length_refused(text)
    if too_long is not None:
        raise _malformed(f"{too_long}; {_HOW}")
    reading = read_text(text, lambda name: tools.find(name) is not None)
    call_text = reading.call
    if call_text is None:
        form = reading.form or _form_of_arguments(reading, tools)
        if form is None:
            return FinalResponse(text)
        raise _refusal(form, reading)
    try:
        head = decode_head(call_text)
    except msgspec.ValidationError as error:
        raise _head_error(call_text, error) from None
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise _malformed(f"{_reason(error)}; {_HOW}") from None
    duplicate = _duplicate_key(call_text)
    if duplicate is not None:
        raise _malformed(f"expected every key once, got {_shorten(duplicate)} twice")
    tool = tools.find(head.name)
    if tool is None:
        shown = _shorten(head.name)
        raise ToolError(
            ErrorKind.UNKNOWN_TOOL, f"there is no tool {shown}; use one of the tools offered", "name", tool=shown
        )
    try:
        return ToolCall(tool.original, _decode_arguments(tool, head.arguments))
    except ToolError as error:
        error.tool = tool.original.name
        raise


_kept = lru_cache(maxsize=4096)(_parsed)


class WrittenCall(NamedTuple):
    """A call as the model wrote it, even if it cannot be run."""

    words: str
    """The text before it."""
    name: str
    arguments: dict[str, Any]


def readable_call(text: str) -> WrittenCall | None:
    """Return the call in a text as written, or None if there is no readable call."""
    call_text = read_text(text).call
    call = _loads(call_text) if call_text else {}
    if not call_text or not isinstance(call.get("name"), str) or not isinstance(call.get("arguments"), dict):
        return None
    return WrittenCall(without_opening(text[: max(text.rfind(call_text), 0)]), call["name"], call["arguments"])


def _read_plain_call(text: str, tools: ToolSet) -> ToolCall | None:
    """Decode a valid call in the usual form quickly; return None for anything else, which the slow path handles."""
    if len(text) > MAX_ACTION_CHARACTERS or text[:8] != '{"name":':
        return None
    start = text.find('"', 8) + 1
    tool = tools.find(text[start : text.find('"', start)])
    # The call's own keys have two colons, and each argument has one; with more, a key may occur twice.
    if tool is None or tool.colons is None or text.count(":") > tool.colons + 2:
        return None
    try:
        return ToolCall(tool, tool.decode_call(text))
    except (msgspec.MsgspecError, ToolError, RecursionError, UnicodeEncodeError):
        return None


def _decode_arguments(tool: Tool, raw: msgspec.Raw) -> Any:
    try:
        return tool.decode(raw)
    except msgspec.ValidationError as error:
        raise _argument_error(tool, bytes(raw), error) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise _malformed(f"{_reason(error)}; {_HOW}") from None


def _argument_error(tool: Tool, raw: bytes, error: msgspec.ValidationError) -> ToolError:
    """Convert a decoder's error about arguments to the error that the agent reads, with kind and field."""
    reason, _, path = str(error).partition(" - at `$")
    field = re.match(r"\.?([\w-]*)", path.rstrip("`"))
    name = field[1] if field and field[1] else None
    if match := re.search(r"(missing required|unknown) field `(.*)`", reason, re.DOTALL):
        known = ", ".join(parameter.name for parameter in tool.parameters) or "no arguments"
        verb = "is missing" if match[1] == "missing required" else "is unknown"
        where = _shorten(f"{name}.{match[2]}" if name else match[2])
        return ToolError(ErrorKind.VALIDATION, f"{tool.name}: argument {where} {verb}; expected {known}", where)
    got = _shorten(json.dumps(_loads(raw).get(name))) if name else _shorten(raw.decode(errors="replace"))
    if name is None and reason.startswith("Expected `object`"):
        advice = "; do not put it in quotes" if raw.lstrip().startswith(b'"') else ""
        return ToolError(ErrorKind.TYPE, f"{tool.name}: expected arguments to be a JSON object, got {got}{advice}")
    wrong_type = ", got `" in reason or reason.startswith(("Invalid RFC3339", "Invalid ISO"))
    expected = reason.partition(", got")[0].replace("Invalid RFC3339 encoded date", "Expected a date YYYY-MM-DD")
    if reason.startswith("Invalid enum value"):
        expected = f"Expected one of {_allowed(tool, name)}"
    kind = ErrorKind.TYPE if wrong_type else ErrorKind.VALIDATION
    return ToolError(kind, f"{tool.name}.{name}: {expected}, got {got}", name)


def _form_of_arguments(reading: Reading, tools: ToolSet) -> str | None:
    """Return the form ``arguments_only`` if the final response is an object with only the arguments of some tool."""
    value = whole_object(reading.final or "")
    if not value:
        return None
    meant = any(value.keys() <= {parameter.name for parameter in tool.parameters} for tool in tools.values())
    return "arguments_only" if meant else None


def _refusal(form: str, reading: Reading) -> ToolError:
    found = found_in_words(form)
    if form == "several":
        return _malformed(found)
    if form == "broken_json" and (said := _json_reason(reading.said)):
        found = f"{found} ({said})"
    return _malformed(f"{found if form == 'server' else f'found {found}'}; {_HOW}")


def _json_reason(text: str) -> str:
    """Return the JSON decoder's error for a text that begins like JSON, or an empty text if there is none."""
    start = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1)
    if start < 0:
        return ""
    try:
        msgspec.json.decode(text[start:])
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        reason = _reason(error)
        return "" if "trailing characters" in reason else reason  # the error is in a later object
    return ""


def _head_error(text: str, error: msgspec.ValidationError) -> ToolError:
    call = _loads(text)
    if isinstance(call.get("arguments"), str):
        return ToolError(
            ErrorKind.TYPE, "expected arguments to be a JSON object, got text; do not put it in quotes", "arguments"
        )
    return _malformed(
        f'expected an object with "name" (text) and "arguments" (object): {_shorten(str(error), 300)}; {_HOW}'
    )


def _malformed(reason: str) -> ToolError:
    return ToolError(ErrorKind.MALFORMED, f"this is not a tool call: {reason}")


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "brackets are nested too deeply"
    if isinstance(error, UnicodeEncodeError | UnicodeDecodeError):
        return "it holds a lone surrogate, which is no valid text"
    return str(error).rstrip(".")


def _loads(text: str | bytes) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return {}
    return value if isinstance(value, dict) else {}


def _duplicate_key(text: str) -> str | None:
    class DuplicateError(Exception):
        pass

    def check(pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise DuplicateError(key)
            seen.add(key)

    try:
        json.loads(text, object_pairs_hook=check)
    except DuplicateError as error:
        return str(error)
    except (ValueError, RecursionError):  # not reachable for text that was decoded before
        return None
    return None


def _allowed(tool: Tool, name: str | None) -> str:
    schema = next((p.schema for p in tool.parameters if p.name == name), {})
    variants = [schema, schema.get("items", {}), *schema.get("anyOf", [])]
    return str(next((variant["enum"] for variant in variants if "enum" in variant), "the values in its schema"))


def _shorten(text: str, most: int = _SHOWN) -> str:
    shown = text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"
    return shown.encode(errors="replace").decode()
