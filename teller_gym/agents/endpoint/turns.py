"""The two chat protocols: tools in the request (native), or tools, calls and results as text (ReAct)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from teller_gym.agents.chat import signature
from teller_gym.agents.endpoint.answers import Answer, Call
from teller_gym.agents.endpoint.chat import Chat
from teller_gym.agents.usage import is_unreadable_call
from teller_gym.envs.chat import RESULT_PREFIX
from teller_gym.tools.reading import read_text, unreadable_call
from teller_gym.tools.thoughts import split_thoughts

_THINKING_PARTS = frozenset(("thinking", "reasoning", "redacted_thinking"))
"""Types of content parts with thinking."""
_COMPACT = "A parameter marked with ? may be left out."

_encode = msgspec.json.Encoder().encode


class ReactTurns:
    """Parses answers and formats results in one chat in which everything is text."""

    def __init__(self, return_thinking: bool | None = None) -> None:
        self._return_thinking = return_thinking

    def read(self, answer: Answer) -> tuple[tuple[str, ...], dict[str, Any]]:
        """Return an answer's actions, and notes for the episode's record."""
        turn = read_text(answer.text)
        return (as_action(answer, turn.action),), _notes(answer, turn.thinking, turn.action != answer.text)

    def append(self, chat: Chat, answer: Answer) -> None:
        """Append the answer to the chat as received.

        Its thinking is included or left out, depending on `return_thinking`.
        """
        chat.add(self._sent_back(answer))

    def give(self, chat: Chat, results: Sequence[str]) -> None:
        """Append the env's results to the chat as user messages."""
        for result in results:
            chat.add_result({"role": "user", "content": f"{RESULT_PREFIX}{result}"})

    def _sent_back(self, answer: Answer) -> dict[str, Any]:
        content = answer.content
        if self._return_thinking is False and isinstance(content, list):
            content = [part for part in content if not _is_thinking(part)] or None
        return {"role": "assistant", "content": content} | (answer.reasoning if self._return_thinking else {})


class NativeTurns(ReactTurns):
    """Parses answers and formats results in one chat whose calls the server parses.

    `tools` is False for a chat without tools, as in stage 1, where no answer is a call.
    """

    def __init__(self, return_thinking: bool | None = None, tools: bool = True) -> None:
        super().__init__(return_thinking)
        self._tools = tools
        self._awaiting: tuple[Call, ...] = ()

    def read(self, answer: Answer) -> tuple[tuple[str, ...], dict[str, Any]]:
        self._awaiting = answer.calls
        thinking, text, _ = split_thoughts(answer.text)
        if answer.calls:
            # Arguments that are not JSON are passed on unchanged; the env reports the error.
            actions = [f'{{"name":{_encode(one.name).decode()},"arguments":{one.arguments}}}' for one in answer.calls]
            return tuple(actions), _notes(answer, thinking, bool(answer.text))
        return (as_action(answer, text) if self._tools else text,), _notes(answer, thinking, text != answer.text)

    def append(self, chat: Chat, answer: Answer) -> None:
        calls = {"tool_calls": [call.sent_back for call in answer.calls]} if answer.calls else {}
        chat.add(self._sent_back(answer) | calls)

    def give(self, chat: Chat, results: Sequence[str]) -> None:
        if not self._awaiting:
            super().give(chat, results)
            return
        for call, result in zip(self._awaiting, results, strict=True):
            chat.add_result({"role": "tool", "tool_call_id": call.id, "content": result})


def _is_thinking(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") in _THINKING_PARTS


def _notes(answer: Answer, thinking: str, is_other: bool) -> dict[str, Any]:
    thinking = "\n".join(part for part in (answer.thinking, thinking) if part)
    return ({"thinking": thinking} if thinking else {}) | ({"said": answer.text} if is_other else {})


def as_action(answer: Answer, said: str) -> str:
    """Return the action for an answer without parsed calls, usually its text.

    If the server reports a call that it could not parse, the action is marked accordingly. If there is only an unclosed
    thought, the thought is the action, and the env rejects it as malformed.
    """
    thoughts = f"<think>{answer.thinking}"
    if not said.strip() and split_thoughts(thoughts).open:
        return thoughts
    if is_unreadable_call(answer.finish_reason) and read_text(said).call is None:
        return unreadable_call(answer.finish_reason or "", said)
    return said


def with_prompt(
    messages: Sequence[dict[str, Any]], tools: Sequence[Mapping[str, Any]], tool_text: str
) -> list[dict[str, Any]]:
    """Insert the ReAct prompt and the tools before the content of the system message."""
    system, *others = messages
    before, _, after = _template().partition("{tools}")
    content = before + _listed(tools, tool_text) + after.replace("{system}", system["content"])
    return [{"role": "system", "content": content}, *others]


def tools_message(tools: Sequence[Mapping[str, Any]], tool_text: str) -> str:
    """Return text that announces other tools than those in the system message."""
    return f"The tools are now these:\n{_listed(tools, tool_text)}"


def _listed(tools: Sequence[Mapping[str, Any]], tool_text: str) -> str:
    if tool_text == "compact":
        return "\n".join([_COMPACT, *(signature(dict(tool)) for tool in tools)])
    return "\n".join(_encode(tool["function"]).decode() for tool in tools)


@cache
def _template() -> str:
    return resources.files("teller_gym.agents.endpoint").joinpath("react_prompt.md").read_text("utf-8").strip()
