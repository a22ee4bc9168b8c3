"""Complete runs of a model behind an endpoint, which is a scripted server in another process."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from msgspec.structs import replace as replace_fields

import teller_gym
from teller_gym.base.errors import InfrastructureError
from teller_gym.evaluation import Report
from teller_gym.evaluation.records.run_folder import read_lines
from tests.servers.answers import expert_answers, graph_answers
from tests.servers.running import Running, scripted_server
from tests.servers.schedule import Behaviour, Match, Rule, Script

ENV_ID, GRAPH_ENV_ID = "Teller-Loans-v0", "Teller-LoansGraph-v0"
TASKS = [task.id for task in teller_gym.load_tasks("loans", "validation", n=6)]
CASES = {task.id: task.case_id for task in teller_gym.load_tasks("loans", "validation")}
SHORT = [
    task.id
    for task in sorted(teller_gym.load_tasks("loans", "validation"), key=lambda task: len(task.standard.calls))[:3]
]
"""The three tasks with the fewest calls."""
ANSWERS = expert_answers("loans", "validation")


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the pauses between retries."""
    monkeypatch.setattr("teller_gym.agents.endpoint.client.FIRST_WAIT_S", 0.05)


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    """Serve correct answers for cases and graphs."""
    with scripted_server(Script(answers=ANSWERS | graph_answers("loans", "validation", range(16)))) as running:
        yield running


def play(
    server: Running, *, env: str | Sequence[str] = ENV_ID, agent: dict[str, Any] | None = None, **options: Any
) -> Report:
    options = {"task_ids": TASKS, "concurrency": 6, "progress": False, **options}
    kwargs = {"base_url": server.base_url, "model": "scripted", **(agent or {})}
    return teller_gym.evaluate("endpoint", env, "validation", agent_kwargs=kwargs, **options)


def figures(report: Report) -> Report:
    """Return the report without its wall time, which is not reproducible."""
    return replace(report, wall_s=None)


def episodes(run_dir: Path) -> list[dict[str, Any]]:
    return sorted(read_lines(run_dir / "episodes.jsonl"), key=lambda one: (one["task_id"], one["trial"]))


def value(report: Report, name: str) -> float:
    found = report.metrics[name].value
    assert found is not None
    return found


@pytest.mark.parametrize("protocol", ["native", "react"])
def test_a_model_that_answers_well_is_right_on_every_task(server: Running, protocol: str, tmp_path: Path) -> None:
    report = play(server, agent={"protocol": protocol}, task_ids=None, run_dir=tmp_path)
    assert (report.planned, report.counted, report.invalid) == (16, 16, 0)
    assert [one["score"] for one in episodes(tmp_path)] == [1.0] * 16
    assert value(report, "accuracy") == 1.0
    assert value(report, "valid_calls") == 1.0
    assert value(report, "prompt_tokens") > 16 * 1000


def test_calls_that_stand_in_the_text_are_read_too() -> None:
    with scripted_server(Script(answers=ANSWERS, form="tool_call")) as server:
        assert value(play(server), "score") == 1.0


def test_several_calls_at_once_are_played_one_after_the_other(tmp_path: Path) -> None:
    with scripted_server(Script(answers=ANSWERS, rules=(Rule("several", count=3),))) as server:
        report = play(server, run_dir=tmp_path)
        assert server.stats()["requests"] < sum(len(ANSWERS[CASES[task]]) for task in TASKS) / 2
    assert value(report, "score") == 1.0
    for one in episodes(tmp_path):
        assert len(one["trace"]) == len(ANSWERS[CASES[one["task_id"]]])
        assert [bool(turn["model"]) for turn in one["trace"]][:4] == [True, False, False, True]


def test_the_gold_graph_is_right_in_stage_1(server: Running, tmp_path: Path) -> None:
    report = play(server, env=GRAPH_ENV_ID, task_ids=None, run_dir=tmp_path)
    assert (report.planned, report.counted) == (16, 16)
    assert [one["score"] for one in episodes(tmp_path)] == [1.0] * 16
    assert {value(report, name) for name in ("node_f1", "edge_f1")} == {1.0}


def test_both_stages_in_one_run(server: Running) -> None:
    report = play(server, env=[GRAPH_ENV_ID, ENV_ID], task_ids=None, n=4)
    assert {stage: part.counted for stage, part in report.stages.items()} == {1: 4, 2: 4}
    assert all(part.metrics["score"].value == 1.0 for part in report.stages.values())


# -- failures of an endpoint ------------------------------------------------------------------------------------------

RECOVERABLE = (
    Rule("hang"),
    Rule("too_many"),
    Rule("too_many", retry_after="0.1"),
    Rule("status", code=500),
    Rule("status", code=503, retry_after="0"),
    Rule("hang_up_before"),
    Rule("hang_up_after"),
    Rule("truncated"),
    Rule("bad_json"),
    Rule("no_choices"),
)


