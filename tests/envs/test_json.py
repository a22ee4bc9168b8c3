"""Information and specs can be saved as JSON, even with custom rewards."""

import json
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec

from teller_gym.base.errors import OptionError
from teller_gym.grading.score import RewardConfig
from tests.envs.play import make


@pytest.mark.parametrize("action", ["{", '{"name": "grant_loan", "arguments": {}}', "Done."])
def test_information_is_json(action: str) -> None:
    env = make()
    _, info = env.reset(seed=5)
    assert json.loads(json.dumps(info))["error"] is None
    info = env.step(action)[4]
    written = json.loads(json.dumps(info))
    assert written["error"] == (None if info["error"] is None else list(info["error"]))
    assert list(written) == list(info)


CONFIG = RewardConfig(checkpoints=0.2, parameters=0.4, failed_call=0.02)


@pytest.mark.parametrize("name", ["Teller-Loans-v0", "Teller-Bank-v0"])
def test_a_spec_with_a_reward_of_ones_own_makes_the_same_env_again(name: str) -> None:
    made = gym.make(name, reward=CONFIG, split="heldout")
    assert made.spec is not None
    again: Any = gym.make(EnvSpec.from_json(made.spec.to_json()))
    assert again.unwrapped._settings.reward == CONFIG
    assert again.reset(seed=3)[0] == made.reset(seed=3)[0]
    assert gym.make(made.spec).unwrapped._settings.reward == CONFIG  # type: ignore[attr-defined]


def test_a_reward_may_be_a_mapping() -> None:
    assert make(reward={"failed_call": 0.5})._settings.reward == RewardConfig(failed_call=0.5)
    with pytest.raises(OptionError, match=r"reward: expected fields of checkpoints, .*, got 'colour'"):
        make(reward={"colour": 1})
    with pytest.raises(OptionError, match="expected a share of at most 1, got 2"):
        make(reward={"failed_calls_at_most": 2.0})
