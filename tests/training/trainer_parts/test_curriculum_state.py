"""A curriculum in GRPO: its file, its tasks, and that a run that was cut off goes on as if it had not been."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from teller_gym.base.errors import OptionError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import EVALUATION_SPLITS
from teller_gym.tasks.difficulty import bands, difficulty_of
from teller_gym.tasks.store import find_task, load_tasks
from teller_gym.training.config.run import Config
from teller_gym.training.models.tiny import build_model
from teller_gym.training.rollouts.rollout import Rollout
from teller_gym.training.run_folder.metrics_log import MetricsLog
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import LeakError, LeakGuard
from teller_gym.training.trainer_parts.curriculum_state import Course, drawer
from tests.training.conftest import SHAPE
from tests.training.phases.test_trainers import CutError, LikesDigits, cut_log, weights
from tests.training.phases.test_trainers import settings as small
from tests.training.small import run
from tests.training.stub_env import make_task
from tests.training.trainer_parts.test_curriculum import chance, curriculum


def test_a_course_goes_on_from_its_file(tmp_path: Path) -> None:
    def go(course: Course, steps: range) -> list[list[str]]:
        played = []
        for step in steps:
            ids = course.choose([slot for slot in range(3 * step, 3 * step + 3) for _ in range(2)])
            assert ids[::2] == ids[1::2] and len(set(ids)) == 3
            course.learn(step, [Rollout(one, [], reward=chance(one)[n % 2]) for n, one in enumerate(ids)])
            played.append(ids)
        return played

    def course(name: str) -> Course:
        return Course(curriculum(window=2, raise_at=0.2, replay=0.3), tmp_path / name)

    first, again = course("whole"), course("cut")
    first.rewind(0)
    whole = go(first, range(9))
    assert go(again, range(6)) == whole[:6]
    again = course("cut")
    again.rewind(4)
    assert go(again, range(4, 9)) == whole[4:]
    assert again.path.read_bytes() == first.path.read_bytes()
    again.rewind(0)
    assert again.path.read_bytes() == b""
    assert go(again, range(9)) == whole
    with pytest.raises(OptionError, match=r"no line of step 11.*begin GRPO again"):
        again.rewind(12)
    for state in ('{"level": "high"}', '{"recent": []}', "null"):
        again.path.write_text(f'{{"step": 2, "state": {state}}}\n')
        with pytest.raises(OptionError, match=r"no line of step 2.*begin GRPO again"):
            again.rewind(3)


def test_tasks_lie_in_their_band_and_are_never_the_same() -> None:
    make = drawer(Mixture({"loans": 1.0}), 3, 1_000_000_000)
    scenario, ranges = load_scenario("loans"), bands("loans", 3)
    ids = [make(band, 3 * number + band) for band in range(3) for number in range(3)]
    for number, task_id in enumerate(ids):
        low, high = ranges[number // 3]
        assert low <= difficulty_of(find_task("loans", task_id), scenario).level <= high
    assert len(set(ids)) == 9
    evaluation = {task.fingerprint for split in EVALUATION_SPLITS for task in load_tasks("loans", split)}
    assert evaluation.isdisjoint(find_task("loans", task_id).fingerprint for task_id in ids)


def stub_drawer(mixture: Mixture, count: int, first_seed: int) -> Callable[[int, int], str]:
    (scenario,) = mixture.weights
    return lambda band, number: f"{scenario}-g-{1000 * band + number}"


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy desk with tasks in bands, paid by the share of digits in what is said, without evaluation splits."""
    monkeypatch.setattr("teller_gym.training.trainer_parts.curriculum_state.drawer", stub_drawer)
    monkeypatch.setattr("teller_gym.training.phases.grpo.make_env", lambda *_: LikesDigits())
    monkeypatch.setattr(LeakGuard, "forbidden", lambda self, scenario: frozenset())


def train(folder: Path, tokenizer: Any, config: Config, stop: int | None = None) -> Any:
    from teller_gym.training.phases.grpo import train_grpo

    torch.manual_seed(0)
    model = build_model(SHAPE, tokenizer, seed=0)
    log = cut_log(folder / "metrics.jsonl", stop)
    return train_grpo(model, tokenizer, config, folder / "grpo", log, folder / "transcripts.jsonl")


@pytest.mark.training
@pytest.mark.usefixtures("desk")
def test_grpo_with_a_curriculum_goes_on_after_a_cut_as_if_there_had_been_none(tokenizer: Any, tmp_path: Path) -> None:
    """Cut off after the third update, with a checkpoint at the second: the third is made again with the same tasks."""
    config = small(
        "method.grpo.steps=4", "method.grpo.save_steps=2", "method.grpo.learning_rate=1e-2",
        "method.grpo.curriculum={bands: 3, window: 1, raise_at: 0.02, lower_at: 0, replay: 0.4}",
    )  # fmt: skip
    whole = weights(train(tmp_path / "whole", tokenizer, config))
    with pytest.raises(CutError):
        train(tmp_path / "cut", tokenizer, config, stop=2)
    again = weights(train(tmp_path / "cut", tokenizer, config))
    assert all(torch.allclose(whole[name], again[name], atol=1e-6) for name in whole)
    for name in ("curriculum.jsonl", "transcripts.jsonl"):
        assert (tmp_path / "whole" / name).read_text() == (tmp_path / "cut" / name).read_text()
    lines = [json.loads(line) for line in (tmp_path / "whole" / "curriculum.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [0, 1, 2, 3]
    assert all(len(line["scores"]) == 2 for line in lines), "two groups a step, each of one task"
    rows = [list(MetricsLog(tmp_path / name / "metrics.jsonl").rows("grpo")) for name in ("whole", "cut")]
    figures = [[{k: v for k, v in row.items() if k.startswith("curriculum/")} for row in run] for run in rows]
    assert figures[0] == figures[1]
    levels = [row["curriculum/level"] for row in rows[0]]
    assert levels == sorted(levels) and levels[-1] > 0, "it rose"
    assert all(row["curriculum/no_spread"] == pytest.approx(row["frac_reward_zero_std"]) for row in rows[0])
    assert all(sum(row[f"curriculum/band_{band}"] for band in range(3)) == 2 for row in rows[0])


@pytest.mark.training
@pytest.mark.usefixtures("desk")
def test_grpo_with_a_curriculum_plays_no_task_of_an_evaluation_split(
    tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = small("method.grpo.steps=1", "method.grpo.curriculum={bands: 3}")
    secret = make_task(0).fingerprint
    monkeypatch.setattr(LeakGuard, "forbidden", lambda self, scenario: frozenset({secret}))
    with pytest.raises(LeakError, match="must not be trained on"):
        train(tmp_path, tokenizer, config)
    assert not (tmp_path / "transcripts.jsonl").exists()


@pytest.mark.training
def test_a_whole_run_on_loans_with_a_curriculum(tmp_path: Path) -> None:
    wanted = ["method.sft.trajectories=0", "evaluation.untrained=false", "evaluation.n=1", "difficulty=null"]
    assert run(tmp_path / "run", "method.grpo.curriculum={bands: 2, harder: 0}", *wanted) == 0
    lines = [json.loads(one) for one in (tmp_path / "run" / "grpo" / "curriculum.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [0, 1]
    easy = bands("loans", 2)[0]
    for task_id in lines[0]["scores"]:
        task = find_task("loans", task_id)
        assert task.split == "generated"
        assert easy[0] <= difficulty_of(task, load_scenario("loans")).level <= easy[1]
