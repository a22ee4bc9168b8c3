"""The scripted server keeps to its script."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import teller_gym
from tests.servers import completions
from tests.servers.answers import SPOILT_MARK, Message, digest, expert_answers, graph_answers, progress
from tests.servers.client import chat, post, refused, told
from tests.servers.completions import Form, cut, spoilt
from tests.servers.running import Running, scripted_server
from tests.servers.schedule import Behaviour, Match, Rule, Schedule, Script

CALLS = [json.dumps({"name": f"tool_{n}", "arguments": {"text": "a {brace} “quote”", "n": n}}) for n in range(3)]
GRAPH = '{"nodes": ["a"], "edges": []}'
QUESTION = "What is the graph?"
TOOLS = [{"type": "function", "function": {"name": "tool_0"}}]

RULES: tuple[Rule, ...] = tuple(
    Rule(do, Match(case=f"^{do.upper().replace('_', '-')}-1$"), seconds=0.3, retry_after="date:7", code=503)
    for do in get_args(Behaviour)
)
"""Each behaviour has a case of its own."""

ONCE: dict[Behaviour, str] = {"bad_arguments": "LA-18", "cut": "LA-19"}
"""In these cases only the second answer is spoilt."""

ONCE_RULES = tuple(Rule(do, Match(case=key, turns=(1,))) for do, key in ONCE.items())


def case(do: str) -> str:
    return f"{do.upper().replace('_', '-')}-1"


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    known = dict.fromkeys(["LA-17", *ONCE.values(), *map(case, get_args(Behaviour))], CALLS)
    with scripted_server(Script(answers=known | {digest(QUESTION): [GRAPH]}, rules=RULES + ONCE_RULES)) as running:
        yield running


def play(server: Running, text: str, **more: Any) -> list[str]:
    """Ask until the model has no more calls; return the actions as texts."""
    messages, said = chat(text), []
    while True:
        message = post(server, messages, **more)["choices"][0]["message"]
        messages.append(message)
        calls = message.get("tool_calls") or []
        for call in calls:
            said.append(json.dumps({"name": call["function"]["name"]} | {"arguments": call["function"]["arguments"]}))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": "{}"})
        if not calls:
            said.append(message["content"])
            if "tool_" not in message["content"]:
                return said
            messages.append({"role": "user", "content": "result: {}"})


def test_without_tools_calls_are_said_as_react_has_them(server: Running) -> None:
    said = play(server, "Please work LA-17.")
    assert len(said) == 4
    assert all(action in text and "<step_progress>" in text for action, text in zip(CALLS, said, strict=False))
    assert said[3].startswith("<final_response>")


def test_text_in_tags_instead_of_native_calls() -> None:
    with scripted_server(Script(answers={"LA-17": CALLS}, form="tool_call")) as server:
        said = play(server, "LA-17", tools=TOOLS)
    assert said[:3] == [f"<tool_call>\n{action}\n</tool_call>" for action in CALLS]


def test_a_question_that_names_no_case_is_known_by_its_words(server: Running) -> None:
    assert post(server, chat(QUESTION))["choices"][0]["message"]["content"] == GRAPH
    assert "nothing" in post(server, chat("Who are you?"))["choices"][0]["message"]["content"]


def test_retry_after_may_be_a_date(server: Running) -> None:
    told = refused(server, chat(case("too_many"))).headers["Retry-After"]
    assert 5 <= parsedate_to_datetime(told).timestamp() - time.time() <= 8


def test_a_limit_of_context_is_kept() -> None:
    with scripted_server(Script(answers={"LA-17": CALLS}, context=200, wording="vllm")) as server:
        post(server, chat("LA-17"))
        body = json.loads(refused(server, chat("LA-17" + " and so on" * 100)).read())
        assert "maximum context length is 200 tokens" in body["message"]
        with urllib.request.urlopen(f"{server.base_url}/models", timeout=10) as answer:
            assert json.load(answer)["data"][0]["max_model_len"] == 200


@pytest.mark.parametrize("do", ONCE)
@pytest.mark.parametrize("tools", [TOOLS, []])
def test_what_was_spoilt_is_given_again(server: Running, do: Behaviour, tools: list[Any]) -> None:
    said = play_on(server, ONCE[do], tools)
    assert [SPOILT_MARK in text for text in said] == [False, True, False, False]
    assert [f"tool_{n}" in text for text, n in zip(said, (0, 1, 1, 2), strict=True)] == [True] * 4


def play_on(server: Running, text: str, tools: list[Any]) -> list[str]:
    """Four answers of any kind, as the server's messages in one text each."""
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


def test_what_no_server_takes_is_refused() -> None:
    spoilt = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{no"}}
    asked = {"role": "assistant", "content": None, "tool_calls": [spoilt]}
    result = {"role": "tool", "tool_call_id": "c", "content": "{}"}
    script = Script(answers={"LA-17": CALLS}, strict_arguments=True)
    with scripted_server(script) as server:
        assert refused(server, chat("LA-17"), model="other").code == 404
        assert refused(server, chat("LA-17"), stream=True).code == 400
        assert "follows no call" in told(refused(server, [*chat("LA-17"), result]))
        assert "no result" in told(refused(server, [*chat("LA-17"), asked]))
        assert "no result" in told(refused(server, [*chat("LA-17"), asked, {"role": "user", "content": ""}]))
        assert "no JSON" in told(refused(server, [*chat("LA-17"), asked, result]))
    with scripted_server(Script(key="secret")) as server:
        assert refused(server, chat("LA-17")).code == 401


def test_a_killed_server_comes_back_at_the_same_port() -> None:
    script = Script(answers={"LA-17": CALLS})
    with scripted_server(script) as first:
        post(first, chat("LA-17"))
        first.kill()
        with pytest.raises(urllib.error.URLError):
            post(first, chat("LA-17"))
        with scripted_server(script, port=first.port) as second:
            assert second.base_url == first.base_url
            post(second, chat("LA-17"))


def test_the_answers_are_those_of_the_expert() -> None:
    answers = expert_answers("loans", "validation")
    tasks = teller_gym.load_tasks("loans", "validation")
    assert len(answers) == len(tasks) == 16
    for task in tasks:
        assert task.case_id in task.request
        assert [json.loads(action)["name"] for action in answers[task.case_id]] == [c.name for c in task.standard.calls]
    assert list(expert_answers("loans", "validation", task_ids=[tasks[1].id])) == [tasks[1].case_id]
    graphs = graph_answers("loans", "validation", range(3))
    assert len(graphs) == 3
    assert all(set(json.loads(answer)) == {"nodes", "edges"} for (answer,) in graphs.values())


_arguments = st.dictionaries(st.text(max_size=8), st.none() | st.integers() | st.text(max_size=8), max_size=3)


@given(_arguments, st.sampled_from(get_args(Form)), st.booleans())
def test_a_good_answer_is_a_step_and_a_spoilt_one_is_none(arguments: dict[str, Any], form: Form, tools: bool) -> None:
    action = json.dumps({"name": "tool", "arguments": arguments})
    good = completions.message([action], form, tools=tools, turn=0)
    assert [progress([msgspec.convert(said, Message)]) for said in (good, spoilt(good), cut(good))] == [1, 0, 0]
