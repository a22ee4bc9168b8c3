"""Runs over real tasks with unusual agents, names and actions, through the public interface."""

import json
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import teller_gym
from teller_gym.base.errors import OptionError
from teller_gym.cli import main
from teller_gym.evaluation import Report, evaluate, load_report, regrade
from teller_gym.evaluation.records.run_folder import read_lines
from teller_gym.evaluation.runs.play import _kept
from teller_gym.tools.overlong import MAX_ACTION_CHARACTERS, stored
from teller_gym.viewer import write_view

ENV_ID = "Teller-Loans-v0"


def play(agent: Any, env_id: str = ENV_ID, split: str = "heldout", **options: Any) -> Report:
    return evaluate(agent, env_id, split, progress=False, **options)


class Says:
    """Repeats one text per episode, a different one in each; after three turns it says `last`, if given."""

    def __init__(self, *texts: str, name: str = "says", last: str | None = None) -> None:
        self.name, self.texts, self.last, self.episode = name, texts, last, -1

    def reset(self) -> None:
        self.episode += 1
        self.turn = 0

    def act(self, obs: Any, info: Any) -> str:
        self.turn += 1
        return self.last if self.last is not None and self.turn > 3 else self.texts[self.episode % len(self.texts)]


def test_a_record_holds_the_transcript(tmp_path: Path) -> None:
    task = teller_gym.load_tasks("loans", "train", n=1)[0]
    play("expert", run_dir=tmp_path, task_ids=[task.id])
    (one,) = read_lines(tmp_path / "episodes.jsonl")
    calls = [(turn["tool"], json.loads(turn["action"])["arguments"]) for turn in one["trace"]]
    assert calls == [(call.name, call.arguments) for call in task.standard.calls]
    assert (one["outputs"], one["outcome"]) == (task.standard.outputs, task.standard.outputs["decision"])
    assert sum(turn["reward"] for turn in one["trace"]) == pytest.approx(one["score"])
    passed = {name for turn in one["trace"] for name in turn["passed"]}
    assert {row["checkpoint"] for row in one["checkpoints"]} == passed
    assert "SOP" in one["messages"][0]["content"]


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


def test_a_reference_agent_of_another_env_is_made_anew() -> None:
    agent = teller_gym.make_agent("expert", gym.make(ENV_ID))
    report = play(agent, n=2, concurrency=2)
    assert (report.agent, report.metrics["accuracy"].value) == ("expert", 1.0)
    assert report.config["agent"] == {"name": "expert", "kind": "reference"}


ACTIONS = [
    "\ud800 lone surrogate in a call {",
    '{"name": "\ud800", "arguments": {}}',
    '{"name": "get_application_data", "arguments": {"application_id": 1e999}}',
    '{"name": "get_application_data", "arguments": {"application_id": NaN}}',
    '{"name": "get_application_data", "arguments": {"application_id": ' + "9" * 5000 + "}}",
    '{"name": "get_application_data", "arguments": "{}"}',
    '{"name": "get_application_data", "arguments": {"a": 1, "a": 2}}',
    '{"name": 5, "arguments": {}}',
    "{}",
    "[" * 100_000,
    '{"name": "x", "arguments": ' + '{"a":' * 100_000,
    "```json\n```",
    "<tool_call>",
    "\x00\r\n\u2028",
    "",
]


def test_any_action_is_survived_and_written_down(tmp_path: Path) -> None:
    report = play(Says(*ACTIONS), n=len(ACTIONS), env_kwargs={"max_steps": 2}, run_dir=tmp_path)
    assert (report.counted, report.invalid, report.metrics["score"].value) == (len(ACTIONS), 0, 0)
    assert [line["trace"][0]["action"] for line in read_lines(tmp_path / "episodes.jsonl")] == ACTIONS
    assert load_report(tmp_path) == report
    # Strict JSON readers accept the file too: it contains neither NaN nor infinity.
    for text in (tmp_path / "episodes.jsonl").read_bytes().splitlines():
        json.loads(text, parse_constant=pytest.fail)


HUGE = '<tool_call>{"name": "get_application_data", "arguments": {"application_id": "LA-100000"}}</tool_call>'
HUGE += "x" * 10_000_000


@pytest.mark.parametrize("env", [ENV_ID, "Teller-LoansGraph-v0"])
def test_a_record_of_huge_answers_is_small_and_graded_again_alike(env: str, tmp_path: Path) -> None:
    run = tmp_path / "run"
    report = play(Says(HUGE, last="Done."), env, "validation", n=2, run_dir=run)
    assert (report.counted, report.invalid) == (2, 0)
    assert (run / "episodes.jsonl").stat().st_size < 500_000
    for line in read_lines(run / "episodes.jsonl"):
        huge = line["trace"][: -1 if env == ENV_ID else None]
        assert {turn["kind"] for turn in huge} == {"malformed"}
        assert all(turn["action"].partition("\n")[2] == HUGE[:2000] for turn in huge)
        assert all(str(len(HUGE)) in turn["error"]["message"] for turn in huge)
    found = regrade(run, out=tmp_path / "again")
    assert not found.changed, found.table()
    assert (tmp_path / "again" / "episodes.jsonl").read_bytes() == (run / "episodes.jsonl").read_bytes()
    pages = write_view([run], tmp_path / "view")
    assert sum(file.stat().st_size for file in pages.rglob("*") if file.is_file()) < 2_000_000


def test_what_a_model_said_besides_is_cut_too() -> None:
    note: dict[str, Any] = {"thinking": "x" * (MAX_ACTION_CHARACTERS + 1), "said": "short", "finish_reason": None}
    assert _kept(note) == note | {"thinking": stored(note["thinking"])}


@pytest.mark.parametrize("name", ["qw\ud800en", "\udcff", "x" * 201])
def test_a_name_that_cannot_be_written_is_told(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    with pytest.raises(OptionError, match="the agent's name: expected") as told:
        play(Says("Done.", name=name), n=1, run_dir=run)
    assert len(str(told.value).encode()) < 1_500
    assert main(["play", "loans", "--record", str(run), "--name", name]) != 0
    assert "the agent's name" in capsys.readouterr().err
    assert not run.exists()


def test_any_other_name_is_written(tmp_path: Path) -> None:
    name = "Ünï 模型 😀" + "x" * 100
    assert play(Says("Done.", name=name), n=1, run_dir=tmp_path).agent == name
