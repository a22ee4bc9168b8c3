"""A band of difficulty holds for training data and for evaluation, and is reported."""

from pathlib import Path

import pytest

import teller_gym
from teller_gym.base.errors import OptionError
from teller_gym.tasks.difficulty import difficulty_of
from teller_gym.tasks.store import find_task
from teller_gym.training.config.run import load
from teller_gym.training.demonstrations.expert import Wanted, collect, read
from teller_gym.training.phases.grpo import _prompts
from teller_gym.training.rollouts.rollout import EnvPool
from teller_gym.training.tasks.difficulty_band import Band
from teller_gym.training.tasks.seeds import GRPO_SEEDS, make_env

EASY = Band(0.0, 0.45)
LOANS = teller_gym.load_scenario("loans")


def level(task_id: str) -> float:
    return difficulty_of(find_task("loans", task_id), LOANS).level


def test_expert_data_keep_to_the_band(tmp_path: Path) -> None:
    path = tmp_path / "expert.jsonl"
    collect(path, Wanted("Teller-Loans-v0", {}, first_seed=50, band=EASY), 12)
    ids = [trajectory.task_id for trajectory in read(path)]
    assert len(set(ids)) == 12 and all(level(task_id) <= EASY.high for task_id in ids)


def test_grpo_keeps_to_the_band_and_off_the_experts_tasks() -> None:
    config = load("train", ["difficulty=[0.0, 0.45]", "method.grpo.steps=2", "method.grpo.tasks=3", "logger=none"])[0]
    table = EnvPool(lambda: make_env(config.env.id, config.env.options, "generated"))
    ids = [row["prompt"][0]["task_id"] for row in _prompts(config, table)]
    assert len(set(ids)) == 6 and all(level(task_id) <= EASY.high for task_id in ids)
    assert all(int(task_id.rpartition("-")[2]) % 2**44 >= GRPO_SEEDS for task_id in ids)


def test_evaluation_plays_the_splits_tasks_in_the_band() -> None:
    found = EASY.evaluated("loans", "heldout", None)
    assert found == [task.id for task in teller_gym.load_tasks("loans", "heldout") if level(task.id) <= EASY.high]
    assert set(EASY.evaluated("loans", "heldout", 5)) < set(found)
    with pytest.raises(OptionError, match=f"has {len(found)} tasks with difficulty 0 to 0.45; got 999"):
        EASY.evaluated("loans", "heldout", 999)
    with pytest.raises(OptionError, match="frozen split"):
        EASY.evaluated("loans", "generated", 3)
    assert Band.parse(None).whole and str(Band()) == "" and Band().generated("loans", 7) == "loans-g-7"
    assert str(Band.parse([0.1, 0.5])) == " with difficulty 0.1 to 0.5"
