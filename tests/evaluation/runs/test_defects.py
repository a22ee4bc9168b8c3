"""Runs with tools that crash on an agent's calls, and with impossible token counts."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import teller_gym
from teller_gym.evaluation import Report, regrade
from teller_gym.evaluation.records.run_folder import read_lines
from teller_gym.evaluation.runs.limits import Limits
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import ToolCall
from teller_gym.tools.run import run_tool

ENV_ID = "Teller-Loans-v0"
CRASH = '{"name": "get_application_data", "arguments": {"application_id": "LA-000000"}}'


class Crashing:
    """Makes a crashing call twice, then gives up."""

    name = "crashing"

    def __init__(self, usage: Any = None) -> None:
        self.counts, self.turn = usage, 0

    def reset(self) -> None:
        self.turn = 0

    def act(self, obs: Mapping[str, Any], info: Mapping[str, Any]) -> str:
        self.turn += 1
        return CRASH if self.turn < 3 else "I give up."


class Counting(Crashing):
    """Also reports token counts."""

    @property
    def usage(self) -> Sequence[Mapping[str, Any]]:
        return [self.counts]


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(bank: Bank, call: ToolCall) -> str:
        if call.tool.name == "get_application_data":
            raise ZeroDivisionError("by nothing")
        return run_tool(bank, call)

    monkeypatch.setattr("teller_gym.envs.episode.bank.run_tool", fail)


def play(agent: Any, tmp_path: Path, **options: Any) -> Report:
    return teller_gym.evaluate(agent, ENV_ID, "validation", n=8, run_dir=tmp_path / "run", progress=False, **options)


@pytest.mark.usefixtures("broken")
def test_a_crash_is_counted_against_the_agent_and_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    report = play(Crashing(), tmp_path)
    assert (report.counted, report.invalid) == (8, 0)
    assert report.errors["crash"].value == 1.0
    (crash,) = report.main.defects
    assert (
        crash.startswith("get_application_data: ZeroDivisionError: by nothing (") and report.main.defects[crash] == 16
    )
    assert "DEFECT: 16 calls failed" in report.table() and crash in report.table().splitlines()[-1]
    assert json.loads(json.dumps(report.to_dict()))["stages"]["2"]["defects"] == report.main.defects
    assert sum("crashed a tool of ours" in told for told in caplog.messages) == 1
    for line in read_lines(tmp_path / "run" / "episodes.jsonl"):
        assert [defect["step"] for defect in line["defects"]] == [0, 1]
        assert [turn["kind"] for turn in line["trace"]] == ["call", "call", "response"]
        assert line["error_counts"] == {"crash": 2} and line["reward_terms"]["penalties"] == 0.02
    again = regrade(tmp_path / "run")
    assert not again.changed and len(again.episodes) == 8 and again.invalid == 0


def test_a_run_without_a_crash_says_nothing_of_defects(tmp_path: Path) -> None:
    report = play("noop", tmp_path)
    assert report.main.defects == {} and "DEFECT" not in report.table()
    assert all("defects" not in line for line in read_lines(tmp_path / "run" / "episodes.jsonl"))


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("count", [10**12, -5, "5", True, None, float("nan"), float("inf"), [1], 10**400])
def test_token_counts_that_cannot_be_are_left_out(count: Any, tmp_path: Path) -> None:
    report = play(Counting({"prompt": count, "completion": 3}), tmp_path, limits=Limits(tokens=10))
    assert (report.counted, report.invalid) == (8, 0)
    assert report.metrics["prompt_tokens"].value is None
    for line in read_lines(tmp_path / "run" / "episodes.jsonl"):
        assert line["tokens"] is None
        assert ["odd_usage" in turn["model"] for turn in line["trace"]] == [True, False, False]


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("usage", [5, "text", [], {}, {"prompt": 1}])
def test_usage_that_is_none_breaks_nothing(usage: Any, tmp_path: Path) -> None:
    assert play(Counting(usage), tmp_path).invalid == 0


@pytest.mark.usefixtures("broken")
def test_the_most_tokens_that_can_be_are_measured(tmp_path: Path) -> None:
    report = play(Counting({"prompt": 10**8, "completion": 0}), tmp_path)
    assert report.metrics["prompt_tokens"].value == 3e8
    assert "300000000.0" in report.table()
