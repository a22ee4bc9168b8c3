"""The phase that makes the model that training starts from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from teller_gym.agents.chat import PromptStyle
from teller_gym.training.config.run import Config
from teller_gym.training.demonstrations.context_window import SAMPLED, check_window, expect_continued, measure
from teller_gym.training.demonstrations.expert import read
from teller_gym.training.models.load import make_model, save_model, window_of
from teller_gym.training.phases.phase import Phase, Run, expert_file
from teller_gym.training.plan.model import PlannedPhase
from teller_gym.training.plan.planner import Planner
from teller_gym.training.run_folder.progress import tell


class UntrainedPhase(Phase):
    """The model before training: downloaded, or the tiny model made on the spot."""

    name = "untrained"
    made_with = ("model",)

    def steps(self, config: Config) -> int:
        """Return 1: every run has it."""
        return 1

    def run(self, run: Run) -> None:
        """Make the model and its tokenizer, check that conversations fit, and save them.

        Raises:
            OptionError: conversations exceed the run's limits or the model's window; naming the setting.
        """
        config, data = run.config, expert_file(run.folder)
        model, tokenizer = make_model(config, islice(read(data), config.model.shape.tokenizer_texts))
        style, sampled = PromptStyle.parse(config.model.prompt), list(islice(read(data), SAMPLED))
        expect_continued(sampled, tokenizer, style)
        for line in check_window(measure(sampled, tokenizer, style), config, window_of(config.model)):
            tell(line)
        save_model(model, tokenizer, self.proof(run.folder))

    def plan(self, planner: Planner) -> Sequence[PlannedPhase]:
        """Return what its evaluation needs, if there is one."""
        return [planner.evaluation(self.name)] if planner.config.evaluation.untrained else []
