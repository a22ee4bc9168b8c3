"""A real server, transformers serve, with a tiny model: what it answers, and whole episodes played through it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import teller_gym
from teller_gym.evaluation.records.run_folder import read_lines
from tests.servers.real.transformers_server import ANSWER, Server, transformers_server

pytestmark = pytest.mark.training

pytest.importorskip("trl", reason="the extra `train` is not installed")
pytest.importorskip("uvicorn", reason="transformers[serving] is not installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    """Calls come as text."""
    with transformers_server(folder) as running:
        yield running


@pytest.fixture(scope="module")
def parsing(folder: Path, server: Server) -> Iterator[Server]:
    """Calls come parsed."""
    with transformers_server(folder, "parsed") as running:
        yield running


@pytest.fixture(scope="module")
def unsure(folder: Path, server: Server) -> Iterator[Server]:
    """Its model has random weights, so that all tokens are about equally likely."""
    with transformers_server(folder, "random") as running:
        yield running


def ask(server: Server, **settings: Any) -> dict[str, Any]:
    """Ask about a loan, without the procedure."""
    env: Any = gym.make("Teller-Loans-v0", split="train").unwrapped
    env.reset(seed=0)
    body = {"model": server.model, "messages": env.messages()[1:], "tools": env.tool_schemas(), "temperature": 0}
    body |= {"max_tokens": 40} | settings
    url, headers = f"{server.url}/chat/completions", {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers), timeout=120) as answer:
        found: dict[str, Any] = json.loads(answer.read())
    return found


def test_a_call_stays_in_the_text(server: Server) -> None:
    answer = ask(server)
    [choice] = answer["choices"]
    assert choice["message"]["content"] == "".join(ANSWER)
    assert "tool_calls" not in choice["message"]
    usage = answer["usage"]
    assert usage["prompt_tokens"] > 10 and usage["completion_tokens"] == len(ANSWER) + 1
    assert ask(server)["choices"] == [choice]


def test_a_call_comes_parsed(parsing: Server) -> None:
    [choice] = ask(parsing)["choices"]
    assert choice["finish_reason"] == "tool_calls"
    [call] = choice["message"]["tool_calls"]
    assert call["function"]["name"] == "get_application_data"
    assert json.loads(call["function"]["arguments"]) == {"application_id": "LA-100200"}


def test_a_call_cut_off_fails_the_server_that_parses_and_not_the_other(server: Server, parsing: Server) -> None:
    cut = ask(server, max_tokens=4)["choices"][0]
    assert cut["finish_reason"] == "length"
    assert cut["message"]["content"] == "".join(ANSWER[:4])
    with pytest.raises(urllib.error.HTTPError) as failure:
        ask(parsing, max_tokens=4)
    assert failure.value.code == 500


def test_a_seed_decides_what_is_drawn(unsure: Server) -> None:
    said = [ask(unsure, temperature=2.0, seed=seed)["choices"][0]["message"] for seed in (1, 1, 2)]
    assert said[0] == said[1] != said[2]


@pytest.mark.parametrize("protocol", ["native", "react"])
def test_episodes_of_both_stages_are_played(server: Server, protocol: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "base_url": server.url,
        "model": server.model,
        "protocol": protocol,
        "max_new_tokens": 16,
        "temperature": 0.0,
        "timeout_s": 300,
    }
    for env_id in ("Teller-Loans-v0", "Teller-LoansGraph-v0"):
        run_dir = tmp_path / env_id
        shared: dict[str, Any] = {"n": 2, "concurrency": 2, "agent_kwargs": options, "progress": False}
        env_kwargs = {"max_steps": 2} if env_id == "Teller-Loans-v0" else {"distractors": 0}
        report = teller_gym.evaluate("endpoint", env_id, run_dir=run_dir, env_kwargs=env_kwargs, **shared)
        assert (report.counted, report.invalid) == (2, 0)
        for line in read_lines(run_dir / "episodes.jsonl"):
            assert line["tokens"]["prompt"] > 1000
            assert 1 <= line["tokens"]["completion"] <= 2 * 16
