"""Regrading reports no change of an unchanged run, and every change with its reason."""

import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import teller_gym.envs.episode.bank
import teller_gym.envs.teller
from teller_gym.agents.reference import REFERENCE_AGENTS
from teller_gym.base.errors import OptionError
from teller_gym.evaluation import evaluate, load_report
from teller_gym.evaluation.records.run_folder import encode, load_run, read_lines
from teller_gym.evaluation.runs.regrade import regrade
from teller_gym.evaluation.runs.regrade_result import Regrading
from teller_gym.evaluation.runs.replay_changes import same
from teller_gym.grading.grader import Grader
from teller_gym.grading.score import RewardConfig
from teller_gym.registration import BANK, OWN
from teller_gym.tasks.store import find_task
from teller_gym.tools.call import ToolCall
from teller_gym.tools.run import run_tool

LOANS, GRAPH = "Teller-Loans-v0", "Teller-LoansGraph-v0"
VARIED = {"schema_shift": 2, "policy_shift": 3, "perturb": True, "faults": True, "distractors": 7, "max_steps": 30}


def played(folder: Path, agent: Any = "expert", env: Any = LOANS, n: int = 3, **options: Any) -> Path:
    evaluate(agent, env, "validation", n=n, run_dir=folder, progress=False, **options)
    return folder


def by_id(found: Regrading) -> Mapping[str, Any]:
    return {episode.task_id: episode for episode in found.episodes}


# -- unchanged --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", REFERENCE_AGENTS)
def test_right_after_a_run_nothing_changes(tmp_path: Path, agent: str) -> None:
    found = regrade(played(tmp_path, agent, n=1, env_kwargs=VARIED))
    assert len(found.episodes) == 1
    assert not found.changed, found.table()


@pytest.mark.parametrize("tools", ["own", "full", "gold", "filtered"])
def test_both_stages_whatever_tools_are_in_play(tmp_path: Path, tools: str) -> None:
    options = {"env_kwargs": {"schema_shift": 4}, "graph_kwargs": {"distractors": 9}}
    run = played(tmp_path, env=[LOANS, GRAPH], tools=tools, n=1, **options)
    found = regrade(run)
    assert {episode.stage for episode in found.episodes} == {1, 2}
    assert not found.changed, found.table()
    assert found.metrics[1]["exact"].now == found.metrics[2]["accuracy"].now == 1.0


@pytest.mark.parametrize(
    ("agent", "env", "split"),
    [
        ("expert", "Teller-Bank-v0", "heldout"),
        ("expert", LOANS, "generated"),
        ("expert", LOANS, "heldout_policy"),
        ("gold_with_distractors", GRAPH, "train"),
        ("gold_reversed", GRAPH, "validation"),
    ],
)
def test_whatever_env_and_split(tmp_path: Path, agent: str, env: str, split: str) -> None:
    evaluate(agent, env, split, n=1, run_dir=tmp_path, progress=False)
    found = regrade(tmp_path)
    assert len(found.episodes) == (len(OWN) if env == BANK.id else 1)
    assert not found.changed, found.table()


class Writes:
    """Gives the same texts in turn, then ends the episode."""

    name = "writes"

    def __init__(self, texts: list[str]) -> None:
        self._texts = texts

    def reset(self) -> None:
        self._left = list(self._texts)

    def act(self, obs: Any, info: Any) -> str:
        return self._left.pop(0) if self._left else "that is all"


texts = st.lists(
    st.text(max_size=30)
    | st.text(alphabet=st.characters(categories=["Cs"]), max_size=2)
    | st.just('{"name":"get_application_data","arguments":{"application_id":"LA-000000"}}')
    | st.sampled_from(['{"name":"days_between","arguments":{}}', '{"nodes":["a"],"edges":[["a","b"]]}', "{", "[1]"]),
    max_size=5,
)


