"""The reference agents: they are all there, play to the end, repeat themselves and see no more than they may."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import pytest

import tests.proof.stub as stub
from teller_gym.agents import CHEAP_AGENTS, REFERENCE_AGENTS, make_agent
from teller_gym.agents.base import Agent
from teller_gym.agents.reference import KNOWING_AGENTS
from teller_gym.base.errors import OptionError
from teller_gym.tasks.store import frozen_tasks

ALL = tuple(REFERENCE_AGENTS)


@pytest.fixture
def env() -> gym.Env[Any, Any]:
    return gym.make(stub.ENV_ID)


def play(env: gym.Env[Any, Any], agent: Agent, task_id: str) -> tuple[list[str], dict[str, Any]]:
    obs, info = env.reset(options={"task_id": task_id})
    agent.reset()
    actions: list[str] = []
    over = False
    while not over:
        # As in evaluation, an agent is not shown how the episode is graded.
        actions.append(agent.act(obs, {"task_id": task_id, "scenario": stub.NAME, "step": len(actions), "error": None}))
        obs, _, terminated, truncated, info = env.step(actions[-1])
        over = terminated or truncated
    return actions, info


def test_the_names_are_those_of_the_public_interface() -> None:
    assert set(ALL) == {
        *("expert", "noop", "random", "call_everything", "majority", "always_deny", "always_escalate", "repeat"),
        *("skip_to_decision", "echo_example", "brute_force", "obey"),
        *("clean_path", "clean_path_constant", "brute_force_codes"),
    }
    assert {*CHEAP_AGENTS, *KNOWING_AGENTS} == set(ALL)
    assert not {*CHEAP_AGENTS} & {*KNOWING_AGENTS}


def test_an_unknown_name_is_told_the_nearest(env: gym.Env[Any, Any]) -> None:
    with pytest.raises(OptionError, match=r"did you mean 'expert'"):
        make_agent("exprt", env)


@pytest.mark.parametrize("name", ALL)
def test_an_agent_carries_its_name_and_repeats_itself(env: gym.Env[Any, Any], name: str) -> None:
    agent = make_agent(name, env)
    assert agent.name == name
    first = play(env, agent, f"{stub.NAME}-0003")[0]
    play(env, agent, f"{stub.NAME}-0004")
    other = make_agent(name, env)
    assert play(env, other, f"{stub.NAME}-0003")[0] == first


def test_the_expert_solves_every_task(env: gym.Env[Any, Any]) -> None:
    agent = make_agent("expert", env)
    for task_id in frozen_tasks(stub.NAME):
        info = play(env, agent, task_id)[1]
        assert (info["score"], info["success"]) == (1.0, True)


@pytest.mark.parametrize("begun", [False, True])
def test_the_expert_of_another_env_is_refused(env: gym.Env[Any, Any], begun: bool) -> None:
    other = gym.make(stub.ENV_ID)
    if begun:
        other.reset(options={"task_id": f"{stub.NAME}-0004"})
    with pytest.raises(OptionError, match=r"make it for the env it plays in: make_agent\('expert', env\)"):
        play(env, make_agent("expert", other), f"{stub.NAME}-0003")


def test_the_expert_says_so_when_one_of_its_calls_fails(env: gym.Env[Any, Any]) -> None:
    agent = make_agent("expert", env)
    obs, info = env.reset(options={"task_id": f"{stub.NAME}-0003"})
    agent.reset()
    agent.act(obs, info)
    action = agent.act({"state": "", "tool_result": '{"error": {"kind": "order", "message": "too early"}}'}, info)
    assert "too early" in action
    assert not action.startswith("{")


def test_doing_nothing_earns_nothing(env: gym.Env[Any, Any]) -> None:
    actions, info = play(env, make_agent("noop", env), f"{stub.NAME}-0003")
    assert len(actions) == 1
    assert info["score"] == 0.0


def test_random_calls_follow_the_seed(env: gym.Env[Any, Any]) -> None:
    agent: Any = make_agent("random", env)
    played = []
    for seed in (1, 2, 1):
        agent.seed(seed)
        played.append(play(env, agent, f"{stub.NAME}-0003")[0])
    assert played[0] == played[2] != played[1]


def test_call_everything_calls_every_tool_with_what_it_has_seen(env: gym.Env[Any, Any]) -> None:
    actions, info = play(env, make_agent("call_everything", env), f"{stub.NAME}-0003")
    task = frozen_tasks(stub.NAME)[f"{stub.NAME}-0003"]
    for name in ("get_case", "check_purchase", "read_note", "submit_review"):
        assert any(f'"name":"{name}"' in action for action in actions)
    assert all(task.case_id in action for action in actions)
    amount = task.tables["cases"][task.case_id]["amount"] / 100
    assert any(f'"amount":{amount}' in action for action in actions)
    assert info["checkpoints"]["finish"]


def test_always_deny_denies(env: gym.Env[Any, Any]) -> None:
    agent = make_agent("always_deny", env)
    for number in range(1, 7):
        actions, info = play(env, agent, f"{stub.NAME}-{number:04}")
        assert '"decision":"deny"' in actions[-1]
        assert info["checkpoints"]["finish"]


def test_always_escalate_escalates(env: gym.Env[Any, Any]) -> None:
    actions = play(env, make_agent("always_escalate", env), f"{stub.NAME}-0003")[0]
    assert '"routing":"supervisor"' in actions[-1]


def test_skip_to_decision_leaves_checks_out_unless_a_tool_insists(env: gym.Env[Any, Any]) -> None:
    names = [action.split('"')[3] for action in play(env, make_agent("skip_to_decision", env), f"{stub.NAME}-0003")[0]]
    assert names == ["get_case", "submit_review", "check_purchase", "submit_review"]


def test_repeat_repeats_one_call_to_the_end(env: gym.Env[Any, Any]) -> None:
    actions = play(env, make_agent("repeat", env), f"{stub.NAME}-0003")[0]
    core: Any = env.unwrapped
    assert len(actions) == core.max_steps
    assert len(set(actions[2:])) == 1


def test_brute_force_tries_enumerations(env: gym.Env[Any, Any]) -> None:
    actions = play(env, make_agent("brute_force", env), f"{stub.NAME}-0003")[0]
    for handling in ("none", "restock", "discard"):
        assert any(f'"handling":"{handling}"' in action for action in actions)


def test_echo_example_uses_the_id_of_the_request_not_that_of_the_example(env: gym.Env[Any, Any]) -> None:
    task = frozen_tasks(stub.NAME)[f"{stub.NAME}-0003"]
    actions = play(env, make_agent("echo_example", env), task.id)[0]
    assert task.case_id in actions[0]
    assert "RF-123456" not in "".join(actions)
