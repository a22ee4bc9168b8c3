"""Runs of both stages and several parts: plans, filtered tools, limits and provenance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import teller_gym
import tests.proof.stub
from teller_gym.agents.base import Prices, Reply
from teller_gym.base.errors import InfrastructureError, OptionError
from teller_gym.evaluation import Report
from teller_gym.evaluation.records.run_folder import load_run
from teller_gym.evaluation.runs.filtered_tools import gold_tools, tools_of_answer
from teller_gym.evaluation.runs.limits import Gate, Limits
from teller_gym.evaluation.runs.parts import Part, Selection
from teller_gym.stage1.task import own_names

GRAPH, CASES = "Teller-LoansGraph-v0", "Teller-Loans-v0"
assert tests.proof.stub.__name__  # its import registers the scenario refunds


def play(agent: Any, env_id: Any = (GRAPH, CASES), split: Any = "heldout", **options: Any) -> Report:
    return teller_gym.evaluate(agent, env_id, split, progress=False, **options)


def test_the_expert_is_right_in_both_stages(tmp_path: Path) -> None:
    report = play("expert", n=3, trials=2, run_dir=tmp_path)
    assert {stage: part.counted for stage, part in report.stages.items()} == {1: 6, 2: 6}
    assert report.stages[1].metrics["score"].value == report.stages[2].metrics["accuracy"].value == 1.0
    config, episodes, times = load_run(tmp_path)
    assert [part["stage"] for part in config["parts"]] == [1, 2]
    assert [episode["stage"] for episode in episodes] == [1] * 6 + [2] * 6
    assert len(times) == 12
    graph = episodes[0]["graph"]
    assert graph is not None
    assert set(graph["nodes"]) == set(teller_gym.load_scenario("loans").graph.nodes)
    assert (graph["readable"], graph["cyclic"], graph["problems"]) == (True, False, [])
    assert episodes[0]["required_tools"] == list(teller_gym.load_scenario("loans").graph.nodes)


def test_graphs_stand_under_the_tools_own_names(tmp_path: Path) -> None:
    play("gold_with_distractors", GRAPH, n=2, run_dir=tmp_path)
    for episode in load_run(tmp_path)[1]:
        assert episode["graph"] is not None
        nodes = set(episode["graph"]["nodes"])
        assert nodes > set(gold_tools("loans"))
        assert not nodes <= set(episode["tools"])  # shown under other names
        assert tools_of_answer("loans", nodes) != gold_tools("loans")


def test_tools_can_be_those_of_the_graph_or_of_the_own_answer(tmp_path: Path) -> None:
    gold = play("expert", CASES, n=2, tools="gold", run_dir=tmp_path / "gold")
    assert gold.metrics["accuracy"].value == 1.0
    assert {tuple(sorted(e["tools"])) for e in load_run(tmp_path / "gold")[1]} == {tuple(sorted(gold_tools("loans")))}
    play("expert", n=2, tools="filtered", run_dir=tmp_path / "own")
    cases = [episode for episode in load_run(tmp_path / "own")[1] if episode["stage"] == 2]
    assert all(set(episode["tools"]) == set(gold_tools("loans")) for episode in cases)


def test_filtered_tools_come_from_another_run(tmp_path: Path) -> None:
    play("empty", GRAPH, n=3, run_dir=tmp_path / "first")
    report = play("noop", CASES, n=2, tools="filtered", filtered_from=tmp_path / "first", run_dir=tmp_path / "second")
    assert report.counted == 2
    for episode in load_run(tmp_path / "second")[1]:
        assert sorted(episode["tools"]) == ["get_application_data", "submit_final_review"]
    assert "tools_sha256" in json.loads((tmp_path / "second" / "run.json").read_text())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"env_id": CASES, "tools": "filtered"}, "stage 1 of loans is not in this run"),
        ({"env_id": CASES, "tools": "most"}, "tools: expected one of own, full, filtered, gold"),
        ({"env_id": CASES, "filtered_from": "x"}, "filtered_from: expected none with tools=own"),
        ({"env_id": CASES, "tools": "full", "env_kwargs": {"distractors": 3}}, "leave env.distractors out"),
        ({"env_id": (CASES, CASES)}, "loans-.* is a task of both"),
        ({"env_id": GRAPH, "split": ("heldout_policy", "heldout_schema")}, "Teller-LoansGraph-v0 has train"),
        ({"env_id": GRAPH, "split": "train"}, "split=train of loans in stage 1 is unlimited"),
        ({"env_id": GRAPH, "n": 51}, "split heldout of loans in stage 1 has 50 such tasks"),
        ({"task_ids": ["cards-0001"]}, "task_ids: expected tasks of"),
    ],
)
def test_mistakes_are_told(options: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        play("expert", **options)


def test_several_splits_and_ids_of_several_stages() -> None:
    report = play("expert", split=["validation", "heldout_policy"], n=2)
    assert {stage: part.counted for stage, part in report.stages.items()} == {1: 2, 2: 4}
    report = play("expert", task_ids=["loans-graph-heldout-7", "loans-policy-0004", "loans-0006"])
    assert [part["task_ids"] for part in report.config["parts"]] == [
        ["loans-graph-heldout-7"],
        ["loans-policy-0004", "loans-0006"],
    ]


# -- a dialogue agent -------------------------------------------------------------------------------------------------


class Talker:
    """Makes the expert's calls, up to `at_once` per reply, after failing `fails` times."""

    name = "talker"
    prices = Prices(1.0, 2.0)

    def __init__(self, fails: int = 0, at_once: int = 2) -> None:
        self.fails = fails
        self.at_once = at_once
        self.closed = 0

    def open(self, messages: Any, tools: Any, seed: int) -> _Talk:
        return _Talk(self, messages)

    async def aclose(self) -> None:
        self.closed += 1


