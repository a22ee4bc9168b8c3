"""The phase of corrections by the expert."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from teller_gym.base.errors import OptionError
from teller_gym.envs.day import DayEnv
from teller_gym.training.config.run import Config
from teller_gym.training.phases.rounds_phase import RoundsPhase
from teller_gym.training.tasks.mixture import Mixture


class CorrectionsPhase(RoundsPhase):
    """Rounds in which the expert corrects the model's turns."""

    name = "corrections"
    seed_blocks = (1, 3)

    def method(self, config: Config, desk: Any) -> Any:
        """Return correction by the expert."""
        from teller_gym.training.phases.corrections import Corrections

        return Corrections(config.method.corrections, desk)

    def check(self, config: Config, env: gym.Env[Any, Any], mixture: Mixture) -> None:
        """Refuse working days: their tools are those of the current case, and the expert has one order of work."""
        if self.steps(config) and isinstance(env.unwrapped, DayEnv):
            raise OptionError(
                f"method.corrections.rounds: expected 0 with {config.env.id}, got a working day to correct"
            )
