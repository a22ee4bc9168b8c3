"""Working days played through an endpoint: the offered tools are those of the open case."""

import json
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import teller_gym
from teller_gym.days.desk import QUEUE_TOOLS
from teller_gym.days.store import find_day, frozen, split_days
from teller_gym.evaluation.records.run_folder import read_lines
from teller_gym.procedure.task import Split
from teller_gym.tools.run import action_text
from tests.servers.answers import digest
from tests.servers.running import scripted_server
from tests.servers.schedule import Rule, Script

DAYS = [entry.id for entry in sorted(split_days(Split.HELDOUT), key=lambda entry: entry.cases)[:2]]
"""The two held-out days with the fewest cases."""


def answers() -> dict[str, list[str]]:
    """Return the standard calls of the days by the digest of the user's message."""
    env: Any = gym.make("Teller-Day-v0", split="heldout")
    found = {}
    for day_id in DAYS:
        env.reset(options={"task_id": day_id})
        said = next(message["content"] for message in env.unwrapped.messages() if message["role"] == "user")
        found[digest(said)] = [action_text(call) for call in env.unwrapped.task.standard.calls]
    return found


def play(script: Script, run_dir: Path, **agent: Any) -> list[dict[str, Any]]:
    with scripted_server(script) as server:
        kwargs = {"base_url": server.base_url, "model": "scripted", **agent}
        options: Any = {"task_ids": DAYS, "run_dir": run_dir, "concurrency": 2, "progress": False}
        teller_gym.evaluate("endpoint", "Teller-Day-v0", "heldout", agent_kwargs=kwargs, **options)
    return list(read_lines(run_dir / "episodes.jsonl"))


@pytest.mark.parametrize("protocol", ["native", "react"])
def test_a_model_that_answers_well_works_whole_days(protocol: str, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    asked.touch()
    known = answers()
    played = play(Script(answers=known, record=str(asked)), tmp_path / "run", protocol=protocol)
    assert [(one["score"], one["success"]) for one in played] == [(1.0, True)] * len(DAYS)
    assert {one["steps"] for one in played} == {len(calls) for calls in known.values()}
    bodies = [json.loads(line) for line in asked.read_bytes().splitlines()]
    if protocol == "native":
        offered = [{tool["function"]["name"] for tool in body["tools"]} for body in bodies]
        assert set(QUEUE_TOOLS) in offered and all(set(QUEUE_TOOLS) <= names for names in offered)
        assert max(map(len, offered)) > len(QUEUE_TOOLS) + 10
    else:
        last = max(bodies, key=lambda body: len(body["messages"]))["messages"]
        news = [message for message in last[1:] if "The tools are now these:" in str(message["content"])]
        opened = sum(message["role"] == "assistant" and "open_case" in message["content"] for message in last)
        assert len(news) >= opened >= min(len(find_day(day, frozen().scenarios).cases) for day in DAYS)


def test_several_calls_in_one_turn_may_close_a_case_and_read_the_queue(tmp_path: Path) -> None:
    played = play(Script(answers=answers(), rules=(Rule("several", count=3),)), tmp_path / "run")
    assert [one["score"] for one in played] == [1.0] * len(DAYS)
