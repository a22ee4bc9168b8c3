"""Refusals in the middle of an episode: the agent finds out if the chat was too long, in any wording of the refusal."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from aiohttp import web

from teller_gym.agents.base import Reply
from teller_gym.agents.endpoint.agent import CLOSING
from teller_gym.agents.endpoint.chat import MARKER, Size
from teller_gym.agents.endpoint.failures import GivenUpError, NoRoomError, RefusedError, UndecidedError
from teller_gym.agents.endpoint.overflow import names_length
from teller_gym.base.errors import InfrastructureError
from tests.agents.endpoint.server import Behave, Endpoint, call, fails, play, says
from tests.servers.answers import Message, misplaced

WORDINGS: dict[str, tuple[int, str]] = {
    "openai": (400, '{"error": {"message": "Too long", "code": "context_length_exceeded"}}'),
    "vllm": (400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"),
    "vllm, newer": (400, '{"error": {"message": "The engine prompt length 5000 exceeds the max_model_len 4096."}}'),
    "llama.cpp": (
        400,
        '{"error":{"message":"request (33056 tokens) exceeds the available context size (32768 tokens), try increasing '
        'it","type":"exceed_context_size_error"}}',
    ),
    "llama.cpp, older": (500, '{"error":{"code":500,"message":"context shift is disabled","type":"server_error"}}'),
    "anthropic": (400, "prompt is too long: 200001 tokens > 200000 maximum"),
    "anthropic, gateway": (413, '{"error": {"type": "request_too_large"}}'),
    "google": (400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
    "google, bare": (400, '{"error": {"code": 400, "message": "Request contains an invalid argument."}}'),
    "dashscope": (400, "Range of input length should be [1, 129024]"),
    "mistral": (422, "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum"),
    "cohere": (400, "too many tokens: size limit exceeded by 1200 tokens"),
    "bedrock": (400, "Input is too large for requested model."),
    "ollama": (400, "input length exceeds maximum"),
    "sglang": (400, "The input (5000 tokens) is longer than the model's capacity (4096 tokens)."),
    "tgi": (422, '{"error":"`inputs` must have less than 4095 tokens. Given: 5000","error_type":"validation"}'),
    "together": (422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097"),
    "groq": (413, '{"error": {"message": "Please reduce the length of the messages or completion."}}'),
    "xai": (400, "The request is over the size that grok can take"),
    "moonshot": (400, "Your request exceeded model token limit: 32768"),
    "zhipu": (400, '{"error":{"code":"1261","message":"Prompt 超长"}}'),
    "minimax": (400, '{"base_resp":{"status_code":2013,"status_msg":"invalid params"}}'),
    "nginx": (413, "<html><head><title>413 Request Entity Too Large</title></head></html>"),
    "french": (400, "La conversation est plus longue que ce que le modèle peut lire."),
    "odd": (400, "E-4711"),
    "empty 400": (400, ""),
    "empty 413": (413, ""),
    "empty 422": (422, ""),
    "empty 500": (500, ""),
    "nothing to read": (500, "Internal Server Error"),
}
"""Wordings of servers and vendors, by kind; more than half are in no list."""

NAMELESS = ("google, bare", "minimax", "french", "odd", "empty 400", "empty 422", "empty 500", "nothing to read", "xai")
"""Wordings that no list can know: only the behaviour of the endpoint shows that the length was the reason."""

OTHERS: dict[str, tuple[int, str]] = {
    "openai's filter": (400, '{"error": {"code": "content_filter", "message": "The response was filtered"}}'),
    "azure's filter": (400, "The response was filtered due to the prompt triggering Azure's content management policy"),
    "dashscope's filter": (400, '{"code": "data_inspection_failed", "message": "Input data may be inappropriate"}'),
    "google's key": (400, "API key not valid. Please pass a valid API key."),
    "quota of a minute": (413, "Request too large: tokens per minute (TPM): Limit 6000, Requested 7500"),
    "money": (400, "insufficient_balance"),
    "broken field": (400, "messages[3].content: expected a string"),
    "nothing": (400, ""),
    "nothing, 500": (500, ""),
}
"""Refusals for a reason other than the length, which occur for a shortened chat as well."""

SIZE = 4_000
PAGE = "x" * 700


def short(status: int, text: str, size: int = SIZE, seen: list[bool] | None = None) -> Behave:
    """A strict server that refuses requests of more bytes; it appends to `seen` whether each request was answered."""
    refuse = fails(status, text)

    async def behave(request: web.Request) -> web.StreamResponse:
        body = await request.read()
        asked = json.loads(body)
        roles = [message["role"] for message in asked["messages"] if message["role"] != "tool"]
        problem = misplaced([_as_message(message) for message in asked["messages"]])
        fits = len(body) <= size
        if seen is not None:
            seen.append(fits)
        if problem or any(one == other for one, other in pairwise(roles) if one != "assistant"):
            return web.Response(status=418, text=f"{problem} {roles}")
        if not fits:
            return await refuse(request)
        usage = {"prompt_tokens": len(body) // 4, "completion_tokens": 9}
        native = "tools" in asked
        text = None if native else '{"name": "look", "arguments": {}}'
        return await says(text, [call(call_id=f"c{len(roles)}")] if native else [], usage=usage)(request)

    return behave


def _as_message(message: dict[str, Any]) -> Message:
    return msgspec.convert(message, Message)


def turns(endpoint: Endpoint, count: int = 12, result: str = PAGE, **options: Any) -> list[Reply]:
    """Play until the episode ends or for `count` turns; every result is numbered and long."""
    given = [(), *([f"{number}: {result}"] for number in range(count))]
    return play(endpoint.agent(**{"retries": 0, "max_new_tokens": 100, **options}), *given)


def until_closed(endpoint: Endpoint, **options: Any) -> Reply:
    """The reply that ends the episode."""
    count = next(n for n in range(1, 20) if 300 + n * 900 > SIZE) + 1
    for number in range(1, count + 1):
        last = turns(endpoint, number, **options)[-1]
        if last.actions == (CLOSING,):
            return last
    raise AssertionError(f"never closed: {last}")


@pytest.mark.parametrize("protocol", ["native", "react"])
@pytest.mark.parametrize("who", WORDINGS)
def test_too_long_a_chat_is_the_models_failure_whatever_the_words_are(
    endpoint: Endpoint, who: str, protocol: str
) -> None:
    seen: list[bool] = []
    endpoint.will(short(*WORDINGS[who], SIZE + 2_400 * (protocol == "react"), seen))
    last = until_closed(endpoint, protocol=protocol)
    assert last.note == {"context_end": "stop"}


@pytest.mark.parametrize("who", [who for who in WORDINGS if who not in NAMELESS])
def test_words_that_are_known_need_no_further_request(endpoint: Endpoint, who: str) -> None:
    endpoint.will(says(None, [call()]), fails(*WORDINGS[who]))
    last = play(endpoint.agent(), (), ("r",))[-1]
    assert (last.actions, last.note) == ((CLOSING,), {"context_end": "stop"})
    assert len(endpoint.bodies) == 2


@pytest.mark.parametrize("protocol", ["native", "react"])
@pytest.mark.parametrize("who", WORDINGS)
def test_dropping_goes_on_whatever_the_words_are(endpoint: Endpoint, who: str, protocol: str) -> None:
    size = SIZE + 2_400 * (protocol == "react")
    endpoint.will(short(*WORDINGS[who], size))
    replies = turns(endpoint, context_end="drop", protocol=protocol)
    assert all(reply.actions[0].startswith('{"name":"look"') or "look" in reply.actions[0] for reply in replies)
    assert replies[-1].note["dropped_results"] >= 4
    last = endpoint.bodies[-1]["messages"]
    assert any(f"11: {PAGE}" in str(message["content"]) for message in last)
    assert sum(MARKER[:12] in str(message["content"]) for message in last) == 1


@pytest.mark.parametrize("end", ["stop", "drop"])
@pytest.mark.parametrize("who", OTHERS)
def test_what_is_refused_for_another_reason_stays_refused(endpoint: Endpoint, who: str, end: str) -> None:
    status, text = OTHERS[who]
    endpoint.will(says(None, [call()]), says(None, [call()]), says(None, [call()]), fails(status, text))
    with pytest.raises(InfrastructureError) as told:
        turns(endpoint, 3, context_end=end)
    assert isinstance(told.value, GivenUpError if status == 500 else RefusedError)
    assert text[:40] in str(told.value)


def test_a_filter_that_minds_the_last_result_is_no_length(endpoint: Endpoint) -> None:
    async def behave(request: web.Request) -> web.StreamResponse:
        if b"forbidden" in await request.read():
            return web.Response(status=400, text="no")
        return await says(None, [call()])(request)

    endpoint.will(behave)
    with pytest.raises(RefusedError, match="no"):
        play(endpoint.agent(), (), (PAGE,), (PAGE,), ("a forbidden word",))


@pytest.mark.parametrize("who", ["odd", "empty 400", "empty 413", "french"])
def test_one_long_result_is_a_length_too(endpoint: Endpoint, who: str) -> None:
    endpoint.will(short(*WORDINGS[who]))
    for end in ("stop", "drop"):
        last = play(endpoint.agent(context_end=end), (), ("a",), ("b",), ("y" * 5_000,))[-1]
        assert (last.actions, last.note["context_end"]) == ((CLOSING,), "stop")


def test_the_shortened_chat_is_small_asks_for_little_and_keeps_its_shape(endpoint: Endpoint) -> None:
    endpoint.will(short(400, "E-4711"))
    last = until_closed(endpoint, max_new_tokens=2_000)
    refused, probe = endpoint.bodies[-2:]
    assert probe["max_tokens"] == 256 and probe["tools"] == refused["tools"]
    assert [message["role"] for message in probe["messages"]] == [message["role"] for message in refused["messages"]]
    assert probe["messages"][:2] == refused["messages"][:2]
    assert probe["messages"][-1] == refused["messages"][-1]  # the new result may be the reason
    assert [m.get("tool_calls") for m in probe["messages"]] == [m.get("tool_calls") for m in refused["messages"]]
    assert len(str(probe)) < len(str(refused)) - 2_000
    assert last.usage is not None and last.usage["completion"] == 9  # the probe's tokens are counted


def test_one_probe_an_episode_and_what_cannot_be_decided_says_so(endpoint: Endpoint) -> None:
    """A passing failure of the server itself is not put down to the model, and a second one is not probed again."""
    asked = says(None, [call()])
    endpoint.will(asked, asked, fails(500, "a"), asked, asked, fails(500, "b"))
    with pytest.raises(UndecidedError, match=r"^undecided: .*status 500: b"):
        play(endpoint.agent(retries=0), (), (PAGE,), (PAGE,), (PAGE,))
    assert len(endpoint.bodies) == 6


def test_a_probe_that_gets_no_answer_decides_nothing(endpoint: Endpoint) -> None:
    asked = says(None, [call()])
    endpoint.will(asked, asked, fails(400, "E-4711"), fails(503, "busy"))
    with pytest.raises(UndecidedError, match=r"^undecided: .*E-4711.*busy"):
        play(endpoint.agent(retries=0), (), (PAGE,), (PAGE,))


def test_numbers_in_the_error_or_the_models_card_spare_the_probe(endpoint: Endpoint) -> None:
    usage = {"prompt_tokens": 32_400, "completion_tokens": 9}
    asked = says(None, [call()], usage=usage)
    for wording in ("request (32,956) ... (32,768)", "32956 > 32768", "限制为32768个标记，请求了32956个"):
        endpoint.bodies.clear()
        endpoint.will(asked, fails(400, wording), fails(400, "never"))
        assert play(endpoint.agent(max_new_tokens=100), (), (PAGE,))[-1].actions == (CLOSING,)
        assert len(endpoint.bodies) == 2


@pytest.mark.parametrize(
    "card",
    [
        {"max_model_len": 500},
        {"context_length": 10**6, "top_provider": {"context_length": 500}},
        {"meta": {"n_ctx": 500}},
    ],
)
def test_the_window_of_the_models_card_decides(endpoint: Endpoint, card: dict[str, Any]) -> None:
    endpoint.cards["m"] = card
    asked = says(None, [call()], usage={"prompt_tokens": 450, "completion_tokens": 9})
    endpoint.will(asked, fails(400, "E-4711"), fails(400, "never"))
    assert play(endpoint.agent(max_new_tokens=100), (), (PAGE,))[-1].actions == (CLOSING,)
    assert len(endpoint.bodies) == 2 and endpoint.asked_for_models == 1


def test_words_about_the_context_are_checked_where_the_window_is_known(endpoint: Endpoint) -> None:
    """The sentence matches, but the chat takes up a hundredth of the model's known window."""
    endpoint.cards["m"] = {"max_model_len": 100_000}
    endpoint.will(says(None, [call()]), fails(400, "the context window feature is not enabled for this account"))
    with pytest.raises(RefusedError, match="not enabled"):
        play(endpoint.agent(max_new_tokens=100), (), (PAGE,))


