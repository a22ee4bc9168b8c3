"""Settings of the curriculum that picks the tasks of GRPO's groups."""

from __future__ import annotations

from typing import Annotated, Self

from annotated_types import Ge
from pydantic import model_validator

from teller_gym.configuration.settings import Settings, problems
from teller_gym.training.config.numbers import Count, Reached, Share


class CurriculumConfig(Settings):
    """Group ``method``, block ``grpo.curriculum``; method/curriculum.yaml gives the reasons of the values."""

    bands: Annotated[int, Ge(2)] = 4
    """Number of difficulty ranges, each with about the same share of generated tasks."""
    window: Count = 16
    """Number of latest groups of a band that count."""
    raise_at: Reached = 0.7
    """Mean score of the current band's window at which the next band becomes the current one."""
    lower_at: Annotated[float, Ge(0)] = 0.1
    """Mean score of that window at which the band below becomes the current one again."""
    easier: Share = 0.2
    """Share of fresh tasks from all bands below the current one together."""
    harder: Share = 0.1
    """Share of fresh tasks from the next band above."""
    least: Reached = 0.2
    """A band's share shrinks in proportion to its recent groups without spread, to this fraction at the least."""
    replay: Share = 0.25
    """Largest share of tasks that are replayed because the rewards of their group differed."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        found = []
        if not self.lower_at < self.raise_at:
            found.append(("lower_at", f"expected below raise_at ({self.raise_at}), got {self.lower_at}"))
        if not self.easier + self.harder < 1:
            found.append(("", f"expected easier and harder to leave a share, got {self.easier} and {self.harder}"))
        problems(found)
        return self
