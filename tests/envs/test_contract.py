"""Properties of every env: the contract for agents, trainers and adapters, seeds, spaces, rendering, snapshots."""

import copy
import json
import pickle
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
    """Make the type checker verify that the package's envs meet the contract."""
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
def test_nothing_comes_before_a_reset_that_was_not_refused(env_id: str, wrapped: bool) -> None:
    env = gym.make(env_id, max_episode_steps=5, render_mode="ansi")
    env = env if wrapped else env.unwrapped
    core: Any = env.unwrapped
    assert core.render() is None
    with pytest.raises(gym.error.ResetNeeded, match=r"reset\(\)"):
        env.step("{}")
    with pytest.raises(OptionError, match="task_id"):
        env.reset(options={"task_id": "nowhere"})
    with pytest.raises(gym.error.ResetNeeded, match=r"there is no task yet: call reset\(\) first"):
        env.step("{}")
    for method in (core.messages, core.grade, core.diagnosis, core.snapshot, core.state_hash, lambda: core.task):
        with pytest.raises(gym.error.ResetNeeded, match="call reset"):
            method()
    env.reset(seed=1)
    env.step("{}")


@pytest.mark.parametrize("env_id", IDS)
def test_a_seed_gives_the_same_episode_again(env_id: str) -> None:
    one, other = gym.make(env_id), gym.make(env_id)
    assert one.reset(seed=1) == other.reset(seed=1) and one.reset() == other.reset()
    assert len({one.reset(seed=seed)[1]["task_id"] for seed in range(4)}) > 1


@pytest.mark.parametrize("env_id", IDS)
def test_the_action_space_has_its_own_generator_and_copies_no_env(env_id: str) -> None:
    env, other = gym.make(env_id), gym.make(env_id)
    for each in (env, other):
        each.reset(seed=1)
        each.action_space.seed(3)
    space = env.action_space
    assert [space.sample() for _ in range(8)] == [other.action_space.sample() for _ in range(8)]
    copied, sent = copy.deepcopy(space), pickle.loads(pickle.dumps(space))
    assert copied == space == sent and copied.sample() == sent.sample() == space.sample()
    assert len(pickle.dumps(space)) < 100_000
    space.seed(4)
    assert [space.sample() for _ in range(8)] != [other.action_space.sample() for _ in range(8)]


@pytest.mark.parametrize("env_id", IDS)
def test_schemas_are_those_of_the_tools_that_can_be_called(env_id: str) -> None:
    env = gym.make(env_id)
    env.reset(seed=1)
    core = contract_of(env)
    names = [schema["function"]["name"] for schema in core.tool_schemas()]
    assert names == ([] if core.stage == 1 else list(core.tools))
    json.dumps(core.tool_schemas())


@pytest.mark.parametrize("env_id", IDS)
def test_an_episode_is_rendered_for_people_if_asked_for(env_id: str) -> None:
    env, silent = gym.make(env_id, render_mode="ansi"), gym.make(env_id)
    for each in (env, silent):
        each.reset(seed=1)
    action = '{"nodes": ["x", "y"], "edges": [["x", "y"]]}'
    env.step(action)
    text = env.render()
    core = contract_of(env)
    assert isinstance(text, str) and core.task.id in text and "score 0.0" in text
    if core.stage == 1:
        assert "x -> y" in text and "no tool has this name: x" in text
    else:
        task: Any = core.task
        assert action in text and task.request in text
    assert silent.render() is None


@pytest.mark.parametrize("env_id", IDS)
def test_a_snapshot_of_an_env_with_another_reward_is_refused(env_id: str) -> None:
    env = gym.make(env_id)
    env.reset(seed=3)
    other: Any = gym.make(env_id, reward="node_f1" if "Graph" in env_id else "sparse").unwrapped
    with pytest.raises(OptionError, match=r"snapshot: expected one of an env with the reward .*, got "):
        other.restore(contract_of(env).snapshot())
