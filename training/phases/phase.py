"""Base classes for the phases of a run: settings, completion check, work and plan.

The recipe, the settings lock, the outcome, W&B and the plan iterate over `teller_gym.training.phases.registry.PHASES`.
So a new training method is one file with a class like those beside this one, a line in `PHASES`, and a settings block.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium as gym

from teller_gym.training.config.run import Config
from teller_gym.training.demonstrations.context_window import SAMPLED
from teller_gym.training.models.load import save_model
from teller_gym.training.plan.model import PlannedPhase
from teller_gym.training.plan.planner import Planner
from teller_gym.training.processes.group import here
from teller_gym.training.run_folder.checksums import damage
from teller_gym.training.run_folder.metrics_log import MetricsLog
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.trainer_parts.best_weights import BEST, Best


@dataclass(frozen=True)
class Run:
    """Data of a run that its phases use.

    Attributes:
        before: checkpoint of the previous phase, or None for phases before the first checkpoint.
    """

    config: Config
    folder: Path
    log: MetricsLog
    mixture: Mixture
    before: Path | None = None


class Phase(ABC):
    """One phase of a run.

    Its result is a checkpoint unless it overrides `proof` and `damage`.

    Attributes:
        name: name in the configuration, the log, messages and the run folder.
        made_with: dotted names of the settings on which the result depends, in addition to those of earlier phases.
        trains: True for a `TrainedPhase`, which has a W&B run and counts in the outcome.
    """

    name: str
    made_with: tuple[str, ...]
    trains = False

    @abstractmethod
    def steps(self, config: Config) -> int:
        """Return the number of episodes, rounds or steps; 0 skips the phase."""

    def proof(self, folder: Path) -> Path:
        """Return the file or folder that the phase writes last, which proves that it is done."""
        return folder / self.name / "checkpoint"

    def damage(self, config: Config, proof: Path) -> str | None:
        """Return a clause that describes the damage to an existing proof, or None if it is complete."""
        return damage(proof)

    def check(self, config: Config, env: gym.Env[Any, Any], mixture: Mixture) -> None:  # noqa: B027 (most need nothing)
        """Check the phase's requirements for the environment before anything is computed.

        Raises:
            OptionError: a requirement is not met; the message names the setting.
        """

    @abstractmethod
    def run(self, run: Run) -> None:
        """Run the phase on the first process and write its proof."""

    @abstractmethod
    def plan(self, planner: Planner) -> Sequence[PlannedPhase]:
        """Estimate the needs of the phase and of its evaluation."""


class TrainedPhase(Phase):
    """Base of phases that train a model; subclasses implement `train`."""

    trains = True

    @abstractmethod
    def train(self, run: Run) -> tuple[Any, Any]:
        """Train on all processes and return the model and its tokenizer."""

    def run(self, run: Run) -> None:
        """Train together with the other processes, and save the best validated weights, or the last ones."""
        with here().calling(self.name):
            model, tokenizer = self.train(run)
        wanted, checkpoint = run.config.method.validation, self.proof(run.folder)
        best = Best(self.name, run.folder / self.name / BEST)
        if not (wanted.steps(self.name) and wanted.keep == "best" and best.hand_on(checkpoint)):
            save_model(model, tokenizer, checkpoint)


def expert_file(folder: Path) -> Path:
    """Return the path of the expert trajectories in a run folder."""
    return folder / "data" / "expert.jsonl"


def expert_episodes(config: Config) -> int:
    """Return the number of expert episodes that a run needs.

    They are for learning, for measuring lengths, or for training a tiny model's tokenizer.
    """
    sft = config.method.sft
    needed = sft.drill_trajectories + sft.trajectories + sft.rare_trajectories
    return max(needed, config.model.shape.tokenizer_texts if config.model.tiny else SAMPLED)
