"""Episodes do not wait for each other: in whatever order turns end, each episode plays as it would alone."""

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.agents.chat import ChatFormat
from teller_gym.agents.sampling import CachedSampler, Turn
from teller_gym.training.rollouts.engines import BatchEngine, Draws, Engine
from teller_gym.training.rollouts.rollout import End, EnvPool, Limits
from tests.training.stand_in import Talks
from tests.training.stub_env import StubEnv, expected_call, make_task

LIMITS = Limits(400, 9_000, 99)


class Shuffled(Engine):
    """Makes the expert's calls, and ends turns in random order, some at a time; records the pending turns."""

    def __init__(self, chat: ChatFormat, task_ids: Sequence[str], seed: int, broken: int | None = None) -> None:
        self.chat, self.rng, self.broken = chat, random.Random(seed), broken
        self.tasks = [make_task(int(task_id.rpartition("-")[2]), "generated") for task_id in task_ids]
        self.turns = [0] * len(task_ids)
        self.waiting: list[int] = []
        self.began: list[int] = []
        self.most = self.rounds = 0
        self.waits: list[int] = []

    def begin(self) -> None:
        self.rounds += 1

    def end(self) -> None:
        self.rounds -= 1
        self.waiting.clear()

    def submit(self, slot: int, context: Sequence[int], max_new: int) -> None:
        assert self.rounds == 1 and slot not in self.waiting and max_new == LIMITS.turn
        assert self.turns[slot] or list(context) == self.chat.prompt_ids([self.user(slot)], [])
        self.began += [slot] * (self.turns[slot] == 0)
        self.waiting.append(slot)
        self.most = max(self.most, len(self.waiting))

    def user(self, slot: int) -> dict[str, str]:
        return {"role": "user", "content": f"Please process application {self.tasks[slot].id}."}

    def wait(self) -> list[tuple[int, Turn]]:
        ended = self.rng.sample(self.waiting, self.rng.randint(1, len(self.waiting)))
        self.waiting = [slot for slot in self.waiting if slot not in ended]
        self.waits.append(len(ended))
        return [(slot, self.say(slot)) for slot in ended]

    def say(self, slot: int) -> Turn:
        turn, self.turns[slot] = self.turns[slot], self.turns[slot] + 1
        ids = self.chat.tokenizer(json.dumps(expected_call(self.tasks[slot], turn)))["input_ids"]
        return Turn([*ids, self.chat.end], [-0.5] * (len(ids) + 1), True)


@settings(deadline=None, max_examples=12)
@given(
    numbers=st.lists(st.integers(1, 4), min_size=1, max_size=7),
    seed=st.integers(0, 999),
    concurrency=st.none() | st.integers(1, 9),
)
def test_the_order_in_which_turns_end_changes_no_rollout(
    chat: ChatFormat, numbers: list[int], seed: int, concurrency: int | None
) -> None:
    ids = [f"stub-g-{number}" for number in numbers]
    engine, made = Shuffled(chat, ids, seed), 0

    def make() -> StubEnv:
        nonlocal made
        made += 1
        return StubEnv()

    rollouts = EnvPool(make).play(ids, engine, chat, LIMITS, concurrency=concurrency)
    places = min(len(ids), concurrency or len(ids))
    assert engine.most <= places == made and engine.rounds == 0
    assert [one.task_id for one in rollouts] == ids
    assert [one.turns for one in rollouts] == [make_task(number, "generated").calls for number in numbers]
    assert all(one.end is End.DONE and one.score == pytest.approx(1) for one in rollouts)
    (alone,) = EnvPool(StubEnv).play(ids[:1], Shuffled(chat, ids[:1], 0), chat, LIMITS)
    assert (rollouts[0].context, rollouts[0].mask, rollouts[0].messages) == (alone.context, alone.mask, alone.messages)