@pytest.fixture(scope="module")
def undisturbed(server: Running, tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, list[dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("undisturbed")
    return figures(play(server, run_dir=folder)), episodes(folder)


def test_faults_that_pass_leave_no_trace(undisturbed: tuple[Report, list[dict[str, Any]]], tmp_path: Path) -> None:
    # Only the first attempts of each request may fail, so that the agent's retries always suffice.
    rules = tuple(replace_fields(rule, match=Match(rate=0.04, attempts=3)) for rule in RECOVERABLE)
    with scripted_server(Script(answers=ANSWERS, rules=rules)) as server:
        report = play(server, run_dir=tmp_path, agent={"timeout_s": 1})
        assert {rule.do for rule in rules} <= server.stats()["behaviours"].keys()
    assert figures(report) == undisturbed[0]
    assert episodes(tmp_path) == undisturbed[1]


@pytest.mark.parametrize("do", [Rule("status", code=400), Rule("hang_up_before")], ids=["refuses", "hangs up"])
def test_faults_that_stay_make_episodes_invalid_and_only_those_are_played_again(
    do: Rule, server: Running, undisturbed: tuple[Report, list[dict[str, Any]]], tmp_path: Path
) -> None:
    bad = TASKS[1::3]
    rule = replace_fields(do, match=Match(case="|".join(CASES[task] for task in bad), turns=(3,)))
    with scripted_server(Script(answers=ANSWERS, rules=(rule,))) as broken:
        report = play(broken, run_dir=tmp_path, agent={"retries": 1})
    assert (report.planned, report.counted, report.invalid) == (6, 4, 2)
    assert value(report, "score") == 1.0  # over valid episodes
    assert "2 invalid" in report.table()
    found = {one["task_id"]: one for one in episodes(tmp_path)}
    assert [task for task, one in found.items() if one["status"] == "invalid"] == sorted(bad)
    assert all(found[task]["failure"] for task in bad)

    again = play(server, run_dir=tmp_path, agent={"retries": 1})
    assert again.played == len(bad)
    assert figures(again).stages == undisturbed[0].stages
    valid = [one for one in episodes(tmp_path) if one["status"] != "invalid"]
    assert valid == undisturbed[1]
    assert play(server, run_dir=tmp_path, agent={"retries": 1}).played == 0


def test_a_server_that_dies_costs_only_what_it_did_not_answer(
    undisturbed: tuple[Report, list[dict[str, Any]]], tmp_path: Path
) -> None:
    slow = Script(answers=ANSWERS, delay_ms=15)
    with scripted_server(slow) as first, ThreadPoolExecutor(1) as pool:
        run = pool.submit(play, first, run_dir=tmp_path, concurrency=2, agent={"retries": 1})
        while len(episodes(tmp_path)) < 2 and not run.done():
            time.sleep(0.02)
        first.kill()
        failure = run.exception(60)  # the run may stop after several failures in a row
        assert failure is None or isinstance(failure, InfrastructureError)
        kept = [one for one in read_lines(tmp_path / "episodes.jsonl") if one["status"] != "invalid"]
        assert 2 <= len(kept) < 6
        with scripted_server(slow, port=first.port) as second:
            report = play(second, run_dir=tmp_path, concurrency=2, agent={"retries": 1})
    assert (report.counted, report.played) == (6, 6 - len(kept))
    valid = [one for one in episodes(tmp_path) if one["status"] != "invalid"]
    assert valid == undisturbed[1]


def test_a_server_that_nobody_can_use_stops_the_run(server: Running, tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="scripted"):  # the name of the available model
        play(server, run_dir=tmp_path, agent={"model": "another"})


# -- mistakes of a model ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("do", ["bad_arguments", "cut"])
@pytest.mark.parametrize("protocol", ["native", "react"])
def test_calls_that_cannot_be_read_count_against_the_model(do: Behaviour, protocol: str) -> None:
    rules = (Rule(do, Match(turns=(2, 5))),)
    with scripted_server(Script(answers=ANSWERS, rules=rules)) as server:
        report = play(server, agent={"protocol": protocol})
    assert (report.counted, report.invalid) == (6, 0)
    assert report.errors["malformed"].value == 1.0
    assert 0.9 < value(report, "score") < 1.0  # the model saw the error and corrected the call


def test_an_empty_answer_ends_the_episode_and_is_scored() -> None:
    rules = (Rule("null_content", Match(turns=(0,))),)
    with scripted_server(Script(answers=ANSWERS, rules=rules)) as server:
        report = play(server)
    assert (report.counted, report.invalid) == (6, 0)
    assert (value(report, "score"), report.errors["blank"].value) == (0.0, 1.0)


Wording = Literal["openai", "vllm", "none"]
"""Wording of the server's error about the context; `none` is status 400 without a body."""


@pytest.mark.parametrize("wording", ["openai", "none"])
def test_a_full_context_ends_the_episode_and_is_scored(tmp_path: Path, wording: Wording) -> None:
    # The first request has about 16,000 tokens by the server's count, and each turn adds some hundred.
    with scripted_server(Script(answers=ANSWERS, context=16_500, wording=wording)) as server:
        report = play(server, run_dir=tmp_path)
    assert (report.counted, report.invalid) == (6, 0)
    assert 0.0 < value(report, "score") < 1.0
    assert all(one["status"] == "finished" for one in episodes(tmp_path))


@pytest.mark.parametrize("wording", ["vllm", "none"])
def test_old_results_can_be_dropped_instead(wording: Wording) -> None:
    # For the other tasks dropping results is not enough, since their calls are too long.
    with scripted_server(Script(answers=ANSWERS, context=17_300, wording=wording)) as server:
        report = play(server, agent={"context_end": "drop"}, task_ids=SHORT)
        assert server.stats()["behaviours"]["context_error"] > 0
    assert (report.counted, value(report, "score")) == (3, 1.0)


def test_the_key_is_written_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-never-to-be-seen-0123456789"
    monkeypatch.setenv("SCRIPTED_KEY", key)
    rules = (Rule("echo_key", Match(case=CASES[TASKS[0]]), code=500),)
    with scripted_server(Script(answers=ANSWERS, rules=rules, key=key)) as server:
        report = play(server, run_dir=tmp_path, agent={"key_variable": "SCRIPTED_KEY", "retries": 1})
    assert (report.counted, report.invalid) == (5, 1)
    written = {file.name: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert {"run.json", "episodes.jsonl", "report.json", "provenance.jsonl"} <= written.keys()
    assert [name for name, content in written.items() if key.encode() in content] == []
