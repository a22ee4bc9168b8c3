"""Many environments at once, as Gymnasium does it: in one process, and in several without shared memory."""

import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import pytest

import teller_gym  # noqa: F401  (registers the ids)
from teller_gym.base.errors import OptionError
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.run import action_text
from tests.envs.play import make

COUNT = 3
MODES = ["sync", "async"]


def make_vec(mode: str, **kwargs: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shared = {"shared_memory": False} if mode == "async" else {}
        return gym.make_vec(
            "Teller-Loans-v0",
            num_envs=COUNT,
            vectorization_mode=mode,
            vector_kwargs=shared,
            split="validation",
            **kwargs,
        )


@pytest.fixture(params=MODES)
def vector(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A vector environment of each mode."""
    env = make_vec(request.param)
    yield env
    env.close()


def test_every_env_plays_its_own_episode(vector: Any) -> None:
    observations, infos = vector.reset(seed=11)
    singles = [make(split="validation") for _ in range(COUNT)]
    expected = [env.reset(seed=11 + n) for n, env in enumerate(singles)]
    assert observations["state"] == tuple(obs["state"] for obs, _ in expected)
    assert list(infos["task_id"]) == [info["task_id"] for _, info in expected]
    assert len(set(infos["task_id"])) > 1
    tasks = [frozen_tasks("loans")[task_id] for task_id in infos["task_id"]]
    for step in range(5):
        actions = tuple(action_text(task.standard.calls[step]) for task in tasks)
        observations, rewards, terminated, truncated, infos = vector.step(actions)
        for n, env in enumerate(singles):
            obs, reward, ended, cut, info = env.step(actions[n])
            assert observations["tool_result"][n] == obs["tool_result"]
            assert (rewards[n], terminated[n], truncated[n]) == (pytest.approx(reward), ended, cut)
            assert infos["score"][n] == info["score"] and infos["step"][n] == step + 1
        if terminated.any():
            break


def test_one_env_may_fail_while_another_does_not(vector: Any) -> None:
    _, infos = vector.reset(seed=11)
    tasks = [frozen_tasks("loans")[task_id] for task_id in infos["task_id"]]
    right = [action_text(task.standard.calls[0]) for task in tasks]
    for wrong in range(COUNT):
        actions = tuple('{"name": 1}' if n == wrong else action for n, action in enumerate(right))
        infos = vector.step(actions)[4]
        kinds = [error and error["kind"] for error in infos["error"]]
        assert kinds == ["malformed" if n == wrong else None for n in range(COUNT)]


def test_an_ended_episode_is_followed_by_the_next(vector: Any) -> None:
    vector.reset(seed=11)
    actions = ("I am done.", "{}", "{}")
    assert list(vector.step(actions)[2]) == [True, False, False]
    observations, _, terminated, _, infos = vector.step(actions)
    assert list(infos["step"]) == [0, 2, 2] and not terminated.any()
    assert "SOP" in observations["state"][0]


def test_sampled_actions_can_be_stepped(vector: Any) -> None:
    vector.reset(seed=11)
    for _ in range(3):
        actions = vector.action_space.sample()
        assert vector.action_space.contains(actions)
        observations = vector.step(actions)[0]
        assert vector.observation_space.contains(observations)


def test_shared_memory_says_what_to_pass() -> None:
    with pytest.raises(OptionError, match=r"vector_kwargs=\{'shared_memory': False\}"):
        gym.make_vec("Teller-Loans-v0", num_envs=2, vectorization_mode="async")
