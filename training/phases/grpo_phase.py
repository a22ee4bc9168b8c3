"""Reinforcement learning phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym

from teller_gym.tasks.difficulty import bands
from teller_gym.training.config.run import Config
from teller_gym.training.models.load import load_model
from teller_gym.training.phases.phase import Run, TrainedPhase
from teller_gym.training.plan.model import PlannedPhase
from teller_gym.training.plan.planner import Planner
from teller_gym.training.processes.group import here
from teller_gym.training.tasks.mixture import Mixture


class GrpoPhase(TrainedPhase):
    """Phase that trains with GRPO on fresh tasks."""

    name = "grpo"
    made_with = ("method.grpo", "loss")

    def steps(self, config: Config) -> int:
        return config.method.grpo.steps

    def check(self, config: Config, env: gym.Env[Any, Any], mixture: Mixture) -> None:
        """Check that the environment reports the rewarded terms, and that the scenarios have the curriculum's bands."""
        grpo = config.method.grpo
        if not grpo.reward.is_score:
            grpo.reward.expect_terms(config.env.id, env.reset(seed=0)[1]["reward_terms"])
        if grpo.curriculum is not None:
            for scenario in mixture.weights:
                bands(scenario, grpo.curriculum.bands)

    def train(self, run: Run) -> tuple[Any, Any]:
        from teller_gym.training.phases.grpo import train_grpo

        assert run.before is not None
        before, folder = run.before, run.folder / self.name
        model, tokenizer = here().together(lambda: load_model(before, run.config))
        model = train_grpo(model, tokenizer, run.config, folder / "trainer", run.log, folder / "transcripts.jsonl")
        return model, tokenizer

    def plan(self, planner: Planner) -> Sequence[PlannedPhase]:
        config = planner.config
        validations = planner.validations(self.name, config.method.grpo.optimizer, config.loss.beta)
        return [planner.rollouts(), planner.updates(), *validations, planner.evaluation(self.name)]