class _Talk:
    def __init__(self, agent: Talker, messages: Any) -> None:
        tasks = teller_gym.load_tasks("loans", "heldout")
        task = next(task for task in tasks if task.request == messages[-1]["content"])
        self.left = [json.dumps({"name": c.name, "arguments": c.arguments}) for c in task.standard.calls]
        self.agent = agent
        self.sent = 0

    async def answer(self, results: Any) -> Reply:
        if self.agent.fails:
            self.agent.fails -= 1
            raise InfrastructureError("the endpoint hung up")
        assert len(results) == self.sent
        assert not any("error" in json.loads(result) for result in results)
        now, self.left = tuple(self.left[: self.agent.at_once]), self.left[self.agent.at_once :]
        self.sent = len(now)
        return Reply(now, {"prompt": 100, "completion": 10}, {"thinking": "hm", "finish_reason": "stop"})


def test_an_agent_that_talks_plays_in_one_loop(tmp_path: Path) -> None:
    agent = Talker()
    report = play(agent, CASES, n=5, concurrency=3, run_dir=tmp_path)
    assert report.metrics["accuracy"].value == 1.0
    assert agent.closed == 1
    for episode in load_run(tmp_path)[1]:
        requests = [turn for turn in episode["trace"] if turn["model"]]
        assert len(requests) == -(-episode["steps"] // 2)
        assert requests[0]["model"] == {"prompt": 100, "completion": 10, "thinking": "hm", "finish_reason": "stop"}
        assert episode["tokens"] == {"prompt": 100 * len(requests), "completion": 10 * len(requests)}


def test_an_episode_whose_endpoint_fails_once_is_played_again() -> None:
    assert play(Talker(fails=1), CASES, n=2).invalid == 0
    report = play(Talker(fails=2), CASES, n=2)
    assert (report.invalid, report.counted) == (1, 1)
    with pytest.raises(InfrastructureError, match="in a row broke down"):
        play(Talker(fails=1000), CASES, concurrency=4)


@pytest.mark.parametrize(
    "limits", [Limits(tokens=1), Limits(usd=0.0001), Limits(hours=1e-9)], ids=["tokens", "usd", "hours"]
)
def test_a_limit_stops_the_run_and_a_higher_one_goes_on(limits: Limits, tmp_path: Path) -> None:
    first = play(Talker(), CASES, n=5, run_dir=tmp_path, limits=limits)
    assert first.played == (0 if limits.hours else 1)
    second = play(Talker(), CASES, n=5, run_dir=tmp_path)
    assert (second.counted, second.planned, second.played) == (5, 5, 5 - first.played)


def test_limits_count_what_earlier_calls_used(tmp_path: Path) -> None:
    play(Talker(), CASES, n=5, run_dir=tmp_path, limits=Limits(tokens=1))
    assert play(Talker(), CASES, n=5, run_dir=tmp_path, limits=Limits(tokens=1)).played == 0


def test_limits_are_checked() -> None:
    with pytest.raises(OptionError, match="expected an agent with prices"):
        Gate(Limits(usd=1.0))


def test_a_run_says_what_it_ran_on(tmp_path: Path) -> None:
    play("expert", CASES, n=1, run_dir=tmp_path)
    play("expert", CASES, n=1, run_dir=tmp_path)
    lines = (tmp_path / "provenance.jsonl").read_text().splitlines()
    assert len(lines) == 1  # the second call played nothing
    told = json.loads(lines[0])
    assert told["versions"]["teller_gym"] == teller_gym.__version__
    assert {"python", "numpy", "gymnasium"} <= told["versions"].keys()
    assert told["settings"] == {"concurrency": 1}


def test_why_episodes_are_invalid_is_told_once(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    teller_gym.evaluate(Talker(fails=6), CASES, n=3)
    assert capsys.readouterr().err.count("is invalid: the agent: InfrastructureError: the endpoint hung up") == 1
    first = play(Talker(fails=6), CASES, n=3).config["parts"][0]["task_ids"][0]
    assert [record.message.partition(":")[0] for record in caplog.records] == [f"{first}, trial 0, is invalid"]


class Forgetful:
    """Answers stage 1 with one tool, different in each task; fails at the second task once per entry of `fails`."""

    def __init__(self, env: Any, fails: list[int]) -> None:
        self.env, self.fails, self.name = env.unwrapped, fails, "forgetful"

    def reset(self) -> None:
        """Do nothing, since there is no state."""

    def act(self, obs: Any, info: Any) -> str:
        if self.env.stage == 2:
            return "done"
        number = self.env.task.number
        if number == 1 and self.fails:
            self.fails.pop()
            raise RuntimeError("no answer")
        own = gold_tools("loans")[number + 2]
        return json.dumps({"nodes": [shown for shown, name in own_names(self.env.task).items() if name == own]})


def test_episodes_wait_for_the_answer_that_gives_their_tools(tmp_path: Path) -> None:
    def run(folder: str, fails: int) -> Report:
        left = [0] * fails
        return play(lambda env: Forgetful(env, left), n=3, tools="filtered", run_dir=tmp_path / folder)

    first = run("cut", 1)
    assert (first.stages[1].invalid, first.stages[2].counted, first.stages[2].planned) == (1, 2, 3)
    assert run("cut", 0).played == 2
    assert run("whole", 0).played == 6
    tools = [{e["task_id"]: e["tools"] for e in load_run(tmp_path / name)[1]} for name in ("cut", "whole")]
    assert tools[0] == tools[1]


def test_difficulty_counts_the_distractors_in_play(tmp_path: Path) -> None:
    play("expert", CASES, n=1, run_dir=tmp_path / "few")
    play("expert", CASES, n=1, tools="full", run_dir=tmp_path / "full")
    few, full = (load_run(tmp_path / name)[1][0]["difficulty"] for name in ("few", "full"))
    assert few is not None and full is not None
    assert few < full


def test_mixed_scenarios_have_outcomes_and_difficulties_of_their_own(tmp_path: Path) -> None:
    play("expert", "Teller-Bank-v0", n=2, env_kwargs={"weights": {"loans": 1, "refunds": 1}}, run_dir=tmp_path / "run")
    config, episodes, _ = load_run(tmp_path / "run")
    assert [part["scenario"] for part in config["parts"]] == ["loans", "refunds"]
    for episode in episodes:
        task = next(
            task for task in teller_gym.load_tasks(episode["scenario"], "heldout") if task.id == episode["task_id"]
        )
        first = teller_gym.load_scenario(episode["scenario"]).output_fields[0]
        assert episode["outcome"] == str(task.standard.outputs[first]) != ""
    chosen = [task for part in selected() for task in part.tasks]
    assert [task.outcome for task in chosen] == [episode["outcome"] for episode in episodes]
    assert [task.difficulty for task in chosen] == [episode["difficulty"] for episode in episodes]


def selected() -> list[Part]:
    """Return the parts of the run in the test above as they are before it is played."""
    return Selection(
        env_ids=("Teller-Bank-v0",), splits=("heldout",), n=2, task_ids=None, seed=0,
        options={"weights": {"loans": 1, "refunds": 1}}, graph_options={}, tools="own",
    ).parts()  # fmt: skip


def test_named_tasks_are_played_once_whatever_the_splits() -> None:
    report = play("expert", CASES, ["heldout", "validation"], task_ids=["loans-0006", "loans-0009"])
    assert report.played == 2
