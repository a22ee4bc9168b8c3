"""Scenarios that a run trains on, and scenarios that it leaves out to measure transfer."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from teller_gym.envs.bank import BankEnv
from teller_gym.envs.contract import contract_of
from teller_gym.training.tasks.difficulty_band import Band
from teller_gym.training.tasks.seeds import make_env


@dataclass(frozen=True)
class Mixture:
    """Training and unseen scenarios of an environment.

    Attributes:
        weights: relative frequency of each scenario's tasks in training.
        unseen: scenarios without training tasks; their tasks are only evaluated.
    """

    weights: dict[str, float]
    unseen: tuple[str, ...] = ()

    @classmethod
    def of(cls, env_id: str, options: dict[str, Any]) -> Mixture:
        """Return an environment's mixture, given its id and constructor options; see `make_env` for errors."""
        env = make_env(env_id, options, "generated")
        found = cls.in_env(env)
        env.close()
        return found

    @classmethod
    def in_env(cls, env: Any) -> Mixture:
        """Return an environment's mixture.

        An environment without a mixture is reset and has one scenario.
        """
        core: Any = contract_of(env)
        if isinstance(core, BankEnv):
            return cls(core.weights, core.unseen)
        _, info = env.reset(seed=0)
        return cls({str(info["scenario"]): 1.0})

    @property
    def evaluated(self) -> tuple[str, ...]:
        return (*self.weights, *self.unseen)

    def scenario(self, seed: int) -> str:
        """Return the scenario of the training task with the given seed."""
        *others, last = self.weights.items()
        point = random.Random(f"mixture/{seed}").random() * sum(self.weights.values())
        for name, weight in others:
            point -= weight
            if point < 0:
                return name
        return last[0]

    def generated(self, band: Band, seed: int) -> str:
        """Return the id of the training task with the given seed in a difficulty band."""
        return band.generated(self.scenario(seed), seed)
