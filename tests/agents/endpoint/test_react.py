"""The chat of the ReAct protocol."""

from __future__ import annotations

import json

from teller_gym.agents.chat import signature
from tests.agents.endpoint.server import MESSAGES, TOOL, Endpoint, play, says

CALL = '{"name": "look", "arguments": {}}'
TURN = f"<sop_analysis>a</sop_analysis>\n<step_progress>b</step_progress>\n{CALL}"


def test_tools_and_results_are_text(endpoint: Endpoint) -> None:
    endpoint.will(says(TURN, reasoning_content="hm"), says("<final_response>ok</final_response>"))
    first, second = play(endpoint.agent(protocol="react"), (), ('{"seen": 2}',))
    assert (first.actions, first.note["said"], first.note["thinking"]) == ((CALL,), TURN, "hm")
    assert second.actions == ("ok",)
    before, after = endpoint.bodies
    assert "tools" not in before
    assert after["messages"] == [
        *before["messages"],
        {"role": "assistant", "content": TURN},
        {"role": "user", "content": 'Tool result:\n{"seen": 2}'},
    ]


def test_the_system_message_holds_protocol_tools_and_what_stood_there(endpoint: Endpoint) -> None:
    endpoint.will(says("x"))
    for tool_text in ("full", "compact"):
        play(endpoint.agent(protocol="react", tool_text=tool_text))
    full, compact = (body["messages"][0]["content"] for body in endpoint.bodies)
    for text in (full, compact):
        assert text.endswith(MESSAGES[0]["content"])
        assert "exactly one JSON object" in text
        assert "<final_response>" in text
        assert "{tools}" not in text
        assert "{system}" not in text
    assert json.loads(next(line for line in full.splitlines() if line.startswith('{"name":"look"'))) == TOOL["function"]
    assert signature(TOOL) in compact.splitlines()
    assert [body["messages"][1:] for body in endpoint.bodies] == [MESSAGES[1:]] * 2
