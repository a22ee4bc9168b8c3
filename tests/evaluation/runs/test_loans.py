"""Evaluation of the loans environment with reference agents: the whole way through the public interface."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import teller_gym
from teller_gym.evaluation import Report, evaluate
from teller_gym.evaluation.records.run_folder import read_lines

ENV_ID = "Teller-Loans-v0"


def play(agent: Any, **options: Any) -> Report:
    return evaluate(agent, ENV_ID, progress=False, **options)


@pytest.fixture(autouse=True)
def stub_env() -> None:
    """The real tasks, not those of the stub."""


def test_the_expert_is_right_on_every_heldout_task(tmp_path: Path) -> None:
    report = teller_gym.evaluate("expert", ENV_ID, run_dir=tmp_path, progress=False)
    assert (report.planned, report.counted, report.invalid) == (50, 50, 0)
    for name in ("score", "accuracy", "checkpoints", "parameters", "tool_f1", "valid_calls"):
        assert report.metrics[name].value == pytest.approx(1.0), name
    assert all(metric.value == 0 for metric in report.errors.values())
    outcomes = {name: group.episodes for name, group in report.groups["outcome"].items()}
    assert sum(outcomes.values()) == 50
    assert len(outcomes) >= 4
    assert report.config["parts"][0]["frozen_sha256"] is not None


def test_a_record_holds_the_transcript(tmp_path: Path) -> None:
    task = teller_gym.load_tasks("loans", "train", n=1)[0]
    play("expert", run_dir=tmp_path, task_ids=[task.id])
    (one,) = read_lines(tmp_path / "episodes.jsonl")
    assert [step["tool"] for step in one["trace"]] == [call.name for call in task.standard.calls]
    assert [json.loads(step["action"])["arguments"] for step in one["trace"]] == [
        call.arguments for call in task.standard.calls
    ]
    assert one["outputs"] == task.standard.outputs
    assert one["outcome"] == task.standard.outputs["decision"]
    assert sum(step["reward"] for step in one["trace"]) == pytest.approx(one["score"])
    assert {row["checkpoint"] for row in one["checkpoints"]} == {
        name for step in one["trace"] for name in step["passed"]
    }
    assert one["messages"][0]["role"] == "system"
    assert "SOP" in one["messages"][0]["content"]


def test_noop_is_blank() -> None:
    report = play("noop", n=5)
    assert (report.errors["blank"].value, report.metrics["score"].value) == (1.0, 0.0)
    assert (report.metrics["tool_precision"].value, report.metrics["tool_recall"].value) == (0.0, 0.0)


def test_a_random_agent_repeats_itself_whatever_was_played_before(tmp_path: Path) -> None:
    play("random", run_dir=tmp_path / "five", n=5)
    play("random", run_dir=tmp_path / "two", n=2)
    play("random", run_dir=tmp_path / "threads", n=5, concurrency=3)
    five, two, threads = (
        {line["task_id"]: line for line in read_lines(tmp_path / name / "episodes.jsonl")}
        for name in ("five", "two", "threads")
    )
    assert len(five) == 5
    assert threads == five
    assert {task_id: five[task_id] for task_id in two} == two


@pytest.mark.parametrize(
    "dress",
    ["{}", "<tool_call>\n{}\n</tool_call>", "I shall look.\n<tool_call>{}</tool_call>", "```json\n{}\n```"],
    ids=["bare", "tags", "words", "fence"],
)
def test_calls_count_in_every_dress(dress: str) -> None:
    class Dressed:
        name = "dressed"

        def __init__(self, env: gym.Env[Any, Any]) -> None:
            self.expert = teller_gym.make_agent("expert", env)

        def reset(self) -> None:
            self.expert.reset()

        def act(self, obs: Any, info: Any) -> str:
            return dress.replace("{}", self.expert.act(obs, info))

    report = play(Dressed, n=2)
    assert report.metrics["accuracy"].value == 1.0
    assert report.metrics["valid_calls"].value == 1.0
    assert report.errors["blank"].value == 0.0


def test_generated_tasks_are_played_by_their_ids() -> None:
    report = play("expert", split="generated", n=3, seed=11)
    assert report.metrics["accuracy"].value == 1.0
    assert report.config["parts"][0]["task_ids"] == [f"loans-g-{2_011_000_000 + i}" for i in range(3)]


def test_a_reference_agent_of_another_env_is_made_anew() -> None:
    agent = teller_gym.make_agent("expert", gym.make(ENV_ID))
    report = play(agent, n=2, concurrency=2)
    assert (report.agent, report.metrics["accuracy"].value) == ("expert", 1.0)
    assert report.config["agent"] == {"name": "expert", "kind": "reference"}


def test_options_reach_the_environment(tmp_path: Path) -> None:
    report = play("expert", n=2, env_kwargs={"max_steps": 2})
    assert report.errors["budget"].value == 1.0
    assert report.metrics["steps"].value == 2
