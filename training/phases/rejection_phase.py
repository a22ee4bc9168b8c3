"""The phase of rejection sampling."""

from __future__ import annotations

from typing import Any

from teller_gym.training.config.run import Config
from teller_gym.training.phases.rounds_phase import RoundsPhase


class RejectionPhase(RoundsPhase):
    """Rounds in which the model learns from its own successful episodes."""

    name = "rejection"
    seed_blocks = (0, 2)

    def method(self, config: Config, desk: Any) -> Any:
        """Return rejection sampling."""
        from teller_gym.training.phases.rejection import Rejection

        return Rejection(config.method.rejection, desk)
