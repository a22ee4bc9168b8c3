"""Thoughts as parts of the content, and calls in the format that preceded tool_calls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from teller_gym.tools.parse import readable_call
from tests.agents.endpoint.server import Endpoint, play, says

CALL = '{"name": "look", "arguments": {"at": 1}}'
DRAFT = '{"name": "look", "arguments": {"at": 2}}'


def magistral(thought: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": [{"type": "text", "text": thought}], "closed": True}


@pytest.mark.parametrize("protocol", ["native", "react"])
@pytest.mark.parametrize(
    ("content", "thinking"),
    [
        ([magistral(f"Or {DRAFT}?"), {"type": "text", "text": CALL}], f"Or {DRAFT}?"),
        ([magistral("a"), magistral("b"), {"type": "text", "text": CALL}], "a\nb"),
        ([{"type": "thinking", "thinking": "a", "signature": "x"}, {"type": "text", "text": CALL}], "a"),
        ([{"type": "reasoning", "text": f"Or {DRAFT}?"}, {"type": "text", "text": CALL}], f"Or {DRAFT}?"),
        ([{"type": "reasoning.text", "text": "a"}, {"type": "text", "text": CALL}], "a"),
        (
            [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "a"}]}, {"type": "text", "text": CALL}],
            "a",
        ),
        ([{"type": "thinking"}, {"type": "redacted_thinking", "data": "x"}, {"type": "text", "text": CALL}], ""),
        ([{"type": "text", "text": f"<think>{DRAFT}</think>"}, {"type": "text", "text": CALL}], DRAFT),
        ([{"type": 5, "text": CALL}, "x", None], ""),
        (f"[THINK]{DRAFT}[/THINK]{CALL}", DRAFT),
    ],
)
def test_thoughts_in_parts_are_noted_and_are_no_words(
    endpoint: Endpoint, protocol: str, content: Any, thinking: str
) -> None:
    endpoint.will(says(content))
    (reply,) = play(endpoint.agent(protocol=protocol))
    assert reply.note.get("thinking", "") == thinking
    assert readable_call(reply.actions[0]) == ("", "look", {"at": 1})


def test_parts_go_back_as_they_came(endpoint: Endpoint) -> None:
    content = [magistral("a"), {"type": "text", "text": CALL}]
    endpoint.will(says(content), says("end"))
    play(endpoint.agent(), (), ("r",))
    assert endpoint.bodies[1]["messages"][2] == {"role": "assistant", "content": content}


@pytest.mark.parametrize("arguments", ['{"at": 1}', {"at": 1}])
@pytest.mark.parametrize("more", [{}, {"tool_calls": None}, {"tool_calls": []}])
def test_a_call_in_the_older_format_is_a_call(endpoint: Endpoint, arguments: Any, more: dict[str, Any]) -> None:
    endpoint.will(says(None, function_call={"name": "look", "arguments": arguments}, **more), says("end"))
    first, _ = play(endpoint.agent(), (), ("r",))
    assert [json.loads(action) for action in first.actions] == [{"name": "look", "arguments": {"at": 1}}]
    said, result = endpoint.bodies[1]["messages"][2:]
    (call,) = said["tool_calls"]
    assert (call["type"], call["function"]["name"], json.loads(call["function"]["arguments"])) == (
        "function", "look", {"at": 1},
    )  # fmt: skip
    assert result == {"role": "tool", "tool_call_id": call["id"], "content": "r"}


@pytest.mark.parametrize("given", [None, {}, {"name": ""}, {"name": None, "arguments": "{}"}, "look", 3])
def test_what_is_no_call_in_the_older_format_is_passed_over(endpoint: Endpoint, given: Any) -> None:
    endpoint.will(says("Done.", function_call=given))
    assert play(endpoint.agent())[0].actions == ("Done.",)


def test_newer_calls_count_before_the_older_format(endpoint: Endpoint) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "new", "arguments": "{}"}}
    endpoint.will(says(None, [call], function_call={"name": "old", "arguments": "{}"}))
    assert [json.loads(action)["name"] for action in play(endpoint.agent())[0].actions] == ["new"]
