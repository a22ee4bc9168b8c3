"""Phases that learn in rounds on the model's own episodes: rejection sampling and expert corrections."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import gymnasium as gym

from teller_gym.base.errors import OptionError
from teller_gym.envs.day import DayEnv
from teller_gym.training.config.rounds import RoundsConfig
from teller_gym.training.config.run import Config
from teller_gym.training.phases.phase import Run, TrainedPhase
from teller_gym.training.plan.model import PlannedPhase
from teller_gym.training.plan.planner import Planner
from teller_gym.training.tasks.mixture import Mixture


class RoundsPhase(TrainedPhase):
    """Base of the phases in rounds; a subclass's `method` plays them and chooses the episodes to learn from."""

    @abstractmethod
    def method(self) -> Any:
        """Return the method's class, a `teller_gym.training.phases.round_data.Method`."""

    def settings(self, config: Config) -> RoundsConfig:
        found: RoundsConfig = getattr(config.method, self.name)
        return found

    def steps(self, config: Config) -> int:
        return self.settings(config).rounds

    def train(self, run: Run) -> tuple[Any, Any]:
        from teller_gym.training.phases import rounds

        assert run.before is not None
        return rounds.Rounds(self.method(), run.config, run.before, run.log).train()

    def plan(self, planner: Planner) -> Sequence[PlannedPhase]:
        return [*planner.rounds(self.name, self.settings(planner.config)), planner.evaluation(self.name)]


class RejectionPhase(RoundsPhase):
    """Phase with rounds in which the model learns from its own successful episodes."""

    name = "rejection"
    made_with = ("method.rejection",)

    def method(self) -> Any:
        from teller_gym.training.phases.rejection import Rejection

        return Rejection


class CorrectionsPhase(RoundsPhase):
    """Phase with rounds in which the expert corrects the model's turns."""

    name = "corrections"
    made_with = ("method.corrections",)

    def method(self) -> Any:
        from teller_gym.training.phases.corrections import Corrections

        return Corrections

    def check(self, config: Config, env: gym.Env[Any, Any], mixture: Mixture) -> None:
        """Reject environments of whole working days, whose tools change from case to case, if rounds are configured."""
        if self.steps(config) and isinstance(env.unwrapped, DayEnv):
            raise OptionError(
                f"method.corrections.rounds: expected 0 with {config.env.id}, got a working day to correct"
            )
