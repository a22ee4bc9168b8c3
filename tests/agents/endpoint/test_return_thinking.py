"""Thinking is sent back between calls if the vendor requires it, in the fields in which it arrived."""

from __future__ import annotations

from typing import Any

import pytest

from tests.agents.endpoint.server import Endpoint, call, play, says

DETAILS = [{"type": "reasoning.encrypted", "data": "q83v", "id": "r1", "index": 0}]
PARTS = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "I look."}]

FIELDS: dict[str, dict[str, Any]] = {
    "deepseek": {"reasoning_content": "First,\nlook."},
    "deepseek, nothing thought": {"reasoning_content": ""},
    "vllm": {"reasoning": "First, look."},
    "openrouter": {"reasoning": "First, look.", "reasoning_details": DETAILS},
    "minimax": {"reasoning_details": [{"type": "reasoning.text", "text": "First, look.", "signature": None}]},
}


def sent(endpoint: Endpoint, content: Any, fields: dict[str, Any], **options: Any) -> dict[str, Any]:
    """The assistant's message of the second request."""
    native = options.get("protocol") != "react"
    endpoint.will(says(content, [call()] if native else [], **fields))
    play(endpoint.agent(**options), (), ("r",))
    found: dict[str, Any] = endpoint.bodies[-1]["messages"][2]
    assert found["role"] == "assistant"
    return found


@pytest.mark.parametrize("protocol", ["native", "react"])
@pytest.mark.parametrize("who", FIELDS)
def test_it_goes_back_as_it_came(endpoint: Endpoint, who: str, protocol: str) -> None:
    names = ("reasoning_content", "reasoning", "reasoning_details")
    message = sent(endpoint, "I look.", FIELDS[who], return_thinking=True, protocol=protocol)
    assert {name: message[name] for name in names if name in message} == FIELDS[who]
    for option in (False, None):
        message = sent(endpoint, "I look.", FIELDS[who], return_thinking=option, protocol=protocol)
        assert not {*names} & message.keys()
        assert message["content"] == "I look."


@pytest.mark.parametrize(("option", "content"), [(True, PARTS), (None, PARTS), (False, PARTS[1:])])
def test_parts_of_the_content_go_back_unless_they_are_not_wanted(
    endpoint: Endpoint, option: bool | None, content: Any
) -> None:
    assert sent(endpoint, PARTS, {}, return_thinking=option)["content"] == content
    assert sent(endpoint, PARTS[:1], {}, return_thinking=False)["content"] is None


def test_a_server_that_wants_it_back_answers_to_the_end(endpoint: Endpoint) -> None:
    """DeepSeek's thinking mode refuses a call without its thinking at the second turn."""
    from aiohttp import web

    async def behave(request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        said = [message for message in asked["messages"] if message["role"] == "assistant"]
        if any("reasoning_content" not in message for message in said):
            return web.Response(status=400, text="the reasoning_content must be passed back")
        return await says(None, [call()], reasoning_content=f"thought {len(said)}")(request)

    endpoint.will(behave)
    replies = play(endpoint.agent(return_thinking=True), (), ("a",), ("b",), ("c",))
    assert [reply.note["thinking"] for reply in replies] == [f"thought {number}" for number in range(4)]
