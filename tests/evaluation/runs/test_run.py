"""`evaluate` in a stub env: playing, recording, resuming and rejecting runs."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from teller_gym.agents.base import Info, Observation
from teller_gym.base.errors import InfrastructureError, OptionError
from teller_gym.evaluation import Episode, Report, Status, evaluate, load_report
from teller_gym.evaluation.records.run_folder import read_lines
from teller_gym.tasks.store import CANARY
from tests.evaluation.stub import ENV_ID, GOOD, MAX_STEPS, TASKS, TOOLS, Batched, Scripted, call, make_task

pytestmark = pytest.mark.usefixtures("stub_env")


def play(agent: Any, **options: Any) -> Report:
    return evaluate(agent, ENV_ID, progress=False, **options)


def lines(run_dir: Path) -> list[Episode]:
    return read_lines(run_dir / "episodes.jsonl")


def test_a_good_agent_scores_one(tmp_path: Path) -> None:
    report = play(Scripted(*GOOD), run_dir=tmp_path)
    assert (report.planned, report.counted, report.invalid, report.played) == (12, 12, 0, 12)
    assert {report.metrics[name].value for name in ("score", "accuracy", "tool_f1", "valid_calls")} == {1.0}
    assert report.metrics["steps"].value == 2
    assert {kind: metric.value for kind, metric in report.errors.items() if metric.value} == {}
    assert {name: group.episodes for name, group in report.groups["outcome"].items()} == {"approved": 8, "denied": 4}
    assert set(report.groups) == {"scenario", "split", "outcome", "branch:route"}
    assert json.loads((tmp_path / "report.json").read_text()) == report.to_dict()
    assert load_report(tmp_path) == report


def test_a_record_holds_the_whole_episode(tmp_path: Path) -> None:
    actions = ["{oops", call("nope"), call("submit"), call("spare"), call("look"), call("submit", answer=42)]
    play(Scripted(*actions), run_dir=tmp_path, task_ids=["errands-0004"])
    (one,) = lines(tmp_path)
    assert [step["action"] for step in one["trace"]] == actions
    assert [step["kind"] for step in one["trace"]] == ["malformed", "call", "call", "call", "call", "call"]
    assert [step["tool"] for step in one["trace"]] == [None, "nope", "submit", "spare", "look", "submit"]
    assert [(step["error"] or {}).get("kind") for step in one["trace"]][:4] == [
        "malformed", "unknown_tool", "validation", None
    ]  # fmt: skip
    assert [step["passed"] for step in one["trace"]] == [[], [], [], [], ["call:look"], ["finish"]]
    assert json.loads(one["trace"][4]["result"]) == {"ok": "look"}
    assert one["error_counts"] == {"malformed": 1, "unknown_tool": 1, "validation": 1, "collateral": 1}
    assert one["checkpoints"][0] == {"checkpoint": "call:look", "passed": True, "reason": "call:look: because"}
    assert (one["required_tools"], one["invoked_tools"]) == (["look", "submit"], ["submit", "spare", "look"])
    assert (one["outputs"], one["success"], one["outcome"]) == ({"answer": 42}, False, "approved")
    assert (one["attempts"], one["valid_calls"], one["steps"], one["tokens"]) == (6, 3, 6, None)
    assert one["tools"] == list(TOOLS)
    assert one["messages"][0] == {"role": "user", "content": "do errands-0004"}
    assert len(one["messages"]) == 1 + 2 * len(actions)


def test_blank_and_budget(tmp_path: Path) -> None:
    report = play(Scripted("I give up."), n=2)
    assert report.errors["blank"].value == 1.0
    assert report.metrics["valid_calls"].value is None
    report = play(Scripted(*[call("look")] * MAX_STEPS), n=2, run_dir=tmp_path)
    assert report.errors["budget"].value == 1.0
    assert {one["status"] for one in lines(tmp_path)} == {Status.TRUNCATED}


def test_the_agent_sees_no_grade() -> None:
    agent = Scripted(*GOOD)
    play(agent, n=3)
    assert {tuple(info) for info in agent.infos} == {("task_id", "scenario", "step", "error", "tools")}


def test_a_second_run_does_nothing_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = play(Scripted(*GOOD), run_dir=tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    agent = Scripted(*GOOD)
    second = evaluate(agent, ENV_ID, run_dir=tmp_path)
    assert (agent.episodes, second.played, second) == (0, 0, first)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    assert "is finished: all 12 episodes are there; nothing to do" in capsys.readouterr().err


class Interrupting(Scripted):
    """Raises KeyboardInterrupt in the middle of its fifth episode."""

    def act(self, obs: Observation, info: Info) -> str:
        if self.episodes == 5 and len(self._left) == 1:
            raise KeyboardInterrupt
        return super().act(obs, info)


def test_an_interrupted_run_continues_with_the_same_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = play(Scripted(*GOOD), run_dir=tmp_path / "whole", trials=2)
    with pytest.raises(KeyboardInterrupt):
        play(Interrupting(*GOOD), run_dir=tmp_path / "cut", trials=2)
    assert len(lines(tmp_path / "cut")) == 4
    partial = load_report(tmp_path / "cut")
    assert (partial.counted, partial.planned) == (4, 24)
    assert "20 not played yet" in partial.headline()
    agent = Scripted(*GOOD)
    report = evaluate(agent, ENV_ID, run_dir=tmp_path / "cut", trials=2)
    assert (agent.episodes, report.played) == (20, 20)
    said = capsys.readouterr().err.splitlines()
    assert said[0].endswith("cut: 4 of 24 episodes are there; playing the other 20")
    assert said[-1].startswith("24/24 episodes, mean score 1.000, ")
    cut, uncut = (tmp_path / name / "episodes.jsonl" for name in ("cut", "whole"))
    assert cut.read_bytes() == uncut.read_bytes()
    assert report.to_dict() | {"wall_s": 0} == whole.to_dict() | {"wall_s": 0}


def test_killed_at_any_moment_it_continues(tmp_path: Path) -> None:
    """Send SIGKILL to another process in the middle of a slow run."""
    script = (
        "import sys, time, gymnasium as gym, pytest\n"
        "import teller_gym, teller_gym.evaluation.runs.tasks as chosen\n"
        "from tests.evaluation import stub\n"
        "teller_gym.__version__ = '0'\n"
        "gym.register(stub.ENV_ID, entry_point=stub.StubEnv)\n"
        "chosen.load_tasks = stub.load_tasks\n"
        "class Slow(stub.Scripted):\n"
        "    def act(self, obs, info):\n"
        "        time.sleep(0.03)\n"
        "        return super().act(obs, info)\n"
        "from teller_gym.evaluation import evaluate\n"
        "evaluate(Slow(*stub.GOOD), stub.ENV_ID, run_dir=sys.argv[1])\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "cut")], cwd=Path(__file__).parents[3])
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        file = tmp_path / "cut" / "episodes.jsonl"
        if file.exists() and file.read_bytes().count(b"\n") >= 3:
            break
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    played = len(lines(tmp_path / "cut"))
    assert 3 <= played < 12
    report = play(Scripted(*GOOD), run_dir=tmp_path / "cut")
    assert report.played == 12 - played
    play(Scripted(*GOOD), run_dir=tmp_path / "whole")
    assert lines(tmp_path / "cut") == lines(tmp_path / "whole")


def test_another_configuration_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    play(Scripted(*GOOD), run_dir=tmp_path, n=4)
    for options in ({"n": 5}, {"n": 4, "seed": 1}, {"n": 4, "trials": 2}, {"n": 4, "env_kwargs": {"mood": "fine"}}):
        with pytest.raises(OptionError, match="another configuration"):
            play(Scripted(*GOOD), run_dir=tmp_path, **options)
    with pytest.raises(OptionError, match=r'agent\.name is "scripted" there and "other" now'):
        play(Scripted(*GOOD, name="other"), run_dir=tmp_path, n=4)
    assert play(Scripted(*GOOD), run_dir=tmp_path, n=4).played == 0


class Failing(Scripted):
    """Raises an exception on some tasks."""

    def __init__(self, *broken: str) -> None:
        super().__init__(*GOOD)
        self.broken = broken

    def act(self, obs: Observation, info: Info) -> str:
        if info["task_id"] in self.broken:
            raise TimeoutError("no answer")
        return super().act(obs, info)


def test_what_breaks_is_invalid_and_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = play(Failing("errands-0002", "errands-0005"), run_dir=tmp_path)
    assert (report.counted, report.invalid) == (10, 2)
    assert report.metrics["score"].value == 1.0
    assert "2 invalid and left out" in report.table()
    broken = lines(tmp_path)[2]
    assert (broken["status"], broken["failure"]) == ("invalid", "the agent: TimeoutError: no answer")
    again = evaluate(Scripted(*GOOD), ENV_ID, run_dir=tmp_path)
    assert (again.played, again.counted, again.invalid) == (2, 12, 0)
    assert "2 of them again because they were invalid" in capsys.readouterr().err


def test_an_action_that_is_no_text_is_our_failure_not_the_agents_score() -> None:
    report = play(Scripted(None), n=2)  # type: ignore[arg-type]
    assert (report.counted, report.invalid) == (0, 2)


def test_a_fault_of_a_tool_is_named(tmp_path: Path) -> None:
    play(Scripted(*GOOD), env_kwargs={"mood": "faulty"}, n=1, run_dir=tmp_path)
    (one,) = lines(tmp_path)
    assert (one["status"], one["trace"]) == ("invalid", [])
    assert one["failure"] == "the env called the episode invalid: look: ZeroDivisionError: by nothing"


def test_an_env_that_breaks_makes_its_episode_invalid() -> None:
    report = play(Scripted(*GOOD), env_kwargs={"mood": "0003"})
    assert (report.counted, report.invalid) == (11, 1)


@pytest.mark.parametrize("agent", [Scripted(*GOOD), Batched()])
def test_when_everything_breaks_the_run_stops(tmp_path: Path, agent: Any) -> None:
    with pytest.raises(InfrastructureError, match=r"5 episodes in a row .*RuntimeError: the disk is full.*kept in"):
        play(agent, run_dir=tmp_path, env_kwargs={"mood": "broken"}, concurrency=1)
    assert len(lines(tmp_path)) == 5


def test_a_batched_agent_plays_many_at_once(tmp_path: Path) -> None:
    agent = Batched()
    report = play(agent, run_dir=tmp_path, concurrency=5)
    assert max(agent.sizes) == 5
    assert sum(agent.sizes) == 24
    assert report.metrics["accuracy"].value == 0.5
    assert (report.metrics["prompt_tokens"].value, report.metrics["completion_tokens"].value) == (10 + 30, 14)
    alone = play(Batched())
    assert report.to_dict() | {"wall_s": 0} == alone.to_dict() | {"wall_s": 0}


class Fragile(Batched):
    """Fails on a batch that includes task 3."""

    def _one(self, chat: list[dict[str, Any]]) -> str:
        if chat[0]["content"].endswith("0003"):
            raise MemoryError("too long")
        return super()._one(chat)


def test_one_culprit_does_not_cost_its_batch() -> None:
    report = play(Fragile(), concurrency=6)
    assert (report.counted, report.invalid) == (11, 1)


class Meeting(Scripted):
    """Waits in every episode until two are running."""

    barrier = threading.Barrier(2, timeout=30)

    def reset(self) -> None:
        super().reset()
        self.barrier.wait()


def test_agents_from_a_factory_play_on_threads() -> None:
    report = play(lambda env: Meeting(*GOOD), concurrency=2)
    assert (report.counted, report.metrics["score"].value) == (12, 1.0)


def test_one_agent_cannot_play_two_episodes_at_once() -> None:
    with pytest.raises(OptionError, match="plays one episode at a time"):
        play(Scripted(*GOOD), concurrency=2)


class Seeded(Scripted):
    """Records its seeds."""

    def __init__(self) -> None:
        super().__init__(*GOOD)
        self.seeds: list[int] = []

    def seed(self, seed: int) -> None:
        self.seeds.append(seed)


def test_each_episode_has_a_seed_of_its_own() -> None:
    agents = [Seeded(), Seeded(), Seeded()]
    play(agents[0], trials=2)
    play(agents[1], trials=2)
    play(agents[2], trials=2, seed=1)
    assert len(set(agents[0].seeds)) == 24
    assert agents[0].seeds == agents[1].seeds
    assert not set(agents[0].seeds) & set(agents[2].seeds)


def test_pass_hat_over_trials() -> None:
    report = play(Scripted(*GOOD), trials=3, n=4)
    assert {k: metric.value for k, metric in report.pass_hat.items()} == {1: 1.0, 2: 1.0, 3: 1.0}
    assert "pass^3" in report.table()


def test_generated_tasks() -> None:
    report = play(Scripted(*GOOD), split="generated", n=3, seed=7)
    assert report.config["parts"][0]["task_ids"] == ["errands-2007000000", "errands-2007000001", "errands-2007000002"]
    with pytest.raises(OptionError, match="say how many"):
        play(Scripted(*GOOD), split="generated")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"n": 0}, "at least 1"),
        ({"n": 13}, "has 12 such tasks"),
        ({"task_ids": ["errands-9"]}, "no task 'errands-9'"),
        ({"task_ids": []}, "one id or more"),
        ({"trials": 0}, "at least 1"),
        ({"n": 1, "task_ids": ["errands-0001"]}, "expected one of them, got both"),
        ({"seed": -1}, "seed: expected a whole number of 0 or more, got -1"),
        ({"seed": 0.5}, "seed: expected a whole number of 0 or more, got 0.5"),
        ({"env_kwargs": {"split": "train"}}, "split: give it by itself, as split=…"),
        ({"env_kwargs": {"moood": 1}}, "options that it takes, got Stub-Errands-v0 and: .*'moood'"),
        ({"agent_kwargs": {"temperature": 1}}, "go with a checkpoint folder"),
    ],
)
def test_wrong_options(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        play(Scripted(*GOOD), **options)


@pytest.mark.parametrize(
    ("agent", "complaint"),
    [
        ("god", "expected good, got 'god'; nor is there a folder"),
        ("./nowhere/at/all", "there is no folder"),
        (7, "expected a name"),
        ("", "got nothing"),
    ],
)
def test_wrong_agents(agent: Any, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        play(agent)


def test_a_folder_without_a_model_is_no_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"no config\.json"):
        play(str(tmp_path))


def test_an_unknown_env_is_named() -> None:
    with pytest.raises(OptionError, match="Stub-Erands"):
        evaluate(Scripted(*GOOD), "Stub-Erands-v0")


@pytest.mark.parametrize("env_id", ["CartPole-v1", "nowhere:Errands-v0", "no id"])
def test_a_foreign_env_is_refused(env_id: str) -> None:
    with pytest.raises(OptionError, match="env: "):
        evaluate(Scripted(*GOOD), env_id)


class Nameless:
    """The minimal agent."""

    def reset(self) -> None:
        self.left = list(GOOD)

    def act(self, obs: Observation, info: Info) -> str:
        return self.left.pop(0)


class NamelessBatch:
    """The minimal batch agent."""

    def act_batch(self, conversations: list[Any], tools: list[Any]) -> list[str]:
        return [GOOD[len(chat) // 2] for chat in conversations]


@pytest.mark.parametrize("agent", [Nameless(), NamelessBatch()])
def test_an_agent_needs_no_name(tmp_path: Path, agent: Any) -> None:
    report = play(agent, run_dir=tmp_path, n=2)
    assert (report.agent, report.metrics["score"].value) == (type(agent).__name__, 1.0)
    assert {one["agent"] for one in lines(tmp_path)} == {type(agent).__name__}


def test_a_run_carries_the_canary(tmp_path: Path) -> None:
    play(Failing("errands-0001"), run_dir=tmp_path, n=3)
    config = json.loads((tmp_path / "run.json").read_bytes())
    assert [config["canary"], *(one["canary"] for one in lines(tmp_path))] == [CANARY] * 4


def test_the_headline_names_the_tasks_own_splits(monkeypatch: pytest.MonkeyPatch) -> None:
    mixed = {task.id: task for task in [make_task(1, "validation"), make_task(2, "train"), make_task(3, "train")]}
    monkeypatch.setattr("teller_gym.evaluation.runs.tasks.find_task", lambda scenario, task_id: mixed[task_id])
    assert " · validation + train · " in play(Scripted(*GOOD), task_ids=list(mixed)).headline()
    assert " · train · " in play(Scripted(*GOOD), task_ids=["errands-0003"]).headline()


def test_without_a_folder_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    play(Scripted(*GOOD))
    assert list(tmp_path.iterdir()) == []
    assert len(TASKS) == 12
