"""The served expert, used like a model through the endpoint agent and through a simple client."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import teller_gym
from teller_gym.agents.endpoint import EndpointAgent, EndpointConfig
from teller_gym.expert_server.mistakes import KINDS, mistake_for
from teller_gym.expert_server.playing import ExpertPlayer
from teller_gym.expert_server.server import serve_expert

SHIFTED = {"schema_shift": True, "perturb": True, "faults": True}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serve_expert() as base_url:
        yield base_url


def _ask(url: str, body: Any) -> tuple[int, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(f"{url}/chat/completions", data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def _body(env_id: str, **options: Any) -> dict[str, Any]:
    env = gym.make(env_id, **options)
    env.reset(seed=0)
    core: Any = env.unwrapped
    return {"model": "expert", "messages": core.messages(), "tools": core.tool_schemas()}


def _records(url: str, env_id: str, protocol: Any, folder: Path, n: int = 2, **options: Any) -> list[dict[str, Any]]:
    config = EndpointConfig(model="expert", base_url=url, protocol=protocol, retries=0)
    teller_gym.evaluate(EndpointAgent(config), env_id, n=n, run_dir=folder, progress=False, **options)
    return [json.loads(line) for line in (folder / "episodes.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("protocol", ["native", "react"])
@pytest.mark.parametrize(
    ("env_id", "split"),
    [
        ("Teller-Loans-v0", "heldout"),
        ("Teller-Savings-v0", "heldout_schema"),
        ("Teller-Accounts-v0", "heldout_policy"),
        ("Teller-CreditCards-v0", "generated"),
        ("Teller-Investments-v0", "train"),
        ("Teller-Day-v0", "heldout"),
        ("Teller-Wealth-v0", "heldout"),
        ("Teller-LoansGraph-v0", "heldout"),
    ],
)
def test_it_scores_one_as_a_model_behind_an_endpoint(
    url: str, env_id: str, split: str, protocol: str, tmp_path: Path
) -> None:
    records = _records(url, env_id, protocol, tmp_path / "run", split=split)
    assert [record["score"] for record in records] == [1.0] * 2


def test_it_plays_under_the_options_of_the_client(tmp_path: Path) -> None:
    with serve_expert(ExpertPlayer(options=SHIFTED)) as url:
        records = _records(url, "Teller-Loans-v0", "native", tmp_path / "run", env_kwargs=SHIFTED)
    assert [record["score"] for record in records] == [1.0] * 2


def test_tools_under_other_names_are_refused_with_what_to_do(url: str) -> None:
    status, answer = _ask(url, _body("Teller-Loans-v0", split="heldout", schema_shift=True))
    assert status == 400
    assert "--env-option schema_shift" in answer["error"]["message"]


def test_an_unknown_policy_is_refused(url: str) -> None:
    status, answer = _ask(url, _body("Teller-Loans-v0", split="generated", policy_shift=True))
    assert status == 400
    assert "the policy is unknown" in answer["error"]["message"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"\xff",
        {},
        {"messages": []},
        {"messages": [1]},
        {"messages": [{"role": "user", "content": "Hello"}]},
        {"messages": [{"role": "user", "content": [{"type": "image_url"}, 3]}], "tools": [{}]},
        {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]},
        {"messages": [{"role": "user", "content": "x"}], "n": 2},
    ],
)
def test_what_is_no_request_is_answered_with_400_and_words(url: str, body: Any) -> None:
    status, answer = _ask(url, body)
    assert status == 400
    assert answer["error"]["message"]


def test_a_stream_says_the_same_as_a_body(url: str) -> None:
    body = _body("Teller-Loans-v0", split="heldout")
    _, whole = _ask(url, body)
    data = json.dumps(body | {"stream": True, "stream_options": {"include_usage": True}}).encode()
    request = urllib.request.Request(f"{url}/chat/completions", data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        events = [line[len(b"data: ") :] for line in answer.read().splitlines() if line]
    assert events.pop() == b"[DONE]"
    chunks = [json.loads(event) for event in events]
    usage = chunks.pop()["usage"]
    choices = [chunk["choices"][0] for chunk in chunks]
    calls = [delta for choice in choices for delta in choice["delta"].get("tool_calls", ())]
    call = whole["choices"][0]["message"]["tool_calls"][0]
    assert "".join(one["function"]["arguments"] for one in calls) == call["function"]["arguments"]
    assert calls[0]["id"] == call["id"]
    assert calls[0]["function"]["name"] == call["function"]["name"]
    assert [choice["finish_reason"] for choice in choices if choice["finish_reason"]] == ["tool_calls"]
    assert usage == whole["usage"]


def test_equal_requests_have_equal_answers_after_any_others(url: str) -> None:
    body = _body("Teller-Loans-v0", split="heldout")
    first = _ask(url, body)
    _ask(url, _body("Teller-Savings-v0", split="heldout"))
    assert _ask(url, body) == first


@pytest.mark.parametrize("protocol", ["native", "react"])
def test_the_stated_share_goes_wrong_and_the_rest_does_not(protocol: str, tmp_path: Path) -> None:
    share, seed = 0.5, 3
    with serve_expert(ExpertPlayer(share, seed)) as url:
        records = _records(url, "Teller-Savings-v0", protocol, tmp_path / "run", n=24)
    wrong = {record["task_id"] for record in records if not record["success"]}
    spoilt = {
        record["task_id"] for record in records if mistake_for(f"savings/{record['task_id']}", share, seed) is not None
    }
    assert wrong == spoilt
    assert 6 <= len(wrong) <= 18


def test_every_kind_of_mistake_comes_about() -> None:
    found = [mistake_for(str(number), 1.0, 0) for number in range(200)]
    assert {mistake.kind for mistake in found if mistake} == set(KINDS)
    assert not any(mistake_for(str(number), 0.0, 0) for number in range(200))
