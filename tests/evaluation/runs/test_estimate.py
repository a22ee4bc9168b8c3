"""The estimate of a run, compared with counts over the expert's messages, and the command that prints it."""

import json
from pathlib import Path
from typing import Any

import gymnasium as gym
import msgspec
import pytest

from teller_gym.agents.base import Prices
from teller_gym.cli import main
from teller_gym.evaluation import evaluate
from teller_gym.evaluation.records.run_folder import read_lines
from teller_gym.evaluation.runs.estimate import JSON_BYTES, TEXT_BYTES, Estimate, estimate, preset_prices
from teller_gym.evaluation.runs.parts import Selection

LOANS = "Teller-Loans-v0"


def selected(*env_ids: str, n: int | None = 3, **options: Any) -> Selection:
    values: dict[str, Any] = {"options": {}, "graph_options": {}, "tools": "own", **options}
    return Selection(env_ids=env_ids, splits=("heldout",), n=n, task_ids=None, seed=0, **values)


def test_every_request_is_counted_with_the_whole_chat_and_the_schemas_once(tmp_path: Path) -> None:
    (found,) = estimate(selected(LOANS).parts(), trials=2)
    evaluate("expert", LOANS, n=3, run_dir=tmp_path, progress=False)
    env: Any = gym.make(LOANS).unwrapped
    env.reset()
    schemas = len(msgspec.json.encode(env.tool_schemas())) / JSON_BYTES
    requests, prompt = 0, 0.0
    for line in read_lines(tmp_path / "episodes.jsonl"):
        sizes = []
        for message in line["messages"]:
            each = TEXT_BYTES if message["role"] in ("system", "user") else JSON_BYTES
            calls = sum(len(json.dumps(one)) for one in message.get("tool_calls", ()))
            sizes.append(len(message["content"]) / each + calls / JSON_BYTES)
            if message["role"] == "assistant":
                requests += 1
                prompt += schemas + sum(sizes[:-1])
    assert (found.episodes, found.requests, found.sampled) == (6, 2 * requests, 3)
    assert found.prompt == pytest.approx(2 * prompt, rel=0.03)
    assert found.prompt - found.resent < 0.2 * found.prompt
    # The scenario's card gives 18,517 tokens before the first turn.
    assert found.prompt / found.requests == pytest.approx(18517, rel=0.15)


def test_many_tasks_are_reckoned_after_some() -> None:
    (few,), (all_of_them,) = estimate(selected(LOANS, n=20).parts()), estimate(selected(LOANS, n=None).parts())
    assert (few.sampled, all_of_them.sampled, all_of_them.episodes) == (20, 20, 50)
    assert all_of_them.prompt / 50 == pytest.approx(few.prompt / 20, rel=0.25)


def test_stages_are_apart_and_thoughts_are_only_written() -> None:
    parts = selected(LOANS, "Teller-LoansGraph-v0", n=2).parts()
    plain, thinking = estimate(parts), estimate(parts, thoughts=1000)
    assert [one.stage for one in plain] == [1, 2]
    for before, after in zip(plain, thinking, strict=True):
        assert after.prompt == before.prompt
        assert after.completion == before.completion + 1000 * after.requests


def test_dollars_and_hours_by_hand() -> None:
    one = Estimate(2, 10, 3600, prompt=4_000_000, resent=3_000_000, completion=180_000, sampled=10)
    assert one.usd(Prices(2.0, 10.0)) == pytest.approx(8 + 1.8)
    assert one.usd(Prices(2.0, 10.0, cached=0.5)) == pytest.approx(2 + 1.5 + 1.8)
    assert one.hours() == pytest.approx(1 + 1)
    assert one.hours(4) == pytest.approx(0.5)
    assert one.hours(1000) == pytest.approx(0.2), "no more at once than there are episodes"
    assert one.hours(4, requests_a_minute=10) == pytest.approx(6)
    assert one.hours(4, tokens_a_minute=4_180_000 / 60 / 3) == pytest.approx(3)


def test_the_command_plays_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["eval", "env=loans", "n=2", f"run_dir={tmp_path / 'run'}", "--estimate"]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in preset_prices())
    assert main([*words, "endpoint=gpt_5", "concurrency=4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["stages"]["2"]["episodes"] == 2
    assert list(found["usd"]) == ["gpt-5"]
    assert found["usd"]["gpt-5"] > 0
    assert main([*words, "endpoint=vllm", "agent.model=m"]) == 0
    assert "no prices" in capsys.readouterr().out
    assert main([*words, "endpoint=vllm", "agent.model=m", "agent.price_prompt=1", "agent.price_completion=2"]) == 0
    assert "m " in capsys.readouterr().out
    assert not (tmp_path / "run").exists()
