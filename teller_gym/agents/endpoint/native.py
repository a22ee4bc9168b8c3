"""The protocol with tools in the request: the server parses the model's calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from teller_gym.agents.endpoint.answers import Answer, Call
from teller_gym.agents.endpoint.chat import Chat
from teller_gym.agents.endpoint.thinking import sent_back, split_thinking

RESULT_PREFIX = "Tool result:\n"
"""Before a result that goes back as a user's message, since it belongs to no call that the server knows."""

_encode = msgspec.json.Encoder().encode


class NativeTurns:
    """Reads answers and writes results of one chat. In stage 1, without tools, it is a plain chat.

    Args:
        return_thinking: see `EndpointConfig.return_thinking`.
    """

    def __init__(self, return_thinking: bool | None = None) -> None:
        self._return_thinking = return_thinking
        self._awaiting: tuple[Call, ...] = ()

    def read(self, answer: Answer) -> tuple[tuple[str, ...], dict[str, Any]]:
        """Return the actions of an answer, and what is to be noted of its text."""
        self._awaiting = answer.calls
        thinking, text = split_thinking(answer.text)
        thinking = "\n".join(part for part in (answer.thinking, thinking) if part)
        note = {"thinking": thinking} if thinking else {}
        if answer.calls:
            if answer.text:
                note["said"] = answer.text
            return tuple(_action(call) for call in answer.calls), note
        if text != answer.text:
            note["said"] = answer.text
        return (text,), note

    def append(self, chat: Chat, answer: Answer) -> None:
        """Put the answer into the chat as it was received; its thinking as `return_thinking` says."""
        message = sent_back(answer, self._return_thinking)
        if answer.calls:
            message["tool_calls"] = [call.sent_back for call in answer.calls]
        chat.add(message)

    def give(self, chat: Chat, results: Sequence[str]) -> None:
        """Put the env's answers into the chat, each under the id of its call."""
        if not self._awaiting:
            for result in results:
                chat.add_result({"role": "user", "content": f"{RESULT_PREFIX}{result}"})
            return
        for call, result in zip(self._awaiting, results, strict=True):
            chat.add_result({"role": "tool", "tool_call_id": call.id, "content": result})


def _action(call: Call) -> str:
    """Write a call as the env reads it. Arguments that are no JSON stay as they are: the env says so."""
    return f'{{"name":{_encode(call.name).decode()},"arguments":{call.arguments}}}'
