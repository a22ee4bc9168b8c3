"""A chat that becomes too long: it ends, or old results are dropped, whether the client or the server notices first."""

from __future__ import annotations

import json
from typing import Any

import pytest
from aiohttp import web

from teller_gym.agents.endpoint.agent import CLOSING
from teller_gym.agents.endpoint.chat import GO_ON, MARKER
from teller_gym.agents.endpoint.failures import NoRoomError
from teller_gym.base.errors import InfrastructureError
from teller_gym.tools.call import FinalResponse
from teller_gym.tools.parse import parse_action
from teller_gym.tools.tool import ToolSet
from tests.agents.endpoint.server import MESSAGES, Behave, Endpoint, call, fails, play, says

REFUSALS = {
    "openai": (400, '{"error": {"message": "Too long", "code": "context_length_exceeded"}}'),
    "vllm": (400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"),
    "vllm, older": (400, "The decoder prompt (length 9) is longer than the maximum model length of 8."),
    "anthropic": (400, "prompt is too long: 200001 tokens > 200000 maximum"),
    "google": (400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
    "dashscope": (400, "Range of input length should be [1, 129024]"),
    "too large": (413, "input is too long for this model"),
}


def fits(limit: int, counted: list[int]) -> Behave:
    """A server with a short context: refuses what has more bytes, else calls once more."""
    refuse = fails(*REFUSALS["vllm"])

    async def behave(request: web.Request) -> web.StreamResponse:
        size = len(await request.read())
        if size > limit:
            return await refuse(request)
        counted.append(size)
        return await says(None, [call()], usage={"prompt_tokens": size // 4, "completion_tokens": 9})(request)

    return behave


@pytest.mark.parametrize("who", REFUSALS)
def test_a_refusal_for_its_length_ends_the_episode(endpoint: Endpoint, who: str) -> None:
    status, text = REFUSALS[who]
    endpoint.will(says(None, [call()]), fails(status, text))
    last = play(endpoint.agent(), (), ("r",))[-1]
    assert (last.actions, last.note, last.usage) == (
        (CLOSING,),
        {"context_end": "stop"},
        {"prompt": 0, "completion": 0},
    )
    assert isinstance(parse_action(CLOSING, ToolSet([])), FinalResponse)


@pytest.mark.parametrize("end", ["stop", "drop"])
def test_a_chat_whose_beginning_is_too_long_is_nobodys_failure(endpoint: Endpoint, end: str) -> None:
    endpoint.will(fails(*REFUSALS["vllm"]))
    with pytest.raises(InfrastructureError, match="does not fit"):
        play(endpoint.agent(context_end=end))


def test_a_known_context_is_not_overrun(endpoint: Endpoint) -> None:
    endpoint.will(says(None, [call()], usage={"prompt_tokens": 800, "completion_tokens": 50}))
    agent = endpoint.agent(context=1100, max_new_tokens=100)
    replies = play(agent, (), ("short",), ("long " * 300,))
    assert [reply.note.get("context_end") for reply in replies] == [None, None, "stop"]
    assert len(endpoint.bodies) == 2


@pytest.mark.parametrize(("context", "told"), [(600, "580 tokens"), (40, "of 40")])
def test_a_context_that_the_first_chat_overruns_is_nobodys_failure(endpoint: Endpoint, context: int, told: str) -> None:
    """An excess of a few tokens shows in the first answer's usage; a large excess is not even sent."""
    endpoint.will(says(None, [call()], usage={"prompt_tokens": 580, "completion_tokens": 7}))
    with pytest.raises(NoRoomError, match=told) as error:
        play(endpoint.agent(context=context, max_new_tokens=30))
    assert "raise agent.context" in str(error.value) and "tool_text=compact" in str(error.value)
    assert len(endpoint.bodies) == (context > 40)


def test_a_first_chat_that_only_the_guess_finds_too_long_is_played(endpoint: Endpoint) -> None:
    endpoint.will(says("done", usage={"prompt_tokens": 60, "completion_tokens": 7}))
    assert play(endpoint.agent(context=90, max_new_tokens=30))[0].actions == ("done",)


@pytest.mark.parametrize("known", [False, True])
def test_old_results_are_dropped_and_the_rest_stays(endpoint: Endpoint, known: bool) -> None:
    sizes: list[int] = []
    endpoint.will(fits(6_000, sizes))
    options: dict[str, Any] = {"max_new_tokens": 100, "context_end": "drop"}
    agent = endpoint.agent(**options, **({"context": 1_600} if known else {}))
    results = [f"result {number} " + "x" * 500 for number in range(20)]
    replies = play(agent, (), *([result] for result in results))
    assert all(reply.actions[0].startswith('{"name":"look"') for reply in replies)
    assert replies[-1].note["dropped_results"] > 5
    if known:
        assert len(endpoint.bodies) == len(sizes)  # never refused

    messages = endpoint.bodies[-1]["messages"]
    assert messages[:2] == MESSAGES
    dropped = replies[-1].note["dropped_results"]
    marker = MARKER.format(turns=dropped, results=dropped)
    assert messages[2:4] == [{"role": "assistant", "content": marker}, {"role": "user", "content": GO_ON}]
    assert [message["content"] for message in messages[4:] if message["role"] == "tool"] == results[dropped:]
    assert [message["role"] for message in messages[4:]] == ["assistant", "tool"] * (20 - dropped)


def test_with_nothing_left_to_drop_the_episode_ends(endpoint: Endpoint) -> None:
    endpoint.will(fits(1_500, []))
    last = play(endpoint.agent(context_end="drop"), (), ("a",), ("b",), ("c",), ("x" * 2_000,))[-1]
    assert last.actions == (CLOSING,)
    assert last.note == {"context_end": "stop", "dropped_results": 3}


def test_a_chat_that_was_not_dropped_from_is_sent_as_it_was(endpoint: Endpoint) -> None:
    endpoint.will(fits(10**6, []))
    play(endpoint.agent(context_end="drop", context=100_000), (), *([f"{n}"] for n in range(10)))
    assert MARKER[:20] not in json.dumps(endpoint.bodies)
