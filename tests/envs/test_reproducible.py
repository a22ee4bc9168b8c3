"""Equal ids, options, seeds and actions give equal bytes, also among other envs and after a restore."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.run import action_text
from tests.envs.play import Env, make, play_expert

TASKS = list(frozen_tasks("loans").values())


def play(env: Env, task_id: str, actions: list[str]) -> list[Any]:
    transcript: list[Any] = [env.reset(options={"task_id": task_id})]
    transcript += [env.step(action) for action in actions]
    return transcript


def test_the_same_bytes_among_interleaved_envs() -> None:
    chosen = TASKS[:4] + TASKS[:2]
    scripts = [[*make().action_space_samples(9), *map(action_text, task.standard.calls)] for task in chosen]
    alone = [play(make(), task.id, actions) for task, actions in zip(chosen, scripts, strict=True)]
    envs = [make() for _ in chosen]
    together: list[list[Any]] = [
        [env.reset(options={"task_id": task.id})] for env, task in zip(envs, chosen, strict=True)
    ]
    for step in range(max(map(len, scripts))):
        for number in (2, 0, 5, 1, 4, 3):
            if step < len(scripts[number]):
                together[number].append(envs[number].step(scripts[number][step]))
    assert together == alone


def test_episodes_leave_nothing_behind_in_the_tasks() -> None:
    before = hashlib.sha256(repr(TASKS).encode()).digest()
    env = make()
    for task in TASKS[::10]:
        play_expert(env, task)
        env.reset(options={"task_id": task.id})
        for action in env.action_space_samples(30):
            env.step(action)
    assert hashlib.sha256(repr(TASKS).encode()).digest() == before


@given(st.sampled_from(TASKS), st.data())
@settings(max_examples=20, deadline=None)
def test_a_restored_episode_goes_on_the_same(task: Any, data: st.DataObject) -> None:
    env = make()
    right = [action_text(call) for call in task.standard.calls]
    wrong = st.sampled_from([*env.action_space_samples(6), "{", *right])
    env.reset(options={"task_id": task.id})
    at = data.draw(st.integers(0, len(right) - 1))
    for action in right[:at]:
        env.step(action)
    snapshot, before = env.snapshot(), (env.state_hash(), env.grade(), env.messages())
    detour = data.draw(st.lists(wrong, max_size=6))
    first = [env.step(action) for action in right[at:]]
    end = (env.state_hash(), env.grade(), env.messages())
    for target in (env, make()):
        target.restore(snapshot)
        assert (target.state_hash(), target.grade(), target.messages()) == before
        for action in detour:
            if target.step(action)[2]:
                break
        target.restore(snapshot)
        assert [target.step(action) for action in right[at:]] == first
        assert (target.state_hash(), target.grade(), target.messages()) == end


def test_a_restored_env_is_drawn_from_as_before() -> None:
    env, other = make(), make()
    env.reset(seed=3), other.reset(seed=3)
    env.restore(env.snapshot())
    assert env.reset() == other.reset()


def test_the_state_hash_follows_the_bank() -> None:
    env = make()
    task = TASKS[0]
    env.reset(options={"task_id": task.id})
    start = env.state_hash()
    env.step(action_text(task.standard.calls[0]))  # a read
    assert env.state_hash() == start
    env.step(action_text(task.standard.calls[1]))  # writes the status
    assert env.state_hash() != start


@pytest.mark.parametrize("task", TASKS[:3], ids=lambda task: task.id)
def test_results_are_json_of_plain_values(task: Any) -> None:
    env = make()
    play_expert(env, task)
    for message in env.messages():
        if message["role"] == "tool":
            json.loads(message["content"], parse_constant=lambda name: pytest.fail(f"{name} in a result"))
