"""The phase that makes the model that training starts from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from teller_gym.agents.chat import PromptStyle
from teller_gym.training.config.run import Config
from teller_gym.training.demonstrations import context_window
from teller_gym.training.demonstrations.expert import Trajectory, read
from teller_gym.training.models.load import make_model, save_model, window_of
from teller_gym.training.phases.phase import Phase, Run, expert_file
from teller_gym.training.plan.model import PlannedPhase
from teller_gym.training.plan.planner import Planner
from teller_gym.training.run_folder.progress import tell


class UntrainedPhase(Phase):
    """The model before training: downloaded, or the tiny model made on the spot."""

    name = "untrained"
    made_with = ("model",)

    @property
    def title(self) -> str:
        """Name in messages."""
        return "untrained model"

    def steps(self, config: Config) -> int:
        """Return 1: every run has it."""
        return 1

    def run(self, run: Run) -> None:
        """Make the model and its tokenizer, and save them."""
        data = expert_file(run.folder)
        model, tokenizer = make_model(run.config, islice(read(data), run.config.model.shape.tokenizer_texts))
        check_window(run.config, read(data), tokenizer)
        save_model(model, tokenizer, self.proof(run.folder))

    def plan(self, planner: Planner) -> Sequence[PlannedPhase]:
        """Return what its evaluation needs, if there is one."""
        return [planner.evaluation(self.name)] if planner.config.evaluation.untrained else []


def check_window(config: Config, trajectories: Iterable[Trajectory], tokenizer: Any) -> None:
    """Check that conversations fit the run's limits and the model's window.

    Raises:
        OptionError: naming the setting.
    """
    style, sampled = PromptStyle.parse(config.model.prompt), list(islice(trajectories, context_window.SAMPLED))
    context_window.expect_continued(sampled, tokenizer, style)
    lengths = context_window.measure(sampled, tokenizer, style)
    for line in context_window.check_window(lengths, config, window_of(config.model)):
        tell(line)