@settings(max_examples=8, deadline=None)
@given(texts=texts)
def test_whatever_was_written_is_graded_the_same_again(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run = played(Path(folder) / "run", Writes(texts), [LOANS, GRAPH], n=1)
        found = regrade(run)
        assert not found.changed, found.table()


# -- changed ----------------------------------------------------------------------------------------------------------


def test_another_weight_is_told(tmp_path: Path) -> None:
    run = played(tmp_path, "skip_to_decision")
    found = regrade(run, env_kwargs={"reward": RewardConfig(checkpoints=0.5, parameters=0.1)})
    changed = [episode for episode in found.episodes if episode.changed]
    assert changed
    for episode in changed:
        assert episode.score.then != episode.score.now
        assert episode.paid is not None
        assert not (episode.terms or episode.checkpoints or episode.task or episode.step or episode.other)
    assert "its weights or penalties are others" in found.table()
    assert found.metrics[2]["score"].then != found.metrics[2]["score"].now


def test_another_grader_is_told_with_both_reasons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = played(tmp_path)
    called = Grader.called

    def strict(self: Grader, call: ToolCall) -> str:
        return "" if call.tool.name == "get_application_data" else called(self, call)

    monkeypatch.setattr(Grader, "called", strict)
    found = regrade(run)
    for episode in found.episodes:
        (first, *_) = episode.checkpoints
        assert first.checkpoint == "call:get_application_data"
        assert (first.passed.then, first.passed.now) == (True, False)
        assert first.reason.then == "called with right arguments after its dependencies"
        assert first.reason.now == "never called"
        assert episode.paid == 1
        assert episode.step is None
        assert "invoked_tools" in episode.other
    text = found.table()
    assert "call:get_application_data: passed then, missed now" in text
    assert "now:  never called" in text


def test_another_task_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = played(tmp_path)
    target = read_lines(run / "episodes.jsonl")[0]["task_id"]

    def other(scenario: str, task_id: str) -> Any:
        task = find_task(scenario, task_id)
        if task_id != target:
            return task
        outputs = {**task.standard.outputs, "decision": "somehow"}
        standard = msgspec.structs.replace(task.standard, outputs=outputs)
        return msgspec.structs.replace(task, request=task.request + " Hurry.", standard=standard)

    monkeypatch.setattr(teller_gym.envs.teller, "find_task", other)
    monkeypatch.setattr(teller_gym.envs.episode.bank, "_RUBRICS", {})
    found = regrade(run)
    episode = by_id(found)[target]
    assert [one.task_id for one in found.episodes if one.changed] == [target]
    assert episode.task == ("request", "outcome")
    assert (episode.success.then, episode.success.now) == (True, False)
    (checkpoint,) = [one for one in episode.checkpoints if one.checkpoint == "field:decision"]
    assert "expected 'somehow'" in checkpoint.reason.now
    assert "; no success now" in found.table()


def test_a_task_that_is_gone_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = played(tmp_path / "run")
    target = read_lines(run / "episodes.jsonl")[1]["task_id"]

    def fewer(scenario: str, task_id: str) -> Any:
        if task_id == target:
            raise OptionError(f"task_id: {scenario} has no task {task_id!r}")
        return find_task(scenario, task_id)

    monkeypatch.setattr(teller_gym.envs.teller, "find_task", fewer)
    found = regrade(run, out=tmp_path / "new")
    episode = by_id(found)[target]
    assert "has no task" in (episode.failure or "")
    assert episode.score.now is None
    assert [one.task_id for one in found.episodes if one.changed] == [target]
    assert "not played again" in found.table()
    statuses = {one["task_id"]: one["status"] for one in load_run(tmp_path / "new")[1]}
    assert statuses.pop(target) == "invalid"
    assert set(statuses.values()) == {"finished"}


def test_the_first_result_that_differs_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = played(tmp_path)

    def other(bank: Any, call: Any) -> str:
        result = run_tool(bank, call)
        return result.replace("recorded", "filed") if call.tool.name == "submit_final_review" else result

    monkeypatch.setattr(teller_gym.envs.episode.bank, "run_tool", other)
    found = regrade(run)
    for episode, line in zip(found.episodes, load_run(run)[1], strict=True):
        assert episode.step is not None
        assert episode.step.step == line["steps"]
        assert episode.step.action == line["trace"][-1]["action"]
        assert (episode.step.result.then, episode.step.result.now) == ('{"status":"recorded"}', '{"status":"filed"}')
        assert same(episode.score.then, episode.score.now)
    assert 'now  {"status":"filed"}' in found.table()


def test_episodes_that_end_earlier_or_later_are_told(tmp_path: Path) -> None:
    whole, short = played(tmp_path / "whole"), played(tmp_path / "short", env_kwargs={"max_steps": 3})
    earlier = regrade(whole, env_kwargs={"max_steps": 3})
    for episode, line in zip(earlier.episodes, load_run(whole)[1], strict=True):
        left = line["steps"] - 3
        assert episode.ending == f"ends at step 3 now, where it went on; stored actions left over: {left}"
        assert {"status", "steps"} <= set(episode.other)
    later = regrade(short, env_kwargs={"max_steps": None}, out=tmp_path / "new")
    assert all("goes on now after its last stored action, step 3" in (one.ending or "") for one in later.episodes)
    assert later.metrics == {}
    assert {one["status"] for one in load_run(tmp_path / "new")[1]} == {"invalid"}


def test_other_tools_or_another_procedure_are_told(tmp_path: Path) -> None:
    run = played(tmp_path)
    assert regrade(run, env_kwargs={"sop": "explicit"}).episodes[0].task == ("procedure",)
    assert regrade(run, env_kwargs={"distractors": 1}).episodes[0].task == ("difficulty", "tools")


# -- the new run ------------------------------------------------------------------------------------------------------


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def test_the_new_run_is_a_run_like_any_other(tmp_path: Path) -> None:
    run, new = played(tmp_path / "run", env=[LOANS, GRAPH], trials=2), tmp_path / "new"
    before = contents(run)
    assert not regrade(run, out=new).changed
    assert contents(run) == before
    config, episodes, times = load_run(new)
    assert (episodes, times) == load_run(run)[1:]
    assert config["regraded_from"]["teller_gym"] == teller_gym.__version__
    assert len(config["regraded_from"]["episodes_sha256"]) == 64
    assert load_report(new).table() == load_report(run).table()
    assert (new / "report.json").exists()
    assert not regrade(new).changed
    with pytest.raises(OptionError, match="holds a run already"):
        regrade(run, out=new)


class Counts:
    """An agent that reports token counts."""

    name = "counts"
    usage = ({"prompt": 11, "completion": 2},)

    def reset(self) -> None:
        pass

    def act(self, obs: Any, info: Any) -> str:
        return '{"name":"get_application_data","arguments":{}}' if info["step"] < 2 else "done"


def test_tokens_and_what_models_said_are_kept(tmp_path: Path) -> None:
    run = played(tmp_path / "run", Counts(), n=1)
    lines = read_lines(run / "episodes.jsonl")
    assert lines[0]["tokens"] == {"prompt": 33, "completion": 6}
    lines[0]["trace"][0]["model"] = {"prompt": 11, "completion": 2, "thinking": "hm"}
    (run / "episodes.jsonl").write_bytes(encode(lines[0]))
    assert not regrade(run, out=tmp_path / "new").changed
    assert read_lines(tmp_path / "new" / "episodes.jsonl") == lines


def test_invalid_and_absent_episodes_are_counted(tmp_path: Path) -> None:
    def breaks_once(env: Any) -> Any:
        class Breaks(Writes):
            def act(self, obs: Any, info: Any) -> str:
                if info["task_id"] == first:
                    raise RuntimeError("the disk is full")
                return "done"

        return Breaks([])

    first = teller_gym.load_tasks("loans", "validation")[0].id
    run = played(tmp_path / "run", breaks_once, n=16)
    lines = read_lines(run / "episodes.jsonl")
    (run / "episodes.jsonl").write_bytes(b"".join(encode(line) for line in lines[:-2]))
    found = regrade(run, out=tmp_path / "new")
    assert (len(found.episodes), found.invalid, found.absent, found.changed) == (13, 1, 2, False)
    assert "1 invalid, left as they are; 2 of the plan not there" in found.table()
    assert read_lines(tmp_path / "new" / "episodes.jsonl")[0]["failure"] == lines[0]["failure"]


def test_other_data_files_are_mentioned_and_change_nothing(tmp_path: Path) -> None:
    run = played(tmp_path)
    config = json.loads((run / "run.json").read_bytes())
    config["parts"][0]["frozen_sha256"] = "0" * 64
    (run / "run.json").write_bytes(encode(config))
    found = regrade(run)
    assert found.data == ("loans",)
    assert not found.changed
    assert "the data files of loans are others" in found.table()


# -- unreadable runs --------------------------------------------------------------------------------------------------


def spoil_format(run: Path) -> None:
    line = read_lines(run / "episodes.jsonl")[0]
    (run / "episodes.jsonl").write_bytes(encode({**line, "format": 1}))


def spoil_config(run: Path) -> None:
    config = json.loads((run / "run.json").read_bytes())
    (run / "run.json").write_bytes(encode({**config, "format": 1}))


def spoil_option(run: Path) -> None:
    config = json.loads((run / "run.json").read_bytes())
    config["parts"][0]["options"]["reward"] = "RewardConfig(…)"
    (run / "run.json").write_bytes(encode(config))


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda run: (run / "run.json").unlink(), "is no run folder"),
        (spoil_config, "is not of format 4"),
        (spoil_format, "format 1; expected 4"),
        (spoil_option, "cannot be made as the run had it: reward: expected one of shaped, sparse"),
    ],
)
def test_what_cannot_be_read_is_said_clearly(tmp_path: Path, spoil: Callable[[Path], object], told: str) -> None:
    run = played(tmp_path, n=1)
    spoil(run)
    with pytest.raises(OptionError, match=told):
        regrade(run)


@given(value=st.floats(allow_nan=False, allow_infinity=False, min_value=-1e3, max_value=1e3))
def test_noise_in_the_last_digits_is_no_change(value: float) -> None:
    assert same({"a": [value]}, {"a": [value + 1e-12]})
    assert not same({"a": [value]}, {"a": [value + 1e-6]})
    assert not same([True], [1])