def test_episodes_of_a_task_begin_side_by_side(chat: ChatFormat) -> None:
    ids = ["stub-g-2", "stub-g-1", "stub-g-2", "stub-g-3", "stub-g-1", "stub-g-2"]
    engine = Shuffled(chat, ids, 0)
    rollouts = EnvPool(StubEnv).play(ids, engine, chat, LIMITS, concurrency=2)
    assert [ids[slot] for slot in engine.began] == ["stub-g-2"] * 3 + ["stub-g-1"] * 2 + ["stub-g-3"]
    assert [one.task_id for one in rollouts] == ids
    # An episode continues while turns of others are pending.
    ids = [f"stub-g-{number}" for number in range(6)]
    engine = Shuffled(chat, ids, 3)
    EnvPool(StubEnv).play(ids, engine, chat, LIMITS)
    assert engine.most == 6 and min(engine.waits) < 6
    assert len(set(engine.turns)) > 1, "all episodes had as many turns"


def test_a_breakdown_of_one_environment_is_its_own(chat: ChatFormat) -> None:
    class Breaks(StubEnv):
        def step(self, action: str) -> Any:
            if self.task.id == "stub-generated-2" and self.step_count == 2:
                raise RuntimeError("no disk")
            return super().step(action)

    ids = ["stub-g-1", "stub-g-2", "stub-g-3", "stub-g-4"]
    rollouts = EnvPool(Breaks).play(ids, Shuffled(chat, ids, 5), chat, LIMITS, concurrency=2)
    assert [one.end for one in rollouts] == [End.DONE, End.INVALID, End.DONE, End.DONE]
    assert [one.score is None for one in rollouts] == [False, True, False, False]
    assert rollouts[1].turns == 3 and rollouts[3].score == pytest.approx(1)


@pytest.mark.parametrize("where", ["check", "engine"])
def test_a_round_that_breaks_off_is_ended(chat: ChatFormat, where: str) -> None:
    class Breaks(Shuffled):
        def wait(self) -> list[tuple[int, Turn]]:
            raise ConnectionError("gone")

    def check(task: Any) -> None:
        if where == "check" and task.id == "stub-generated-2":
            raise ValueError("gone")

    ids = ["stub-g-1", "stub-g-2"]
    engine = Breaks(chat, ids, 0)
    with pytest.raises((ConnectionError, ValueError), match="gone"):
        EnvPool(StubEnv).play(ids, engine, chat, LIMITS, check)
    assert engine.rounds == 0 and not engine.waiting


def test_a_sampler_draws_all_that_go_on_together(model: Any, chat: ChatFormat, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = ["stub-g-1", "stub-g-2", "stub-g-3"]
    sampler = CachedSampler(model, [chat.end], seed=3)
    calls: list[list[int]] = []
    sample, forget = sampler.sample, sampler.forget

    def noted(slots: Sequence[int], *more: Any) -> list[Turn]:
        calls.append(list(slots))
        return sample(slots, *more)

    def forgetting() -> None:
        calls.append([])
        forget()

    monkeypatch.setattr(sampler, "sample", noted)
    monkeypatch.setattr(sampler, "forget", forgetting)
    engine, table = BatchEngine(sampler), EnvPool(Talks)
    rollouts = table.play(ids, engine, chat, Limits(9, 400, 4))
    assert [one.turns for one in rollouts] == [3, 4, 5]
    expected = [[slot for slot, one in enumerate(rollouts) if one.turns > turn] for turn in range(5)]
    assert [one for one in calls if one] == expected and calls[-1] == [], "at the end it forgets"
    again = EnvPool(Talks).play(ids, CachedSampler(model, [chat.end], seed=3), chat, Limits(9, 400, 4))
    assert [one.ids for one in again] == [one.ids for one in rollouts]
    assert table.spent.generating > 0 and table.spent.environments > 0


def test_each_turn_has_a_seed_of_its_own() -> None:
    draws = Draws(0, 1.0, 7)
    seeds = [draws.seed_of(slot, turn) for slot in range(30) for turn in range(30)]
    assert len(set(seeds)) == 900 and all(0 <= seed < 2**63 for seed in seeds)
    assert seeds[0] == Draws(0, 1.0, 7).seed_of(0, 0) != Draws(0, 1.0, 8).seed_of(0, 0)
