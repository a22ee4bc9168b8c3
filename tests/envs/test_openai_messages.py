"""The chat in the format of OpenAI's API, checked by the rules of a strict server."""

import json
import re
from typing import Any

import gymnasium as gym
import pytest

import teller_gym  # noqa: F401
from teller_gym.envs.chat import openai_messages
from teller_gym.registration import ENVS

NAME = "get_application_data"
CALL = json.dumps({"name": NAME, "arguments": {"application_id": "LA-100000"}})
ODD = (
    CALL,
    f"I look.\n<tool_call>{CALL}</tool_call> So.",
    f"<think>Hm.</think>{CALL}",
    f"{CALL}{CALL}",
    '{"name": "get_application_data", "arguments": {"application_id": "LA',
    '<invoke name="x"></invoke>',
    '{"name": "no such tool", "arguments": {}}',
    '{"name": "", "arguments": {"a": "\\ud83c\\udfe6"}}',
    json.dumps({"name": "x" * 70, "arguments": {}}),
    '{"name": "\ud800", "arguments": {}}',
    '[TOOL_CALLS]x[ARGS]{"a": "\udfff"}',
    "x" * 1_500_000,
    json.dumps({"name": "lookup", "arguments": {"é": [1, None, {"a": 1.5}]}}),
)


def check(messages: list[dict[str, Any]]) -> None:
    """Check a request's messages as a strict server does."""
    assert json.loads(json.dumps(messages).encode()) == messages
    json.dumps(messages, ensure_ascii=False).encode()
    awaited: list[str] = []
    for message in messages:
        role = message["role"]
        assert role in ("system", "user", "assistant", "tool")
        if role == "tool":
            assert message.keys() == {"role", "tool_call_id", "content"}
            assert message["tool_call_id"] == awaited.pop(0)
            assert isinstance(message["content"], str)
            continue
        assert not awaited, "a call was left without an answer"
        calls = message.get("tool_calls")
        assert message.keys() == {"role", "content", *(["tool_calls"] if calls else [])}
        if not calls:
            assert isinstance(message["content"], str)
            continue
        assert role == "assistant" and (message["content"] is None or message["content"])
        for call in calls:
            assert call.keys() == {"id", "type", "function"} and call["type"] == "function"
            assert call["function"].keys() == {"name", "arguments"}
            assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", call["function"]["name"])
            assert isinstance(call["function"]["arguments"], str)
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
            awaited.append(call["id"])
    assert not awaited


def test_every_action_gives_a_chat_that_a_strict_server_takes() -> None:
    env: Any = gym.make("Teller-Loans-v0", split="train")
    env.reset(seed=7)
    check(openai_messages(env))
    for number, action in enumerate(ODD, start=1):
        result = env.step(action)[0]["tool_result"]
        messages = openai_messages(env)
        check(messages)
        assert len(messages) == 2 + 2 * number
        assert messages[-1]["content"].endswith(result)
    answered = [message["role"] for message in messages[3::2]]
    assert answered == [*["tool"] * 3, *["user"] * 9, "tool"]
    assert messages[4]["content"] == "I look." and messages[2]["content"] is None
    assert json.loads(messages[2]["tool_calls"][0]["function"]["arguments"]) == {"application_id": "LA-100000"}
    assert messages[9]["content"].startswith("Tool result:\n")


@pytest.mark.parametrize("env_id", sorted(card.id for card in ENVS))
def test_every_env_gives_such_a_chat(env_id: str) -> None:
    env: Any = gym.make(env_id)
    env.reset(seed=3)
    env.action_space.seed(3)
    over = False
    for action in [env.action_space.sample() for _ in range(3)]:
        if not over:
            over = any(env.step(action)[2:4])
    check(openai_messages(env))
    if not over:
        env.step("The work is done.")
    messages = openai_messages(env)
    check(messages)
    assert messages[2]["role"] == "assistant"
    assert len(messages) >= len(env.unwrapped.messages())
