"""Settings of a run's evaluations, and their number of tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Self

from annotated_types import Ge
from pydantic import AfterValidator, model_validator

import teller_gym
from teller_gym.agents.reference import REFERENCE_AGENTS
from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean
from teller_gym.configuration.settings import Settings, Text, problem
from teller_gym.procedure.task import Split
from teller_gym.tasks.store import parse_split
from teller_gym.training.config.numbers import Count
from teller_gym.training.tasks.difficulty_band import Band


def _split(name: str) -> str:
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

    split: Annotated[Text, AfterValidator(_split)]
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
    """Evaluates the untrained model, too."""

    @property
    def episodes(self) -> int | None:
        """Number of tasks; None for the whole split."""
        return self.n

    @model_validator(mode="after")
    def _ends(self) -> Self:
        if self.split == Split.GENERATED and self.n is None:
            raise problem("expected a number of tasks: split generated has no end, got null", "n")
        return self


def task_count(wanted: EvaluationConfig, scenarios: Sequence[str], band: Band) -> int:
    """Return the number of tasks in an evaluation, over all scenarios.

    Raises:
        OptionError: the split of a scenario has fewer than requested.
    """
    return sum(_count(wanted, scenario, band) for scenario in scenarios)


def _count(wanted: EvaluationConfig, scenario: str, band: Band) -> int:
    if not band.whole:
        return len(band.evaluated(scenario, wanted.split, wanted.episodes))
    if wanted.split == Split.GENERATED and wanted.episodes is not None:
        return wanted.episodes
    there = len(teller_gym.load_tasks(scenario, wanted.split))
    if wanted.episodes is not None and wanted.episodes > there:
        raise OptionError(f"evaluation.n: split {wanted.split} of {scenario} has {there} tasks; got {wanted.episodes}")
    return wanted.episodes or there
