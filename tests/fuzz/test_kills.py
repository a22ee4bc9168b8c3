"""Evaluations and trainings that are killed repeatedly: repeating the command gives the undisturbed result."""

import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import teller_gym
from tests.fuzz.effort import examples
from tests.fuzz.killing import run
from tests.servers.answers import expert_answers
from tests.servers.running import scripted_server
from tests.servers.schedule import Match, Rule, Script

TIMES = ("wall_s", "turns_s", "seconds", "phase_seconds", "step_time", "seconds/generating", "seconds/environments",
    "seconds/updates",)  # fmt: skip
PATHS = ("checkpoint", "curve")
_TASKS = [task.id for task in teller_gym.load_tasks("loans", "validation", n=6)]


@dataclass(frozen=True)
class Undisturbed:
    """A command and its results when it is not killed."""

    command: list[str]
    results: dict[str, Any]
    changes: int
    seconds: float


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Serve slowly and with some errors, so that a run can be killed midway."""
    answers = expert_answers("loans", "validation", task_ids=_TASKS)
    rules = (Rule("status", Match(rate=0.05, attempts=1), retry_after="0"),)
    with scripted_server(Script(answers=answers, rules=rules, delay_ms=5)) as running:
        yield running.base_url


EVALUATION = ["eval", "env=loans", "split=validation", "concurrency=3"]


# No call fits into four tokens, so nothing is learned, and the result is the same on any processor.
TRAINING = [
    "train", "--config-name", "demo", "logger=none", "model.shape.hidden=48", "model.shape.mlp=48",
    "model.shape.tokenizer_texts=12",
    "model.shape.layers=2", "model.turn_tokens=4", "model.total_tokens=1600", "method.sft.trajectories=4",
    "method.sft.drill_trajectories=2", "method.sft.log_steps=1", "method.sft.save_steps=1", "method.grpo.steps=2",
    "method.grpo.tasks=2", "method.grpo.group=2", "evaluation.n=1", "evaluation.references=[]",
    "evaluation.untrained=false",
]  # fmt: skip


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def timeless(value: Any) -> Any:
    """Remove times and paths, which differ between runs, from a value."""
    if isinstance(value, dict):
        return {key: timeless(one) for key, one in value.items() if key not in TIMES + PATHS}
    return [timeless(one) for one in value] if isinstance(value, list) else value


def evaluated(folder: Path) -> dict[str, Any]:
    """Return the parts of an evaluation's result that must be reproducible."""
    episodes = lines(folder / "episodes.jsonl")
    valid = [one for one in episodes if one["status"] != "invalid"]
    assert len({(one["task_id"], one["trial"]) for one in valid}) == len(valid), "an episode stands there twice"
    return {
        "episodes": sorted(map(json.dumps, valid)),
        "report": timeless(json.loads((folder / "report.json").read_bytes())),
        "run": json.loads((folder / "run.json").read_bytes()),
        "files": sorted(path.name for path in folder.iterdir()),
    }


def trained(folder: Path) -> dict[str, Any]:
    """Return the parts of a training's result that must be reproducible."""
    steps = [row for row in lines(folder / "metrics.jsonl") if "loss" in row]
    result = timeless(json.loads((folder / "result.json").read_bytes()))
    for report in result["reports"].values():
        report["config"].get("agent", {}).pop("path", None)
    return {
        "weights": {
            str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("*/checkpoint/*.safetensors")
        },
        "data": (folder / "data" / "expert.jsonl").read_bytes(),
        "steps": [timeless(row) for row in steps],
        "result": json.dumps(result, sort_keys=True).replace(str(folder), ""),
        "table": (folder / "table.txt").read_text("utf-8"),
        "rollouts": timeless(lines(folder / "grpo" / "transcripts.jsonl")),
        "folders": sorted(path.name for path in folder.iterdir()),
    }


def undisturbed(folder: Path, command: list[str], results: Callable[[Path], dict[str, Any]]) -> Undisturbed:
    """Run a command to its end and return its results."""
    begun = time.perf_counter()
    ended = run([*command, f"run_dir={folder / 'run'}"], folder / "run", folder / "log")
    assert ended.code == 0 and ended.changes, ended.told
    return Undisturbed(command, results(folder / "run"), ended.changes, time.perf_counter() - begun)


def kill_and_go_on(
    draw: random.Random, whole: Undisturbed, folder: Path, results: Callable[[Path], dict[str, Any]], most: int
) -> None:
    """Kill a run several times, let the same command finish it, and compare the result."""
    folder.mkdir()
    command, run_dir = [*whole.command, f"run_dir={folder / 'run'}"], folder / "run"
    story = []
    for _ in range(draw.randint(1, most)):
        how: dict[str, Any] = (
            {"kill_at": draw.randint(1, whole.changes)}
            if draw.random() < 0.6
            else {"kill_after": draw.choice([whole.seconds, min(1.0, whole.seconds)]) * draw.random()}
        )
        ended = run(command, run_dir, folder / "log", **how)
        story.append(f"{how} -> {ended.code}")
        assert ended.code in (0, -9), "\n".join([*story, ended.told])
    go_on(command, whole, folder, results, story)


def go_on(
    command: list[str],
    whole: Undisturbed,
    folder: Path,
    results: Callable[[Path], dict[str, Any]],
    story: list[str],
) -> None:
    """Run the command to its end, and compare the result."""
    ended = run(command, folder / "run", folder / "log")
    assert ended.code == 0, "\n".join([*story, ended.told])
    found = results(folder / "run")
    for part, expected in whole.results.items():
        assert found[part] == expected, (part, story)


@pytest.mark.slow
def test_evaluations_that_are_killed_before_each_change_of_their_folder(tmp_path: Path) -> None:
    whole, problems = undisturbed(tmp_path, [*EVALUATION, "n=2", "agent=expert"], evaluated), []
    for at in range(1, whole.changes + 1):
        command, folder = [*whole.command, f"run_dir={tmp_path / str(at) / 'run'}"], tmp_path / str(at)
        folder.mkdir()
        assert run(command, folder / "run", folder / "log", kill_at=at).code == -9
        try:
            go_on(command, whole, folder, evaluated, [f"killed before change {at}"])
        except AssertionError as problem:
            problems.append(str(problem))
    assert not problems, "\n".join(problems)


@pytest.mark.slow
def test_evaluations_that_are_killed_again_and_again(server: str, seed: int, tmp_path: Path) -> None:
    endpoint = ["n=6", "endpoint=vllm", "agent.model=scripted", f"agent.base_url={server}"]
    whole = undisturbed(tmp_path, [*EVALUATION, *endpoint], evaluated)
    for number in range(examples(4)):
        draw = random.Random(f"{seed}/evaluation/{number}")
        kill_and_go_on(draw, whole, tmp_path / str(number), evaluated, most=3)


@pytest.mark.training
def test_trainings_that_are_killed(seed: int, tmp_path: Path) -> None:
    pytest.importorskip("trl", reason="the extra `train` is not installed")
    whole = undisturbed(tmp_path, TRAINING, trained)
    for number in range(examples(2)):
        draw = random.Random(f"{seed}/training/{number}")
        kill_and_go_on(draw, whole, tmp_path / str(number), trained, most=2)
