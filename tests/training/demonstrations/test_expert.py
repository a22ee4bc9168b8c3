"""Expert data: never from evaluation tasks, complete, repeatable, and unchanged by storage."""

import json
import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import teller_gym
from teller_gym.base.errors import InfrastructureError
from teller_gym.evaluation.runs.tasks import GENERATED_EACH, GENERATED_FROM
from teller_gym.procedure.task import EVALUATION_SPLITS
from teller_gym.tasks.freezing.instances import FIRST_SEED
from teller_gym.training.demonstrations import expert
from teller_gym.training.demonstrations.expert import SHORT, STOPPED, Wanted, collect, damage, play_expert, read
from teller_gym.training.tasks.seeds import (
    EXPERT_SEEDS_A_RUN,
    GRPO_SEEDS,
    GRPO_SEEDS_A_RUN,
    LeakError,
    LeakGuard,
    generated_id,
)
from tests.training.stub_env import StubEnv, StubExpert, make_task

NOTHING_HELD_OUT = LeakGuard(lambda scenario, split: [])


class Clumsy(StubExpert):
    """Gets one argument wrong."""

    def act(self, observation: dict[str, str], info: dict[str, Any]) -> str:
        call = json.loads(super().act(observation, info))
        if "receipt" in call["arguments"]:
            call["arguments"]["receipt"] = "?"
        return json.dumps(call)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch, no_leaks: None) -> None:
    """Let the toy desk's expert make the data."""
    monkeypatch.setattr(expert, "expert_factory", lambda working: StubExpert)


def held_out(split: str, task: Any, scenario: str, asked: str) -> list[Any]:
    """Load a split; only one of them has a task."""
    return [task] if asked == split else []


def write(path: Path, count: int = 3, first: int = 0) -> None:
    collect(path, Wanted("TellerStub-v0", {}, first), count)


def test_an_evaluation_task_is_refused_whatever_its_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard compares fingerprints: here a held-out task equals the second generated one."""
    monkeypatch.setattr(expert, "expert_factory", lambda working: StubExpert)
    for split in EVALUATION_SPLITS:
        secret = replace(make_task(1), id="stub-secret", split=split)
        monkeypatch.setattr(expert, "LeakGuard", partial(LeakGuard, partial(held_out, split, secret)))
        with pytest.raises(LeakError, match="must not be trained on"):
            write(tmp_path / "expert.jsonl")
        assert not (tmp_path / "expert.jsonl").exists()


def test_generated_tasks_of_loans_are_disjoint_from_the_evaluation_splits() -> None:
    guard = LeakGuard()
    forbidden = guard.forbidden("loans")
    assert len(forbidden) == len({t.fingerprint for s in EVALUATION_SPLITS for t in teller_gym.load_tasks("loans", s)})
    assert len(forbidden) >= 60
    for first in (0, GRPO_SEEDS):
        for task in teller_gym.load_tasks("loans", "generated", n=60, seed=first):
            guard.check(task)
    with pytest.raises(LeakError):
        guard.check(teller_gym.load_tasks("loans", "heldout", n=1)[0])


def test_seeds_of_training_evaluation_and_frozen_instances_never_meet() -> None:
    last = 99
    assert (last + 1) * EXPERT_SEEDS_A_RUN <= GRPO_SEEDS
    assert GRPO_SEEDS + (last + 1) * GRPO_SEEDS_A_RUN <= GENERATED_FROM
    assert GENERATED_FROM + (last + 1) * GENERATED_EACH <= FIRST_SEED


@pytest.mark.usefixtures("desk")
def test_arguments_survive_storage(tmp_path: Path) -> None:
    """No argument is lost, and none is added: Arrow would give every call the arguments of all tools, as nulls."""
    write(tmp_path / "expert.jsonl")
    env = StubEnv()
    for seed, stored in enumerate(read(tmp_path / "expert.jsonl")):
        played = play_expert(env, StubExpert(env), generated_id("stub", seed), NOTHING_HELD_OUT)
        assert stored == played
        assert "null" not in json.dumps([m.get("tool_calls") for m in stored.messages if m["role"] == "assistant"])


@pytest.mark.usefixtures("desk")
def test_same_seeds_same_bytes(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.jsonl" for name in "abc"]
    for path, seed in zip(paths, (0, 0, 1), strict=True):
        write(path, first=seed)
    first, again, later = (path.read_bytes().splitlines() for path in paths)
    assert first == again and first[1:] == later[:2]
    assert damage(paths[0], 3) is None and damage(paths[0], 4) == "it holds 3 trajectories, wanted are 4"


@pytest.mark.usefixtures("desk")
def test_a_cut_before_the_data_are_renamed_is_made_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupt after the head is written, and before the data file gets its name."""
    path = tmp_path / "expert.jsonl"

    def cut(source: Path, target: Path) -> None:
        if target == path:
            raise KeyboardInterrupt
        rename(source, target)

    rename = os.replace
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(os, "replace", cut)
        write(path)
    assert path.with_suffix(".head.json").exists()
    write(path)
    assert len(list(read(path))) == 3


def test_an_expert_that_errs_teaches_nobody() -> None:
    env = StubEnv()
    with pytest.raises(InfrastructureError, match="teach mistakes"):
        play_expert(env, Clumsy(env), "stub-g-1", NOTHING_HELD_OUT)


def test_the_guard_asks_for_each_scenario_once() -> None:
    asked = []

    def load(scenario: str, split: str) -> list[Any]:
        asked.append((scenario, split))
        return []

    guard = LeakGuard(load)
    for _ in range(3):
        guard.check(SimpleNamespace(scenario="loans", fingerprint="x", id="y"))
    assert asked == [("loans", split) for split in EVALUATION_SPLITS]


def test_shortcuts_take_their_share_after_whole_trajectories(tmp_path: Path) -> None:
    """On Loans, since the stub's episodes are too short: a shortcut stops after the second call."""
    path, whole = tmp_path / "e.jsonl", tmp_path / "whole.jsonl"
    collect(path, Wanted("Teller-Loans-v0", {}, shortcuts=0.4, after=10), 40)
    collect(whole, Wanted("Teller-Loans-v0", {}), 40)
    pairs = list(zip(read(path), read(whole), strict=True))
    hasty = [mixed.messages != own.messages for mixed, own in pairs]
    for mixed, own in pairs:
        if mixed.messages != own.messages:
            *kept, last = mixed.messages
            assert kept == own.messages[: len(kept)]
            assert sum(message["role"] == "assistant" for message in kept) == SHORT
            assert (last["role"], last["content"]) == ("assistant", STOPPED)
    assert not any(hasty[:10])
    assert 6 <= sum(hasty[10:]) <= 20


def test_the_data_do_not_depend_on_the_number_of_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teller_gym.training.demonstrations.expert.PART", 7)
    wanted = Wanted("Teller-Bank-v0", {}, first_seed=3, shortcuts=0.2, after=5)
    alone, together = tmp_path / "alone.jsonl", tmp_path / "together.jsonl"
    told: list[int] = []
    collect(alone, wanted, 24)
    collect(together, wanted, 24, processes=2, report=told.append)
    assert alone.read_bytes() == together.read_bytes()
    assert alone.with_suffix(".head.json").read_bytes() == together.with_suffix(".head.json").read_bytes()
    assert told == list(range(1, 25))
    assert [one.task_id for one in read(alone, 10, 7)] == [one.task_id for one in read(alone)][10:17]
