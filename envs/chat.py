"""Renders an episode as a chat, for chat templates and in the format of OpenAI's API."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import gymnasium as gym
import msgspec

from teller_gym.envs.prompts import system_prompt
from teller_gym.tools.parse import readable_call

RESULT_PREFIX = "Tool result:\n"
"""Prefix of a result in a user message, for a result that answers no call known to the server."""

_FUNCTION_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def chat_messages(
    sop: str, request: str, history: Iterable[tuple[str, str]], prompt: Callable[[str], str] = system_prompt
) -> list[dict[str, Any]]:
    """Return the chat in the form for chat templates: system, user, then assistant and tool messages.

    Words before a call are in ``content``; text after it is dropped. Unlike :func:`openai_messages`, the chat does not
    meet the rules of OpenAI's API: a call's ``arguments`` are a dictionary, and an action without a readable call is
    plain assistant text that is still followed by its error as a tool message, as in training rollouts, which never
    render a turn again.

    Args:
        sop: the procedure.
        request: the user's request.
        history: actions with their results, both as text.
        prompt: function that makes the system message from the procedure.
    """
    chat: list[dict[str, Any]] = [
        {"role": "system", "content": prompt(sop)},
        {"role": "user", "content": request},
    ]
    for number, (action, result) in enumerate(history, start=1):
        chat += _exchange(action, result, f"call_{number}")
    return chat


def openai_messages(env: gym.Env[Any, Any]) -> list[dict[str, Any]]:
    """Return the chat so far in the format of OpenAI's chat completions, valid for a strict server.

    Arguments are JSON text, every tool message answers the preceding call by its id, and all text is valid Unicode.
    The result of an action without a call, or with an invalid tool name, is a user message.

    Args:
        env: an env of either stage, wrapped or not, with an episode.

    Raises:
        gymnasium.error.ResetNeeded: there is no episode yet.
    """
    chat: list[dict[str, Any]] = []
    awaited: str | None = None
    core: Any = env.unwrapped
    for message in core.messages():
        content = _unicode(str(message.get("content") or ""))
        calls = message.get("tool_calls")
        if message["role"] == "tool":
            if message["tool_call_id"] == awaited:
                chat.append({"role": "tool", "tool_call_id": awaited, "content": content})
            else:
                chat.append({"role": "user", "content": RESULT_PREFIX + content})
        elif calls and all(_FUNCTION_NAME.fullmatch(call["function"]["name"]) for call in calls):
            awaited = calls[0]["id"]
            chat.append({"role": "assistant", "content": content or None, "tool_calls": [_sent(one) for one in calls]})
        else:
            awaited = None
            written = "".join(_written(call) for call in calls or ())
            chat.append({"role": message["role"], "content": content + written})
    return chat


def _sent(call: dict[str, Any]) -> dict[str, Any]:
    function = call["function"]
    arguments = msgspec.json.encode(function["arguments"]).decode()
    return {"id": call["id"], "type": "function", "function": {"name": function["name"], "arguments": arguments}}


def _written(call: dict[str, Any]) -> str:
    return _unicode(msgspec.json.encode(call["function"]).decode())


def _unicode(text: str) -> str:
    return text.encode(errors="replace").decode()


def _exchange(action: str, result: str, call_id: str) -> list[dict[str, Any]]:
    call = readable_call(action)
    if call is None:
        said: dict[str, Any] = {"role": "assistant", "content": action}
        return [said, {"role": "tool", "tool_call_id": call_id, "name": "", "content": result}] if result else [said]
    function = {"name": call.name, "arguments": call.arguments}
    calls = [{"id": call_id, "type": "function", "function": function}]
    return [
        {"role": "assistant", "content": call.words, "tool_calls": calls},
        {"role": "tool", "tool_call_id": call_id, "name": call.name, "content": result},
    ]
