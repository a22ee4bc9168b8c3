"""Base of the phases that learn in rounds on the model's own episodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from teller_gym.training.config.rounds import RoundsConfig
from teller_gym.training.config.run import Config
from teller_gym.training.phases.phase import Run, TrainedPhase
from teller_gym.training.plan.model import PlannedPhase
from teller_gym.training.plan.planner import Planner


class RoundsPhase(TrainedPhase):
    """A phase of rounds; a subclass has its name, its blocks of seeds, and in `method` how it plays.

    Attributes:
        seed_blocks: blocks of task seeds for the student and for the expert, which no other phase uses; see
            `teller_gym.training.tasks.seeds.round_seeds`.
    """

    seed_blocks: tuple[int, int]

    @property
    def made_with(self) -> tuple[str, ...]:
        """The phase's block of settings."""
        return (f"method.{self.name}",)

    def settings(self, config: Config) -> RoundsConfig:
        """Return the phase's block of settings."""
        found: RoundsConfig = getattr(config.method, self.name)
        return found

    def method(self, config: Config, desk: Any) -> Any:
        """Return the way in which a round plays, a `teller_gym.training.phases.round_data.Method`."""
        raise NotImplementedError

    def steps(self, config: Config) -> int:
        """Return the number of rounds."""
        return self.settings(config).rounds

    def train(self, run: Run) -> tuple[Any, Any]:
        """Do the remaining rounds on all processes; return the model and its tokenizer."""
        from teller_gym.training.phases import rounds

        assert run.before is not None
        return rounds.Rounds(self, run.config, run.before, run.log).train()

    def plan(self, planner: Planner) -> Sequence[PlannedPhase]:
        """Return what playing, learning and the evaluation need."""
        return [*planner.rounds(self.name, self.settings(planner.config)), planner.evaluation(self.name)]
