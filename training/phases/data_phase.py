"""Phases before training, which provide expert episodes and the initial model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from teller_gym.agents.chat import PromptStyle
from teller_gym.training.config.run import Config
from teller_gym.training.demonstrations import expert
from teller_gym.training.demonstrations.context_window import SAMPLED, check_window, expect_continued, measure
from teller_gym.training.demonstrations.expert import Wanted, collect, read
from teller_gym.training.models.load import make_model, save_model, window_of
from teller_gym.training.phases.phase import Phase, Run, expert_episodes, expert_file
from teller_gym.training.plan.model import PlannedPhase
from teller_gym.training.plan.planner import Planner
from teller_gym.training.run_folder.progress import tell
from teller_gym.training.tasks.seeds import EXPERT_SEEDS_A_RUN


class DataPhase(Phase):
    """Phase that writes the expert's trajectories to ``data/expert.jsonl``."""

    name = "data"
    made_with = (
        "seed", "env", "difficulty", "method.sft.trajectories", "method.sft.drill_trajectories",
        "method.sft.rare_trajectories", "method.sft.shortcuts", "method.sft.working",
    )  # fmt: skip

    def steps(self, config: Config) -> int:
        return expert_episodes(config)

    def proof(self, folder: Path) -> Path:
        return expert_file(folder)

    def damage(self, config: Config, proof: Path) -> str | None:
        return expert.damage(proof, self.steps(config))

    def run(self, run: Run) -> None:
        config, count = run.config, self.steps(run.config)
        sft, env = config.method.sft, config.env

        def report(number: int) -> None:
            if number % 1000 == 0 or number == count:
                tell(f"data {number}/{count} trajectories")

        wanted = Wanted(
            env.id, env.options, config.seed * EXPERT_SEEDS_A_RUN, sft.shortcuts, sft.drill_trajectories,
            run.config.band, sft.working,
        )  # fmt: skip
        collect(self.proof(run.folder), wanted, count, report=report, processes=config.hardware.side_by_side)

    def plan(self, planner: Planner) -> Sequence[PlannedPhase]:
        return [planner.data(self.steps(planner.config))]


class UntrainedPhase(Phase):
    """Phase that provides the model before training: downloaded, or the tiny model created on the fly."""

    name = "untrained"
    made_with = ("model",)

    def steps(self, config: Config) -> int:
        return 1

    def run(self, run: Run) -> None:
        """Create the model and its tokenizer, check that conversations fit, and save both."""
        config, data = run.config, expert_file(run.folder)
        model, tokenizer = make_model(config, islice(read(data), config.model.shape.tokenizer_texts))
        style, sampled = PromptStyle.parse(config.model.prompt), list(islice(read(data), SAMPLED))
        expect_continued(sampled, tokenizer, style)
        for line in check_window(measure(sampled, tokenizer, style), config, window_of(config.model)):
            tell(line)
        save_model(model, tokenizer, self.proof(run.folder))

    def plan(self, planner: Planner) -> Sequence[PlannedPhase]:
        return [planner.evaluation(self.name)] if planner.config.evaluation.untrained else []
