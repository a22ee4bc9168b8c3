"""Helpers that play episodes in tests."""

from typing import Any

from teller_gym.agents import make_agent
from teller_gym.envs.teller import TellerEnv
from teller_gym.procedure.task import Task
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text

INFO_KEYS = (
    "task_id", "scenario", "step", "error", "checkpoints", "reward_terms", "score", "success", "invalid",
    "defect",
)  # fmt: skip


class Env(TellerEnv):
    """The loans environment with helpers for tests."""

    def action_space_samples(self, count: int) -> list[str]:
        """Draw schema-valid calls."""
        self.action_space.seed(count)
        return [self.action_space.sample() for _ in range(count)]

    def grader_passed(self) -> set[str]:
        """Return the checkpoints passed so far."""
        return {name for name, passed in self.grade().checkpoints.items() if passed}

    @property
    def unwrapped(self) -> "Env":
        return self


def make(**options: Any) -> Env:
    """Make a loans environment."""
    return Env("loans", **options)


def play_expert(env: TellerEnv, task: Task) -> tuple[list[float], dict[str, Any]]:
    """Play a task's standard calls; return the rewards and the last ``info``."""
    _, info = env.reset(options={"task_id": task.id})
    rewards = []
    for call in task.standard.calls:
        _, reward, _, _, info = env.step(action_text(call))
        rewards.append(reward)
    return rewards, info


def play_agent(env: Any, name: str, task_id: str) -> tuple[dict[str, Any], float]:
    """Let a reference agent play a task; return the last ``info`` and the sum of the rewards."""
    obs, info = env.reset(options={"task_id": task_id})
    agent = make_agent(name, env)
    agent.reset()
    rewards, over = 0.0, False
    while not over:
        obs, reward, terminated, truncated, info = env.step(agent.act(obs, info))
        rewards += float(reward)
        over = terminated or truncated
    return info, rewards


def submit_text(task: Task, **changes: Any) -> str:
    """Return the action of a task's final review with some arguments changed."""
    last = task.standard.calls[-1]
    return action_text(Call(last.name, last.arguments | changes))
