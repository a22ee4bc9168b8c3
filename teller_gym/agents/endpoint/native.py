"""The protocol with tools in the request: the server parses the model's calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from teller_gym.agents.endpoint.answers import Answer, Call
from teller_gym.agents.endpoint.chat import Chat
from teller_gym.agents.endpoint.thinking import sent_back
from teller_gym.agents.finish_reasons import is_unreadable_call
from teller_gym.envs.chat import RESULT_PREFIX as RESULT_PREFIX
from teller_gym.tools.reading import read_text, unreadable_call
from teller_gym.tools.thoughts import split_thoughts

_encode = msgspec.json.Encoder().encode


class NativeTurns:
    """Reads the answers and writes the results of one chat.

    Args:
        return_thinking: see `EndpointConfig.return_thinking`.
        tools: whether there are any; without them, in stage 1, it is a plain chat and no answer is a call.
    """

    def __init__(self, return_thinking: bool | None = None, tools: bool = True) -> None:
        self._return_thinking = return_thinking
        self._tools = tools
        self._awaiting: tuple[Call, ...] = ()

    def read(self, answer: Answer) -> tuple[tuple[str, ...], dict[str, Any]]:
        """Return the actions of an answer, and what is to be noted of its text."""
        self._awaiting = answer.calls
        thinking, text, _ = split_thoughts(answer.text)
        thinking = "\n".join(part for part in (answer.thinking, thinking) if part)
        note = {"thinking": thinking} if thinking else {}
        if answer.calls:
            if answer.text:
                note["said"] = answer.text
            return tuple(_action(call) for call in answer.calls), note
        if text != answer.text:
            note["said"] = answer.text
        return (as_action(answer, text) if self._tools else text,), note

    def append(self, chat: Chat, answer: Answer) -> None:
        """Append the answer to the chat as received, with its thinking as `return_thinking` says."""
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


def as_action(answer: Answer, said: str) -> str:
    """Return the answer's text as the action.

    If there is no call and the server reports that it could not parse one, the action is marked accordingly; if the
    server took a call for thoughts, the thoughts are the action, which the env reads as malformed.
    """
    thoughts = f"<think>{answer.thinking}"
    if not said.strip() and split_thoughts(thoughts).open:
        return thoughts
    if is_unreadable_call(answer.finish_reason) and read_text(said).call is None:
        return unreadable_call(answer.finish_reason or "", said)
    return said


def _action(call: Call) -> str:
    """Write a call as the env reads it. Arguments that are no JSON stay as they are: the env says so."""
    return f'{{"name":{_encode(call.name).decode()},"arguments":{call.arguments}}}'
