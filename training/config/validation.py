"""Which tasks validate a model while it trains, and when: the settings."""

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
    """Steps of fine-tuning after each of which the split validation is played; the last step is validated, too. 0 never
    plays it."""
    grpo_steps: Number
    """The same of GRPO."""
    n: Count
    """Tasks of each scenario at most, spread over outcomes and branches; each is played once, with the likeliest
    tokens."""
    at_once: Count
    """Chats that the model in training plays together. Memory for the attention cache grows with it."""
    keep: Literal["best", "last"]
    """Which weights a validated phase hands on: those with the highest score, of equal ones the earliest, or the
    last."""

    def steps(self, phase: str) -> int:
        """Steps between validations of a phase, 0 for none; rounds have none, since each is short."""
        return int(getattr(self, f"{phase}_steps", 0))


def validation_tasks(wanted: ValidationConfig, scenarios: Iterable[str], band: Band) -> list[str]:
    """Return the ids of the tasks that are played.

    Raises:
        OptionError: a scenario has none of them.
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
