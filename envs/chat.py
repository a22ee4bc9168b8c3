"""An episode as a chat in OpenAI's format."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from teller_gym.envs.prompts import system_prompt
from teller_gym.tools.parse import readable_call


def chat_messages(
    sop: str, request: str, history: Iterable[tuple[str, str]], prompt: Callable[[str], str] = system_prompt
) -> list[dict[str, Any]]:
    """Return the chat: system, user, then assistant and tool messages.

    Words before a call stand in ``content``, what follows it is left out. A call's ``arguments`` are a dictionary, as
    chat templates want them, where OpenAI's own API has JSON text. An action that is no readable call stands as plain
    assistant text; its error follows as a tool message all the same, since rollouts in training, which never render a
    turn again, show it so.

    Args:
        sop: text of the procedure, which stands in the system message.
        request: of the user.
        history: actions with their results, both as text.
        prompt: makes the system message of the procedure.
    """
    chat: list[dict[str, Any]] = [
        {"role": "system", "content": prompt(sop)},
        {"role": "user", "content": request},
    ]
    for number, (action, result) in enumerate(history, start=1):
        chat += _exchange(action, result, f"call_{number}")
    return chat


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