def test_a_chat_that_nearly_fills_the_known_window_was_too_long(endpoint: Endpoint) -> None:
    asked = says(None, [call()], usage={"prompt_tokens": 9_800, "completion_tokens": 9})
    endpoint.will(asked, fails(400, "E-4711"))
    agent = endpoint.agent(context=10_100, max_new_tokens=None)
    assert play(agent, (), ("r" * 300,))[-1].actions == (CLOSING,)
    endpoint.will(asked, fails(400, "E-4711"))
    with pytest.raises(RefusedError, match="E-4711"):
        play(endpoint.agent(context=30_000, max_new_tokens=None), (), ("r" * 300,))


@pytest.mark.parametrize(("text", "found"), [
    ("1000 > 900", True), ("limit 900, got 1,010", True), ("900/1010", True), ("at 12:30:45, id 1010", False),
    ("1010", False), ("limit 100, got 1010", False), ("req_900a1010 failed", False), ("900 and 5000", False),
])  # fmt: skip
def test_numbers_count_where_they_are_those_of_the_request(text: str, found: bool) -> None:
    assert names_length(text, Size(990, 1_020, 880), 0) is found


@pytest.mark.parametrize(("status", "text"), [(400, "E-4711"), (400, ""), (422, "no")])
def test_a_refusal_of_the_first_request_is_a_mistake_of_the_set_up(endpoint: Endpoint, status: int, text: str) -> None:
    endpoint.will(fails(status, text))
    for end in ("stop", "drop"):
        with pytest.raises(RefusedError, match=f"status {status}"):
            turns(endpoint, 1, context_end=end)
    for known in ((400, "maximum context length"), (413, "")):
        endpoint.will(fails(*known))
        with pytest.raises(NoRoomError):
            turns(endpoint, 1)


def test_results_of_many_calls_in_the_last_answer_are_all_kept(endpoint: Endpoint) -> None:
    """The results are new to the model, however many there are."""
    sizes: list[int] = []

    async def behave(request: web.Request) -> web.StreamResponse:
        body = await request.read()
        if len(body) > 8_000:
            return web.Response(status=400, text="E-4711")
        sizes.append(len(body))
        calls = [call(call_id=f"c{len(sizes)}-{number}") for number in range(6 if len(sizes) == 4 else 1)]
        return await says(None, calls, usage={"prompt_tokens": len(body) // 4, "completion_tokens": 9})(request)

    endpoint.will(behave)
    new = [f"new {number} {PAGE}" for number in range(6)]
    last = play(endpoint.agent(context_end="drop"), (), (PAGE * 2,), (PAGE * 2,), (PAGE * 2,), new)[-1]
    sent = endpoint.bodies[-1]["messages"]
    assert [message["content"] for message in sent if message["role"] == "tool"][-6:] == new
    assert last.note["dropped_results"] >= 1
    assert misplaced([_as_message(message) for message in sent]) is None
