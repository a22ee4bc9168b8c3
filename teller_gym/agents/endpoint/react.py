"""The ReAct protocol: tools, calls and results as text, for models and servers without tool calling of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from teller_gym.agents.chat import signature
from teller_gym.agents.endpoint.answers import Answer
from teller_gym.agents.endpoint.chat import Chat
from teller_gym.agents.endpoint.native import RESULT_PREFIX, as_action
from teller_gym.agents.endpoint.thinking import sent_back
from teller_gym.tools.reading import read_text

_COMPACT = "A parameter marked with ? may be left out."


class ReactTurns:
    """Reads the answers and writes the results of one chat.

    Args:
        return_thinking: see `EndpointConfig.return_thinking`.
    """

    def __init__(self, return_thinking: bool | None = None) -> None:
        self._return_thinking = return_thinking

    def read(self, answer: Answer) -> tuple[tuple[str, ...], dict[str, Any]]:
        """Return the action of an answer, and what is to be noted of its text."""
        turn = read_text(answer.text)
        thinking = "\n".join(part for part in (answer.thinking, turn.thinking) if part)
        note = {"thinking": thinking} if thinking else {}
        if turn.action != answer.text:
            note["said"] = answer.text
        return (as_action(answer, turn.action),), note

    def append(self, chat: Chat, answer: Answer) -> None:
        """Append the answer to the chat as received, with its thinking as `return_thinking` says."""
        chat.add(sent_back(answer, self._return_thinking))

    def give(self, chat: Chat, results: Sequence[str]) -> None:
        """Put the env's answer into the chat, as a message of the user."""
        for result in results:
            chat.add_result({"role": "user", "content": f"{RESULT_PREFIX}{result}"})


def with_prompt(
    messages: Sequence[dict[str, Any]], tools: Sequence[Mapping[str, Any]], tool_text: str
) -> list[dict[str, Any]]:
    """Return the first messages with the protocol and the tools in the system message, before its previous content."""
    system, *others = messages
    shown = _listed(tools, tool_text)
    before, _, after = _template().partition("{tools}")
    content = before + shown + after.replace("{system}", system["content"])
    return [{"role": "system", "content": content}, *others]


def tools_message(tools: Sequence[Mapping[str, Any]], tool_text: str) -> str:
    """Return the notice to a model that other tools are in play than the system message names."""
    return f"The tools are now these:\n{_listed(tools, tool_text)}"


def _listed(tools: Sequence[Mapping[str, Any]], tool_text: str) -> str:
    if tool_text == "compact":
        return "\n".join([_COMPACT, *(signature(dict(tool)) for tool in tools)])
    return "\n".join(msgspec.json.encode(tool["function"]).decode() for tool in tools)


@cache
def _template() -> str:
    return resources.files("teller_gym.agents.endpoint").joinpath("react_prompt.md").read_text("utf-8").strip()
