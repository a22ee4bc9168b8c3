"""Formats the scripted model's actions as messages and completions."""

import json
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from tests.servers.answers import SPOILT

Form = Literal["auto", "native", "tool_call", "react"]
"""`auto` means native if the request has tools, else ReAct text."""

CHARACTERS_A_TOKEN = 4

AT_A_LOSS = "I have nothing more to do."


def message(actions: Sequence[str], form: Form, *, tools: bool, turn: int) -> dict[str, Any]:
    """Return the assistant's message with these actions; only native calls allow several."""
    if not actions:
        return {"role": "assistant", "content": _final(AT_A_LOSS, form, tools)}
    calls = [_call(action) for action in actions]
    if calls[0] is None:
        return {"role": "assistant", "content": actions[0]}
    if form == "native" or (form == "auto" and tools):
        return {
            "role": "assistant",
            "content": None,
            "tool_calls": [_native(call, f"call-{turn}-{n}") for n, call in enumerate(calls) if call is not None],
        }
    if form == "tool_call":
        return {"role": "assistant", "content": f"<tool_call>\n{actions[0]}\n</tool_call>"}
    return {"role": "assistant", "content": _react(actions[0], turn)}


def spoilt(good: dict[str, Any]) -> dict[str, Any]:
    """Return the message with arguments that are not JSON."""
    if good.get("tool_calls"):
        first = good["tool_calls"][0]
        function = {**first["function"], "arguments": SPOILT}
        return {**good, "tool_calls": [{**first, "function": function}]}
    return {**good, "content": _cut(str(good["content"]))}


def cut(good: dict[str, Any]) -> dict[str, Any]:
    """Return the message cut off in its first call, as if the model had reached its maximum of new tokens."""
    if good.get("tool_calls"):
        name = good["tool_calls"][0]["function"]["name"]
        return {"role": "assistant", "content": f'<tool_call>\n{{"name": "{name}", "arguments": {SPOILT}'}
    return {**good, "content": _cut(str(good["content"]))}


def completion(
    model: str, said: dict[str, Any], *, finish_reason: str | None = None, request_bytes: int, number: str
) -> bytes:
    """Return the body of an answer; tokens are counted by length, so that equal requests have equal usage."""
    used = {"prompt_tokens": tokens(request_bytes), "completion_tokens": tokens(len(msgspec.json.encode(said)))}
    usual = "tool_calls" if said.get("tool_calls") else "stop"
    return msgspec.json.encode(
        {
            "id": f"chatcmpl-{number}",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [{"index": 0, "message": said, "finish_reason": finish_reason or usual, "logprobs": None}],
            "usage": {**used, "total_tokens": sum(used.values())},
        }
    )


def tokens(size: int) -> int:
    """Estimate the number of tokens from the number of bytes."""
    return size // CHARACTERS_A_TOKEN + 1


def _native(call: dict[str, Any], name: str) -> dict[str, Any]:
    arguments = json.dumps(call["arguments"], ensure_ascii=False)
    return {"id": name, "type": "function", "function": {"name": call["name"], "arguments": arguments}}


def _react(action: str, turn: int) -> str:
    return (
        f"<sop_analysis>\nStep {turn + 1} is due {{its inputs are known}}.\n</sop_analysis>\n"
        f"<step_progress>\n{turn} steps done.\n</step_progress>\n{action}"
    )


def _final(text: str, form: Form, tools: bool) -> str:
    return f"<final_response>\n{text}\n</final_response>" if form == "react" or not tools else text


def _cut(text: str) -> str:
    """Cut a text off after the beginning of the call's arguments."""
    before, found, _ = text.rpartition('"arguments":')
    return f"{before}{found} {SPOILT}" if found else f"{text[: len(text) // 2]} {SPOILT}"


def _call(action: str) -> dict[str, Any] | None:
    try:
        value = json.loads(action)
    except ValueError:
        return None
    return value if isinstance(value, dict) and value.keys() == {"name", "arguments"} else None
