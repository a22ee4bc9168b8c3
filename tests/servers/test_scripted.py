"""The scripted server keeps to its script."""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
"""The behaviour depends on the case."""

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


def test_native_calls_come_in_order_with_their_own_ids(server: Running) -> None:
    messages = chat("Please work LA-17.")
    ids = []
    for action in CALLS:
        answer = post(server, messages, tools=TOOLS)["choices"][0]
        assert answer["finish_reason"] == "tool_calls"
        (call,) = answer["message"]["tool_calls"]
        found = {"name": call["function"]["name"], "arguments": json.loads(call["function"]["arguments"])}
        assert found == json.loads(action)
        ids.append(call["id"])
        messages += [answer["message"], {"role": "tool", "tool_call_id": call["id"], "content": "{}"}]
    assert len(set(ids)) == 3
    end = post(server, messages, tools=TOOLS)["choices"][0]
    assert (end["finish_reason"], end["message"].get("tool_calls")) == ("stop", None)


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


def test_usage_hangs_on_the_request_alone(server: Running) -> None:
    first, second = (post(server, chat("Please work LA-17."))["usage"] for _ in range(2))
    longer = post(server, chat("Please work LA-17." + " Now." * 100))["usage"]
    assert first == second
    assert longer["prompt_tokens"] == first["prompt_tokens"] + 125
    assert first["total_tokens"] == first["prompt_tokens"] + first["completion_tokens"]


@pytest.mark.parametrize(
    ("do", "status"), [("too_many", 429), ("status", 503), ("context_error", 400), ("echo_key", 503)]
)
def test_errors_have_their_status(server: Running, do: str, status: int) -> None:
    assert refused(server, chat(case(do))).code == status


def test_retry_after_may_be_a_date(server: Running) -> None:
    told = refused(server, chat(case("too_many"))).headers["Retry-After"]
    assert 5 <= parsedate_to_datetime(told).timestamp() - time.time() <= 8


def test_the_context_error_has_the_code_that_clients_know(server: Running) -> None:
    body = json.loads(refused(server, chat(case("context_error"))).read())
    assert body["error"]["code"] == "context_length_exceeded"


def test_a_limit_of_context_is_kept() -> None:
    with scripted_server(Script(answers={"LA-17": CALLS}, context=200, wording="vllm")) as server:
        post(server, chat("LA-17"))
        body = json.loads(refused(server, chat("LA-17" + " and so on" * 100)).read())
        assert "maximum context length is 200 tokens" in body["message"]
        with urllib.request.urlopen(f"{server.base_url}/models", timeout=10) as answer:
            assert json.load(answer)["data"][0]["max_model_len"] == 200


def test_bodies_that_are_no_answer(server: Running) -> None:
    with pytest.raises(ValueError, match="Expecting"):
        post(server, chat(case("bad_json")))
    assert post(server, chat(case("no_choices")))["choices"] == []
    message = post(server, chat(case("null_content")))["choices"][0]["message"]
    assert message == {"role": "assistant", "content": None}


@pytest.mark.parametrize("do", ["hang_up_before", "hang_up_after", "truncated"])
def test_connections_break(server: Running, do: str) -> None:
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        post(server, chat(case(do)))


def test_slow_and_hanging_answers(server: Running) -> None:
    start = time.monotonic()
    post(server, chat(case("slow")))
    assert time.monotonic() - start >= 0.3
    with pytest.raises(TimeoutError):
        post(server, chat(case("hang")), timeout=0.2)
    patience = time.monotonic() + 5
    while server.stats()["in_flight"]:  # a client that hung up is no longer in flight
        assert time.monotonic() < patience
        time.sleep(0.02)


def test_several_calls_at_once_bring_the_case_so_much_further(server: Running) -> None:
    messages = chat(case("several"))
    message = post(server, messages, tools=TOOLS)["choices"][0]["message"]
    assert [call["function"]["name"] for call in message["tool_calls"]] == ["tool_0", "tool_1"]
    results = [{"role": "tool", "tool_call_id": call["id"], "content": "{}"} for call in message["tool_calls"]]
    answer = post(server, [*messages, message, *results], tools=TOOLS)["choices"][0]["message"]
    assert [call["function"]["name"] for call in answer["tool_calls"]] == ["tool_2"]


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
def test_faults_hang_on_bytes_and_attempts_alone(order: list[int]) -> None:
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


def test_requests_in_flight_are_averaged_over_time() -> None:
    with scripted_server(Script(answers={"LA-17": CALLS}, delay_ms=200)) as server:
        server.mark()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda n: post(server, chat(f"LA-17, {n}")), range(8)))
        counts = server.mark()
        assert (counts["requests"], counts["in_flight"], counts["peak_in_flight"]) == (8, 0, 4)
        assert counts["statuses"] == {"200": 8}
        assert 2.5 < counts["average_in_flight"] <= 4.0
        assert 2.0 < counts["average_before_tail"] <= 4.0  # up to the last that began, after half of the time
        assert server.stats()["requests"] == 0


def test_the_server_ends_with_its_block_even_while_requests_hang() -> None:
    with scripted_server(Script(rules=(Rule("hang"),))) as server:
        waiting = threading.Thread(target=hang, args=(server,))
        waiting.start()
        while not server.stats()["in_flight"]:
            time.sleep(0.01)
    waiting.join(10)
    assert not waiting.is_alive()
    assert server.process.poll() is not None


def hang(server: Running) -> None:
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        post(server, chat("LA-17"), timeout=30)


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
