"""Supervised fine-tuning phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from teller_gym.agents.chat import PromptStyle
from teller_gym.training.config.run import Config
from teller_gym.training.demonstrations.batches import Example
from teller_gym.training.models.load import load_model
from teller_gym.training.phases.phase import Run, TrainedPhase, expert_file
from teller_gym.training.phases.sft_data import Encoding, examples
from teller_gym.training.plan.model import PlannedPhase
from teller_gym.training.plan.planner import Planner
from teller_gym.training.processes.group import here
from teller_gym.training.run_folder.progress import tell


class SftPhase(TrainedPhase):
    """Phase that fine-tunes on the expert trajectories."""

    name = "sft"
    made_with = ("method.sft", "method.validation")

    def steps(self, config: Config) -> int:
        return config.method.sft.trajectories

    def train(self, run: Run) -> tuple[Any, Any]:
        from teller_gym.training.phases.sft import train_sft

        assert run.before is not None
        before, folder = run.before, run.folder / self.name / "trainer"
        model, tokenizer = here().together(lambda: load_model(before, run.config))
        short, whole = here().together(lambda: self._examples(run, tokenizer))
        return train_sft(model, tokenizer, short, whole, run.config, folder, run.log), tokenizer

    def _examples(self, run: Run, tokenizer: Any) -> tuple[list[Example], list[Example]]:
        assert run.before is not None
        style = PromptStyle.parse(run.config.model.prompt)
        wanted = Encoding(expert_file(run.folder), run.config.method.sft, style, run.mixture)
        short, whole = examples(wanted, run.before, tokenizer, run.config.hardware.side_by_side)
        tokens = sum(len(example.ids) for example in whole)
        if here().first:
            tell(
                f"sft: {len(whole)} trajectories of {tokens / max(1, len(whole)):.0f} tokens, "
                f"longest {max((len(example.ids) for example in whole), default=0)}, after {len(short)} drills"
            )
        return short, whole

    def plan(self, planner: Planner) -> Sequence[PlannedPhase]:
        return [planner.sft(), *planner.validations(self.name, "adamw", 0.0), planner.evaluation(self.name)]
