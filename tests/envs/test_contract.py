"""The contract of envs with agents, trainers and adapters; the type checker reads the first function, the rest runs."""

from typing import Any

import gymnasium as gym
import pytest

import teller_gym  # noqa: F401  (registers the ids)
from teller_gym.base.errors import OptionError
from teller_gym.envs.bank import BankEnv
from teller_gym.envs.contract import EnvContract, Execution, Reconstruction, contract_of
from teller_gym.envs.graph import GraphEnv
from teller_gym.envs.teller import TellerEnv

MEMBERS = [*sorted(name for name in vars(EnvContract) if not name.startswith("_")), "stage"]
IDS = ["Teller-Loans-v0", "Teller-Bank-v0", "Teller-Day-v0", "Teller-Wealth-v0", "Teller-LoansGraph-v0"]


def checked_by_mypy(one: TellerEnv, two: BankEnv, three: GraphEnv) -> tuple[Execution, Execution, Reconstruction]:
    """The envs of the package fit."""
    return one, two, three


def test_the_contract_is_not_empty() -> None:
    wanted = "task tools tool_schemas messages grade diagnosis snapshot restore state_hash stage"
    assert set(wanted.split()) <= set(MEMBERS)


@pytest.mark.parametrize("env_id", IDS)
def test_every_member_can_be_used_once_an_episode_is_over(env_id: str) -> None:
    env = gym.make(env_id)
    env.reset(seed=2)
    core = contract_of(env)
    before: Any = core.snapshot()
    env.step("I am done.")
    values = {name: getattr(core, name) for name in MEMBERS}
    called = {name: value() for name, value in values.items() if callable(value) and name != "restore"}
    assert set(called["grade"].reasons) <= set(called["diagnosis"]) and called["diagnosis"]
    assert called["messages"][0]["role"] == "system"
    assert values["stage"] == (1 if "Graph" in env_id else 2)
    assert values["failure"] is None and values["max_steps"] >= 1
    env.unwrapped.restore(before)  # type: ignore[attr-defined]
    assert len(core.messages()) == 2


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("wrapped", [True, False])
def test_a_step_needs_a_reset_that_was_not_refused(env_id: str, wrapped: bool) -> None:
    env = gym.make(env_id, max_episode_steps=5)
    env = env if wrapped else env.unwrapped
    with pytest.raises(gym.error.ResetNeeded, match=r"reset\(\)"):
        env.step("{}")
    with pytest.raises(OptionError, match="task_id"):
        env.reset(options={"task_id": "nowhere"})
    with pytest.raises(gym.error.ResetNeeded, match=r"there is no task yet: call reset\(\) first"):
        env.step("{}")
    env.reset(seed=1)
    env.step("{}")
