"""Settings for a run's evaluations and validations, and the selection of their tasks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, Self

from annotated_types import Ge
from pydantic import AfterValidator, model_validator

import teller_gym
from teller_gym.agents.reference import REFERENCE_AGENTS
from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean
from teller_gym.configuration.settings import Settings, Text, problem
from teller_gym.procedure.task import Split
from teller_gym.tasks.store import parse_split
from teller_gym.training.config.numbers import Count, Number
from teller_gym.training.tasks.difficulty_band import Band


def split_name(name: str) -> str:
    """Check that a split exists and return its name."""
    try:
        return str(parse_split(name))
    except OptionError as error:
        raise problem(str(error).removeprefix("split: ")) from None


def _reference(name: str) -> str:
    if name not in REFERENCE_AGENTS:
        allowed = ", ".join(REFERENCE_AGENTS)
        raise problem(f"expected one of {allowed}, got {name!r}{did_you_mean(name, REFERENCE_AGENTS)}")
    return name


class EvaluationConfig(Settings):
    """Block ``evaluation``."""

    split: Annotated[Text, AfterValidator(split_name)]
    """Split that is evaluated; it is never trained on."""
    n: Count | None
    """Number of tasks, spread over outcomes and branches; null plays the whole split."""
    trials: Count
    """Number of times that each task is played."""
    temperature: Annotated[float, Ge(0)]
    """Sampling temperature; 0 takes the likeliest token."""
    concurrency: Count
    """Episodes that advance together. Memory for the attention cache grows with this number."""
    references: list[Annotated[Text, AfterValidator(_reference)]]
    """Reference agents in the table's other rows; the expert is the upper bound."""
    untrained: bool
    """Also evaluates the untrained model."""

    @model_validator(mode="after")
    def _ends(self) -> Self:
        if self.split == Split.GENERATED and self.n is None:
            raise problem("expected a number of tasks: split generated has no end, got null", "n")
        return self


class ValidationConfig(Settings):
    """Group ``method``, block ``validation``."""

    sft_steps: Number
    """Fine-tuning steps between runs on the validation split, which also runs after the last step; 0 turns it off."""
    grpo_steps: Number
    """GRPO steps between runs on the validation split; 0 turns it off."""
    n: Count
    """Maximum number of tasks per scenario, spread over outcomes and branches; each is played once with the likeliest
    tokens."""
    at_once: Count
    """Episodes that are played together. Memory for the attention cache grows with this number."""
    keep: Literal["best", "last"]
    """Weights that a validated phase passes on: those with the highest score (the earliest in a tie), or the last."""

    def steps(self, phase: str) -> int:
        """Return the number of steps between a phase's validations, or 0 if it has none.

        Phases that learn in rounds have none: their rounds are too short.
        """
        return int(getattr(self, f"{phase}_steps", 0))


def task_count(wanted: EvaluationConfig, scenarios: Sequence[str], band: Band) -> int:
    """Return the number of tasks in an evaluation, over all scenarios.

    Raises:
        OptionError: a scenario's split has fewer tasks than requested.
    """
    return sum(_count(wanted, scenario, band) for scenario in scenarios)


def _count(wanted: EvaluationConfig, scenario: str, band: Band) -> int:
    if not band.whole:
        return len(band.evaluated(scenario, wanted.split, wanted.n))
    if wanted.split == Split.GENERATED and wanted.n is not None:
        return wanted.n
    there = len(teller_gym.load_tasks(scenario, wanted.split))
    if wanted.n is not None and wanted.n > there:
        raise OptionError(f"evaluation.n: split {wanted.split} of {scenario} has {there} tasks; got {wanted.n}")
    return wanted.n or there


def validation_tasks(wanted: ValidationConfig, scenarios: Iterable[str], band: Band) -> list[str]:
    """Return the ids of the validation tasks, at most ``wanted.n`` per scenario.

    Raises:
        OptionError: a scenario has no validation task in the band.
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
