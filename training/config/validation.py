"""Settings of validation during training, and its tasks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from teller_gym.base.errors import OptionError
from teller_gym.configuration.settings import Settings
from teller_gym.procedure.task import Split
from teller_gym.training.config.numbers import Count, Number
from teller_gym.training.tasks.difficulty_band import Band


class ValidationConfig(Settings):
    """Group ``method``, block ``validation``."""

    sft_steps: Number
    """Fine-tuning steps between plays of the split validation, which is also played after the last step; 0 never plays
    it."""
    grpo_steps: Number
    """GRPO steps between plays of the split."""
    n: Count
    """Maximum number of tasks per scenario, spread over outcomes and branches; each is played once with the likeliest
    tokens."""
    at_once: Count
    """Chats that the model plays together. Memory for the attention cache grows with this number."""
    keep: Literal["best", "last"]
    """Weights that a validated phase passes on: those with the highest score (the earliest of equal ones), or the
    last."""

    def steps(self, phase: str) -> int:
        """Return the steps between validations of a phase, 0 for none. Rounds are too short to have any."""
        return int(getattr(self, f"{phase}_steps", 0))


def validation_tasks(wanted: ValidationConfig, scenarios: Iterable[str], band: Band) -> list[str]:
    """Return the ids of the validation tasks.

    Raises:
        OptionError: a scenario has no such task.
    """
    found = []
    for name in scenarios:
        try:
            there = band.evaluated(name, Split.VALIDATION, None)
        except OptionError as error:
            told = f"no task of split validation of {name} can be played ({error})"
            raise OptionError(f"method.validation: {told}; set sft_steps and grpo_steps to 0") from error
        found += there if len(there) <= wanted.n else band.evaluated(name, Split.VALIDATION, wanted.n)
    return found
