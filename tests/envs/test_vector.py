"""Gymnasium's vector environments: in one process, and in several without shared memory."""

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium as gym
import pytest

from teller_gym.base.errors import OptionError
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.run import action_text

COUNT = 3
MODES = ["sync", "async"]
IDS = ["Teller-Loans-v0", "Teller-Bank-v0", "Teller-Day-v0", "Teller-Wealth-v0", "Teller-LoansGraph-v0"]
VARIED: dict[str, Any] = {"split": "generated", **dict.fromkeys(("policy_shift", "schema_shift", "faults"), True)}


@pytest.fixture
def vector() -> Iterator[Callable[..., Any]]:
    """Yield a function that makes vector envs, and close them after the test."""
    made = []

    def make(mode: str, env_id: str = IDS[0], **options: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            kwargs = {"shared_memory": False} if mode == "async" else {}
            made.append(gym.make_vec(env_id, COUNT, vectorization_mode=mode, vector_kwargs=kwargs, **options))
        return made[-1]

    yield make
    for env in made:
        env.close()


@pytest.mark.parametrize(
    ("mode", "env_id", "options"),
    [*(("sync", env_id, {}) for env_id in IDS), ("sync", IDS[0], VARIED), ("async", IDS[1], VARIED)],
)
def test_every_env_plays_its_own_episode(vector: Any, mode: str, env_id: str, options: dict[str, Any]) -> None:
    env = vector(mode, env_id, **options)
    observations, infos = env.reset(seed=11)
    singles = [gym.make(env_id, **options) for _ in range(COUNT)]
    expected = [single.reset(seed=11 + n) for n, single in enumerate(singles)]
    assert observations["state"] == tuple(obs["state"] for obs, _ in expected)
    assert list(infos["task_id"]) == [info["task_id"] for _, info in expected]
    assert len(set(infos["task_id"])) > 1
    for _ in range(5):
        actions = [single.action_space.sample() for single in singles]
        observations, rewards, terminated, truncated, infos = env.step(actions)
        for n, single in enumerate(singles):
            obs, reward, ended, cut, info = single.step(actions[n])
            assert observations["tool_result"][n] == obs["tool_result"]
            assert (rewards[n], terminated[n], truncated[n]) == (pytest.approx(reward), ended, cut)
            assert infos["score"][n] == info["score"] and infos["step"][n] == info["step"]
        if terminated.any():
            break


@pytest.mark.parametrize("mode", MODES)
def test_one_env_may_fail_while_another_does_not_and_the_ended_one_begins_again(vector: Any, mode: str) -> None:
    env = vector(mode)
    _, infos = env.reset(seed=11)
    right = [action_text(frozen_tasks("loans")[name].standard.calls[0]) for name in infos["task_id"]]
    for wrong in range(COUNT):
        actions = ['{"name": 1}' if n == wrong else action for n, action in enumerate(right)]
        infos = env.step(actions)[4]
        kinds = [error and error["kind"] for error in infos["error"]]
        assert kinds == ["malformed" if n == wrong else None for n in range(COUNT)]
    assert list(env.step(("I am done.", "{}", "{}"))[2]) == [True, False, False]
    observations, _, terminated, _, infos = env.step(("I am done.", "{}", "{}"))
    assert list(infos["step"]) == [0, COUNT + 2, COUNT + 2] and not terminated.any()
    assert "SOP" in observations["state"][0]


@pytest.mark.parametrize("mode", MODES)
def test_sampled_actions_can_be_stepped(vector: Any, mode: str) -> None:
    env = vector(mode)
    env.reset(seed=11)
    for _ in range(3):
        actions = env.action_space.sample()
        assert env.action_space.contains(actions)
        assert env.observation_space.contains(env.step(actions)[0])


@pytest.mark.parametrize("env_id", IDS)
def test_shared_memory_says_what_to_pass(env_id: str) -> None:
    with pytest.raises(OptionError, match=r"vector_kwargs=\{'shared_memory': False\}"):
        gym.make_vec(env_id, num_envs=2, vectorization_mode="async")
