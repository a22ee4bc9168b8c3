"""A chat that becomes too long ends, or old results are dropped, however the server words its refusal."""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from aiohttp import web

from teller_gym.agents.base import Reply
from teller_gym.agents.endpoint.agent import CLOSING
from teller_gym.agents.endpoint.chat import GO_ON, MARKER
from teller_gym.agents.endpoint.failures import GivenUpError, NoRoomError, RefusedError, UndecidedError
from teller_gym.base.errors import InfrastructureError
from teller_gym.tools.call import FinalResponse
from teller_gym.tools.parse import parse_action
from teller_gym.tools.tool import ToolSet
from tests.agents.endpoint.server import MESSAGES, Behave, Endpoint, call, fails, play, says
from tests.servers.answers import Message, misplaced

REFUSALS: dict[str, dict[str, list[Any]]] = yaml.safe_load(Path(__file__).with_name("refusals.yaml").read_text("utf-8"))
KNOWN, NAMELESS, OTHERS = REFUSALS["known"], REFUSALS["nameless"], REFUSALS["others"]
TOO_LONG = KNOWN | NAMELESS

SIZE = 4_000
PAGE = "x" * 700


def short(refusal: Sequence[Any], size: int = SIZE) -> Behave:
    """Return a server that refuses requests with more than `size` bytes, and chats with roles out of order."""
    refuse = fails(*refusal)

    async def behave(request: web.Request) -> web.StreamResponse:
        body = await request.read()
        asked = json.loads(body)
        roles = [message["role"] for message in asked["messages"] if message["role"] != "tool"]
        problem = misplaced(msgspec.convert(asked["messages"], list[Message]))
        if problem or any(one == other for one, other in pairwise(roles) if one != "assistant"):
            return web.Response(status=418, text=f"{problem} {roles}")
        if len(body) > size:
            return await refuse(request)
        usage = {"prompt_tokens": len(body) // 4, "completion_tokens": 9}
        native = "tools" in asked
        said = None if native else '{"name": "look", "arguments": {}}'
        return await says(said, [call(call_id=f"c{len(roles)}")] if native else [], usage=usage)(request)

    return behave


def turns(endpoint: Endpoint, count: int = 12, **options: Any) -> list[Reply]:
    """Play `count` turns with long, numbered results."""
    given = [(), *([f"{number}: {PAGE}"] for number in range(count))]
    return play(endpoint.agent(**{"retries": 0, "max_new_tokens": 100, **options}), *given)


def until_closed(endpoint: Endpoint, **options: Any) -> Reply:
    """Return the reply that ends the episode."""
    for number in range(2, 8):
        last = turns(endpoint, number, **options)[-1]
        if last.actions == (CLOSING,):
            return last
    raise AssertionError(f"never closed: {last}")


@pytest.mark.parametrize(("who", "protocol"), [*((who, "native") for who in TOO_LONG), ("odd", "react")])
def test_too_long_a_chat_is_the_models_failure_in_any_words(endpoint: Endpoint, who: str, protocol: str) -> None:
    endpoint.will(short(TOO_LONG[who], SIZE + 2_400 * (protocol == "react")))
    last = until_closed(endpoint, protocol=protocol)
    assert last.note == {"context_end": "stop"}
    assert isinstance(parse_action(CLOSING, ToolSet([])), FinalResponse)
    assert last.usage is not None and last.usage["completion"] == (0 if who in KNOWN else 9)  # a probe is counted


@pytest.mark.parametrize("who", KNOWN)
def test_words_that_are_known_need_no_further_request(endpoint: Endpoint, who: str) -> None:
    endpoint.will(says(None, [call()]), fails(*KNOWN[who]))
    last = play(endpoint.agent(), (), ("r",))[-1]
    assert (last.actions, last.note) == ((CLOSING,), {"context_end": "stop"})
    assert last.usage == {"prompt": 0, "completion": 0}
    assert len(endpoint.bodies) == 2


@pytest.mark.parametrize(("who", "protocol"), [*((who, "native") for who in TOO_LONG), ("odd", "react")])
def test_dropping_goes_on_in_any_words(endpoint: Endpoint, who: str, protocol: str) -> None:
    endpoint.will(short(TOO_LONG[who], SIZE + 2_400 * (protocol == "react")))
    replies = turns(endpoint, context_end="drop", protocol=protocol)
    assert all("look" in reply.actions[0] for reply in replies)
    assert replies[-1].note["dropped_results"] >= 4
    last = endpoint.bodies[-1]["messages"]
    assert any(f"11: {PAGE}" in str(message["content"]) for message in last)
    assert sum(MARKER[:12] in str(message["content"]) for message in last) == 1


@pytest.mark.parametrize("end", ["stop", "drop"])
@pytest.mark.parametrize("who", OTHERS)
def test_a_refusal_for_another_reason_stays_one(endpoint: Endpoint, who: str, end: str) -> None:
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


@pytest.mark.parametrize("who", ["odd", "empty 413"])
@pytest.mark.parametrize("end", ["stop", "drop"])
def test_one_long_result_is_a_length_too(endpoint: Endpoint, who: str, end: str) -> None:
    endpoint.will(short(TOO_LONG[who]))
    last = play(endpoint.agent(context_end=end), (), ("a",), ("b",), ("y" * 5_000,))[-1]
    assert (last.actions, last.note["context_end"]) == ((CLOSING,), "stop")


def test_the_shortened_chat_is_small_asks_for_little_and_keeps_its_shape(endpoint: Endpoint) -> None:
    endpoint.will(short((400, "E-4711")))
    until_closed(endpoint, max_new_tokens=2_000)
    refused, probe = endpoint.bodies[-2:]
    assert probe["max_tokens"] == 256 and probe["tools"] == refused["tools"]
    assert [message["role"] for message in probe["messages"]] == [message["role"] for message in refused["messages"]]
    assert probe["messages"][:2] == refused["messages"][:2]
    assert probe["messages"][-1] == refused["messages"][-1]  # the new result may be the reason
    assert [m.get("tool_calls") for m in probe["messages"]] == [m.get("tool_calls") for m in refused["messages"]]
    assert len(str(probe)) < len(str(refused)) - 2_000


def test_one_probe_an_episode_and_an_unknown_reason_is_reported_as_such(endpoint: Endpoint) -> None:
    """A passing failure of the server is not blamed on the model, and there is no second probe."""
    asked = says(None, [call()])
    endpoint.will(asked, asked, fails(500, "a"), asked, asked, fails(500, "b"))
    with pytest.raises(UndecidedError, match=r"^undecided: .*status 500: b"):
        play(endpoint.agent(retries=0), (), (PAGE,), (PAGE,), (PAGE,))
    assert len(endpoint.bodies) == 6
    endpoint.will(asked, asked, fails(400, "E-4711"), fails(503, "busy"))
    with pytest.raises(UndecidedError, match=r"^undecided: .*E-4711.*busy"):
        play(endpoint.agent(retries=0), (), (PAGE,), (PAGE,))


@pytest.mark.parametrize("end", ["stop", "drop"])
def test_a_refusal_of_the_first_request_is_a_mistake_of_the_set_up(endpoint: Endpoint, end: str) -> None:
    for status, text in ((400, "E-4711"), (400, ""), (422, "no")):
        endpoint.will(fails(status, text))
        with pytest.raises(RefusedError, match=f"status {status}"):
            turns(endpoint, 1, context_end=end)
    for known in ((400, "maximum context length"), (413, "")):
        endpoint.will(fails(*known))
        with pytest.raises(NoRoomError, match="does not fit"):
            turns(endpoint, 1, context_end=end)


def test_a_known_context_is_not_overrun(endpoint: Endpoint) -> None:
    endpoint.will(says(None, [call()], usage={"prompt_tokens": 800, "completion_tokens": 50}))
    agent = endpoint.agent(context=1100, max_new_tokens=100)
    replies = play(agent, (), ("short",), ("long " * 300,))
    assert [reply.note.get("context_end") for reply in replies] == [None, None, "stop"]
    assert len(endpoint.bodies) == 2


@pytest.mark.parametrize(("context", "told"), [(600, "580 tokens"), (40, "of 40"), (90, None)])
def test_a_context_that_the_first_chat_overruns_is_no_failure_of_the_model(
    endpoint: Endpoint, context: int, told: str | None
) -> None:
    """A small excess is seen in the first answer's usage, a large one is not sent, and an uncertain one is played."""
    endpoint.will(says("done", usage={"prompt_tokens": 580 if told else 60, "completion_tokens": 7}))
    agent = endpoint.agent(context=context, max_new_tokens=30)
    if told is None:
        assert play(agent)[0].actions == ("done",)
        return
    with pytest.raises(NoRoomError, match=told) as error:
        play(agent)
    assert "raise agent.context" in str(error.value) and "tool_text=compact" in str(error.value)
    assert len(endpoint.bodies) == (context > 40)


@pytest.mark.parametrize("known", [False, True])
def test_old_results_are_dropped_and_the_rest_stays(endpoint: Endpoint, known: bool) -> None:
    endpoint.will(short(KNOWN["vllm"], size=6_000))
    options: dict[str, Any] = {"max_new_tokens": 100, "context_end": "drop"}
    agent = endpoint.agent(**options, **({"context": 1_600} if known else {}))
    results = [f"result {number} " + "x" * 500 for number in range(20)]
    replies = play(agent, (), *([result] for result in results))
    assert all(reply.actions[0].startswith('{"name":"look"') for reply in replies)
    assert (len(endpoint.bodies) == len(replies)) == known  # never refused

    messages, dropped = endpoint.bodies[-1]["messages"], replies[-1].note["dropped_results"]
    assert dropped > 5 and messages[:2] == MESSAGES
    marker = MARKER.format(turns=dropped, results=dropped)
    assert messages[2:4] == [{"role": "assistant", "content": marker}, {"role": "user", "content": GO_ON}]
    assert [message["content"] for message in messages[4:] if message["role"] == "tool"] == results[dropped:]
    assert [message["role"] for message in messages[4:]] == ["assistant", "tool"] * (20 - dropped)


def test_with_nothing_left_to_drop_the_episode_ends(endpoint: Endpoint) -> None:
    endpoint.will(short(KNOWN["vllm"], size=1_500))
    last = play(endpoint.agent(context_end="drop"), (), ("a",), ("b",), ("c",), ("x" * 2_000,))[-1]
    assert last.actions == (CLOSING,)
    assert last.note == {"context_end": "stop", "dropped_results": 3}


def test_a_chat_that_fits_is_never_shortened(endpoint: Endpoint) -> None:
    endpoint.will(says(None, [call()]))
    play(endpoint.agent(context_end="drop", context=100_000), (), *([f"{n}"] for n in range(10)))
    assert MARKER[:20] not in json.dumps(endpoint.bodies)


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
    assert misplaced(msgspec.convert(sent, list[Message])) is None
