"""The scripted server follows its script."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.servers import completions
from tests.servers.answers import SPOILT_MARK, Message, progress
from tests.servers.completions import Form, cut, spoilt
from tests.servers.running import scripted_server
from tests.servers.schedule import Behaviour, Match, Rule, Schedule, Script

CALLS = [json.dumps({"name": f"tool_{n}", "arguments": {"text": "a {brace} “quote”", "n": n}}) for n in range(3)]
HEADERS = {"Authorization": "Bearer secret"}
TOOLS = [{"type": "function", "function": {"name": "tool_0"}}]

ONCE: dict[Behaviour, str] = {"bad_arguments": "LA-18", "cut": "LA-19"}
"""Cases in which only the second answer is spoilt, by behaviour."""

RULES = tuple(Rule(do, Match(case=key, turns=(1,))) for do, key in ONCE.items())


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with scripted_server(Script(dict.fromkeys(["LA-17", *ONCE.values()], CALLS), RULES, key="secret")) as running:
        yield running.base_url


def chat(text: str) -> list[dict[str, Any]]:
    return [{"role": "system", "content": "Work."}, {"role": "user", "content": text}]


def post(server: str, messages: list[dict[str, Any]], *, timeout: float = 10.0, **more: Any) -> dict[str, Any]:
    body = json.dumps({"model": "scripted", "messages": messages, **more}).encode()
    request = urllib.request.Request(f"{server}/chat/completions", body, HEADERS)
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        read: dict[str, Any] = json.load(answer)
    return read


def refused(server: str, messages: list[dict[str, Any]], **more: Any) -> urllib.error.HTTPError:
    with pytest.raises(urllib.error.HTTPError) as caught:
        post(server, messages, **more)
    return caught.value


@pytest.mark.parametrize("do", ONCE)
@pytest.mark.parametrize("tools", [TOOLS, []])
def test_what_was_spoilt_is_given_again(server: str, do: Behaviour, tools: list[Any]) -> None:
    said = play_on(server, ONCE[do], tools)
    assert [SPOILT_MARK in text for text in said] == [False, True, False, False]
    assert [f"tool_{n}" in text for text, n in zip(said, (0, 1, 1, 2), strict=True)] == [True] * 4


def play_on(server: str, text: str, tools: list[Any]) -> list[str]:
    """Return four consecutive answers, each as one text."""
    messages, said = chat(text), []
    for _ in range(4):
        message = post(server, messages, tools=tools)["choices"][0]["message"]
        said.append(json.dumps(message))
        messages.append(message)
        calls = message.get("tool_calls") or []
        messages += [{"role": "tool", "tool_call_id": call["id"], "content": "{}"} for call in calls]
        if not calls:
            messages.append({"role": "user", "content": "no"})
    return said


@settings(max_examples=10)
@given(st.permutations(range(120)))
def test_faults_follow_from_bytes_and_attempts_alone(order: list[int]) -> None:
    rules = (Rule("status", Match(rate=0.3, attempts=2)),)

    def outcomes(requests: list[int]) -> dict[int, list[str]]:
        schedule, found = Schedule(rules, seed=5), {request: [""] for request in range(40)}
        for request in requests:
            found[request % 40].append(schedule.choose(b"%d" % (request % 40), "LA-17", 0).rule.do)
        return found

    first = outcomes(list(range(120)))
    assert outcomes(order) == first
    assert all(done[3] == "answer" for done in first.values())
    assert all(4 <= [done[attempt] for done in first.values()].count("status") <= 20 for attempt in (1, 2))
    assert any(done[1] != done[2] for done in first.values())


def test_what_no_server_takes_is_refused(server: str) -> None:
    spoilt = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{no"}}
    asked = {"role": "assistant", "content": None, "tool_calls": [spoilt]}
    result = {"role": "tool", "tool_call_id": "c", "content": "{}"}

    def said(*messages: dict[str, Any]) -> str:
        return str(json.loads(refused(server, [*chat("LA-17"), *messages]).read())["error"]["message"])

    assert refused(server, chat("LA-17"), model="other").code == 404
    assert refused(server, chat("LA-17"), stream=True).code == 400
    assert "follows no call" in said(result)
    assert "no result" in said(asked) and "no result" in said(asked, {"role": "user", "content": ""})
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(HEADERS, "Authorization", "Bearer guess")
        assert refused(server, chat("LA-17")).code == 401


_arguments = st.dictionaries(st.text(max_size=8), st.none() | st.integers() | st.text(max_size=8), max_size=3)


@settings(max_examples=40)
@given(_arguments, st.sampled_from(get_args(Form)), st.booleans())
def test_a_good_answer_is_a_step_and_a_spoilt_one_is_none(arguments: dict[str, Any], form: Form, tools: bool) -> None:
    action = json.dumps({"name": "tool", "arguments": arguments})
    good = completions.message([action], form, tools=tools, turn=0)
    assert [progress([msgspec.convert(said, Message)]) for said in (good, spoilt(good), cut(good))] == [1, 0, 0]
