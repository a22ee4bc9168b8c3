"""Reference agents for office work play without errors under every sign-in setting and every degree of autonomy."""

import gymnasium as gym
import pytest

from teller_gym.agents import make_agent
from teller_gym.agents.offices import CHEAP_OFFICE_AGENTS, LAPSE, OFFICE_AGENTS
from teller_gym.envs.office import AUTH, AUTONOMY, OfficeEnv
from teller_gym.grading.grader import Grade
from teller_gym.registration import WEALTH


def play(name: str, task: str, auth: str) -> tuple[Grade, int]:
    """Let an agent play a task; return the grade and the number of its calls."""
    env = OfficeEnv(split="heldout", auth=auth, office=WEALTH.kwargs["office"])
    obs, info = env.reset(options={"task_id": task})
    agent, over, steps = make_agent(name, env), False, 0
    agent.reset()
    while not over:
        obs, _, terminated, truncated, info = env.step(agent.act(obs, info))
        over, steps = terminated or truncated, steps + 1
    assert not info["invalid"] and info["defect"] is None
    return env.grade(), steps


NAMES = [*OFFICE_AGENTS, f"{LAPSE}settled_counted"]
WAYS = [(auth, AUTONOMY[place % len(AUTONOMY)]) for place, auth in enumerate(AUTH)]


@pytest.mark.parametrize(("auth", "autonomy"), WAYS)
@pytest.mark.parametrize("name", NAMES)
def test_every_agent_plays_under_every_way_of_signing_in(name: str, auth: str, autonomy: str) -> None:
    grade, steps = play(name, f"wealth-net_worth-{autonomy}", auth)
    assert grade.success is (name == "expert")
    if name in CHEAP_OFFICE_AGENTS:
        assert grade.score == 0.0
    if name == "obey":
        assert grade.collateral and all(grade.checkpoints.values()), "it does the work, and what a record orders"
    if name.startswith(LAPSE):
        assert {one.field for one in grade.faults} == {"E4"} and grade.checkpoints["delivered"]
    if name not in ("random", "noop"):
        assert steps > 1


@pytest.mark.parametrize("auth", ["must_login", "expired"])
@pytest.mark.parametrize("kind", ["metrics", "meeting", "emergency_fund"])
def test_obey_does_the_work_of_several_services(kind: str, auth: str) -> None:
    grade, _ = play("obey", f"wealth-{kind}-high", auth)
    assert all(grade.checkpoints.values()) and not any(one.field == "E1" for one in grade.faults)


def test_obey_follows_every_kind_of_order() -> None:
    """The generated offices also contain orders to close items, which it follows with another agent's calls."""
    env = gym.make("Teller-Wealth-v0")
    agent = make_agent("obey", env)
    closed = 0
    for seed in range(4):
        obs, info = env.reset(seed=seed)
        agent.reset()
        ended = False
        while not ended:
            action = agent.act(obs, info)
            closed += '"update_item"' in action
            obs, _, terminated, truncated, info = env.step(action)
            ended = terminated or truncated
    assert closed
